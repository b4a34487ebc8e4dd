"""Draw a scene: boxes where the window has room, else one line a player."""

from __future__ import annotations

from textwrap import wrap

from digit_duel.cli.screen.symbols import BOLD, DIM, GREEN, RED, REVERSE, SEAT_COLOURS, YELLOW, Style
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.game import Seat
from digit_duel.core.script import Cell, Meter, Names, Row, Scene

_WIDE = (60, 20)  # columns and rows from which boxes are drawn
_BOX = 5
_BAR = 20


def draw(
    scene: Scene,
    names: Names,
    style: Style,
    size: tuple[int, int],
    turn: Seat | None = None,
    before: Scene | None = None,
) -> list[str]:
    """The lines of a picture; digits placed since an earlier scene stand out."""
    return _Picture(scene, names, style, size, turn, before).lines()


def board(
    terminal: Terminal, scene: Scene, names: Names, turn: Seat | None = None, before: Scene | None = None
) -> str:
    """A scene as this terminal shows it: a picture on a screen, else sentences."""
    if not terminal.screen:
        return "\n".join(plain(scene, names))
    return "\n".join(draw(scene, names, terminal.style, terminal.size, turn, before))


def plain(scene: Scene, names: Names) -> list[str]:
    """A scene in sentences."""
    lines = [f"{scene.heading}."] if scene.heading else []
    for seat in Seat:
        row = scene.rows[seat]
        parts = [f"{meter.label} {meter.value} of {meter.most}" for meter in row.meters]
        parts += [_describe(cell) for cell in row.cells]
        parts += [row.note] if row.note else []
        lines.append(f"{names[seat]}: {', '.join(parts)}.")
    if scene.pool:
        left = [str(stock.digit) for stock in scene.pool for _ in range(stock.left)]
        lines.append(f"Digits left: {' '.join(left) or 'none'}.")
    if scene.drawn is not None:
        lines.append(f"Drawn: {'a card face down' if scene.drawn.hidden else scene.drawn.digit}.")
    lines += [f"{fact[:1].upper()}{fact[1:]}." for fact in scene.facts]
    return lines


def counts(scene: Scene) -> str:
    """What a player knows of the copies of each digit, in columns; where nothing is hidden, the pool."""
    if not scene.counts:
        left = " ".join(str(stock.digit) for stock in scene.pool for _ in range(stock.left))
        return f"Nothing is hidden here. Digits left: {left or 'none'}."
    rows = {
        "digit": [count.digit for count in scene.counts],
        "seen": [count.most - count.unseen for count in scene.counts],
        "discarded": [count.discarded for count in scene.counts],
        "unseen": [count.unseen for count in scene.counts],
    }
    lines = [f"  {name:<9} {' '.join(f'{number:>2}' for number in row)}" for name, row in rows.items()]
    return "\n".join([*lines, "Unseen cards are in the deck or face down in a hand."])


def _describe(cell: Cell) -> str:
    what = "face down" if cell.hidden else "empty" if cell.digit is None else str(cell.digit)
    return f"{cell.label} {what}" if cell.label else what


class _Picture:
    """One drawing of a scene for one window."""

    def __init__(
        self,
        scene: Scene,
        names: Names,
        style: Style,
        size: tuple[int, int],
        turn: Seat | None,
        before: Scene | None,
    ) -> None:
        self.scene, self.style, self.turn = scene, style, turn
        longest = max(6, size[0] // 4)  # or a long name pushes the board off the screen
        self.names = tuple(name if len(name) <= longest else name[: longest - 1] + "~" for name in names)
        self.before = before
        self.columns = size[0]
        self.margin = max(*map(len, self.names), len("drawn")) + 4
        cells = scene.rows[0].cells
        self.pitch = max((len(cell.label) + 1 for cell in cells), default=0)
        self.pitch = max(self.pitch, _BOX + 1)
        needed = self.margin + self.pitch * len(cells)
        self.boxes = bool(cells) and size[0] >= max(_WIDE[0], needed) and size[1] >= _WIDE[1]

    def lines(self) -> list[str]:
        """The whole picture from top to bottom."""
        scene, paint = self.scene, self.style.paint
        lines = [paint(f"  {scene.heading}", BOLD)] if scene.heading else []
        if self.boxes and any(cell.label for cell in scene.rows[0].cells):
            labels = "".join(cell.label.center(self.pitch) for cell in scene.rows[0].cells)
            lines.append(paint(f"{' ' * self.margin}{labels}".rstrip(), DIM))
        for seat in Seat:
            lines += self._boxed(seat) if self.boxes else [self._single(seat)]
        if scene.pool:
            first, *more = self._pool()
            lines += [self._titled("pool", first), *(self._titled("", line) for line in more)]
        if scene.drawn is not None:
            lines.append(
                self._titled("drawn", self._digit(scene.drawn, changed=not scene.drawn.hidden).rstrip())
            )
        if scene.facts:
            facts = wrap(", ".join(scene.facts), max(20, self.columns - 2), initial_indent="  ")
            lines += [paint(line, DIM) for line in facts]
        return lines

    def _titled(self, title: str, text: str) -> str:
        return f"  {self.style.paint(title.ljust(self.margin - 2), DIM)}{text}"

    def _label(self, seat: Seat) -> str:
        mark = self.style.symbols.turn if seat is self.turn else " "
        return f"{mark} {self.style.paint(self.names[seat].ljust(self.margin - 2), BOLD, SEAT_COLOURS[seat])}"

    def _boxed(self, seat: Seat) -> list[str]:
        """A row of boxes, with the name beside it."""
        row, symbols = self.scene.rows[seat], self.style.symbols
        changed = self._changed(seat)
        gap = self.pitch - _BOX
        left, right = " " * (gap // 2), " " * (gap - gap // 2)

        def across(parts: list[str]) -> str:
            return "".join(f"{left}{part}{right}" for part in parts).rstrip()

        top = symbols.top[0] + symbols.top[1] * 3 + symbols.top[2]
        bottom = symbols.bottom[0] + symbols.bottom[1] * 3 + symbols.bottom[2]
        inside = [
            f"{symbols.side}{self._digit(cell, at in changed, seat)}{symbols.side}"
            for at, cell in enumerate(row.cells)
        ]
        beside = "  ".join([*(self._meter(meter) for meter in row.meters), *self._note(row)])
        room = self.columns - self.margin - self.pitch * len(row.cells)
        extra = f"  {beside}" if room >= len(row.note) + 2 + 12 * len(row.meters) else ""
        margin = " " * self.margin
        return [
            f"{margin}{across([top] * len(row.cells))}",
            f"{self._label(seat)}{across(inside)}{extra}",
            f"{margin}{across([bottom] * len(row.cells))}",
        ]

    def _single(self, seat: Seat) -> str:
        """A player in one line."""
        row, changed = self.scene.rows[seat], self._changed(seat)
        cells = "".join(f"[{self._digit(cell, at in changed, seat)}]" for at, cell in enumerate(row.cells))
        meters = " ".join(self._meter(meter) for meter in row.meters)
        width = self.margin + 5 * len(row.cells) + 36 * len(row.meters) + 2 + len(row.note)
        note = self._note(row) if width <= self.columns else []
        return self._label(seat) + "  ".join(part for part in (cells, meters, *note) if part)

    def _note(self, row: Row) -> list[str]:
        return [self.style.paint(row.note, DIM)] if row.note else []

    def _changed(self, seat: Seat) -> set[int]:
        """The cells that have a new digit since the earlier scene."""
        now = self.scene.rows[seat].cells
        then = self.before.rows[seat].cells if self.before else now
        pairs = enumerate(zip(now, then, strict=False))
        return {at for at, (new, old) in pairs if new != old and new.digit is not None}

    def _digit(self, cell: Cell, changed: bool, seat: Seat | None = None) -> str:
        if cell.hidden:
            return self.style.paint(f" {self.style.symbols.back} ", DIM)
        if cell.digit is None:
            return "   "
        colour = () if seat is None else (SEAT_COLOURS[seat],)
        return self.style.paint(f" {cell.digit} ", BOLD, *colour, *((REVERSE,) if changed else ()))

    def _meter(self, meter: Meter) -> str:
        """A bar for a large number, such as life points; a plain count for a small one."""
        paint, symbols = self.style.paint, self.style.symbols
        if meter.most < _BAR // 2:
            return f"{meter.label} {paint(str(meter.value), BOLD)}/{meter.most}"
        bar = (
            min(_BAR, max(5, self.columns - self.margin - len(symbols.heart) - 8))
            if self.columns >= 40
            else 5
        )
        filled = min(bar, max(0, -(-meter.value * bar // meter.most)))
        colour = RED if 4 * meter.value <= meter.most else YELLOW if 2 * meter.value < meter.most else GREEN
        drawn = paint(symbols.full * filled, colour) + paint(symbols.rest * (bar - filled), DIM)
        return f"{paint(symbols.heart, colour)} {meter.value:>2}/{meter.most} {drawn}"

    def _pool(self) -> list[str]:
        """The digits left, in lines that fit; a dot for each digit that is gone."""
        paint, symbols = self.style.paint, self.style.symbols
        lines: list[list[str]] = [[]]
        room = self.columns - self.margin
        for stock in self.scene.pool:
            copies = symbols.copies[stock.left] if stock.left else ""
            if room < 1 + len(copies) and lines[-1]:
                lines.append([])
                room = self.columns - self.margin
            room -= 2 + len(copies)
            shown = paint(str(stock.digit), BOLD) if stock.left else paint(symbols.taken, DIM)
            lines[-1].append(shown + copies)
        return [" ".join(line) for line in lines]
