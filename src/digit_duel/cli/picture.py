"""A scene as lines of text: boxes where there is room, one line a player where there is not."""

from __future__ import annotations

from collections.abc import Iterable

from digit_duel.cli.symbols import BOLD, DIM, GREEN, RED, REVERSE, SEAT_COLOURS, YELLOW, Style
from digit_duel.core.game import Seat
from digit_duel.core.script import Cell, Meter, Names, Row, Scene

_ROOMY = (60, 20)  # columns and rows from which boxes are drawn
_BAR = 20


def draw(
    scene: Scene,
    names: Names,
    style: Style,
    size: tuple[int, int],
    turn: Seat | None = None,
    before: Scene | None = None,
) -> list[str]:
    """The lines of a picture; what changed since an earlier scene stands out."""
    roomy = size[0] >= _ROOMY[0] and size[1] >= _ROOMY[1]
    lines = [style.paint(scene.heading, BOLD)] if scene.heading else []
    for seat in Seat:
        row = scene.rows[seat]
        changed = _changed(row, before.rows[seat] if before else None)
        label = _name(names, seat, style, turn)
        if roomy and row.cells and any(cell.label for cell in row.cells):
            lines += _boxes(label, row, changed, style, seat)
        else:
            lines.append(_line(label, row, changed, style, seat, size[0]))
    if scene.pool:
        lines.append(_pool(scene, style))
    if scene.drawn is not None:
        lines.append(f"  drawn  {_digit(scene.drawn, False, style, None)}")
    if scene.facts:
        lines.append(style.paint("  " + ", ".join(scene.facts), DIM))
    return lines


def plain(scene: Scene, names: Names) -> list[str]:
    """A scene in sentences."""
    lines = [f"{scene.heading}."] if scene.heading else []
    for seat in Seat:
        row = scene.rows[seat]
        parts = [f"{meter.label} {meter.value} of {meter.most}" for meter in row.meters]
        parts += [_said(cell) for cell in row.cells]
        parts += [row.note] if row.note else []
        lines.append(f"{names[seat]}: {', '.join(parts)}.")
    if scene.pool:
        left = [str(stock.digit) for stock in scene.pool for _ in range(stock.left)]
        lines.append(f"Digits left: {' '.join(left) or 'none'}.")
    if scene.drawn is not None:
        lines.append(f"Drawn: {'a card face down' if scene.drawn.hidden else scene.drawn.digit}.")
    lines += [f"{fact}." for fact in scene.facts]
    return lines


def _said(cell: Cell) -> str:
    what = "face down" if cell.hidden else "empty" if cell.digit is None else str(cell.digit)
    return f"{cell.label} {what}" if cell.label else what


def _name(names: Names, seat: Seat, style: Style, turn: Seat | None) -> str:
    width = max(map(len, names))
    mark = style.symbols.turn if seat is turn else " "
    return f"{mark} {style.paint(names[seat].ljust(width), BOLD, SEAT_COLOURS[seat])}"


def _changed(row: Row, before: Row | None) -> set[int]:
    if before is None or len(before.cells) != len(row.cells):
        return set()
    pairs = zip(row.cells, before.cells, strict=True)
    return {at for at, (now, then) in enumerate(pairs) if now != then and now.digit is not None}


def _digit(cell: Cell, changed: bool, style: Style, seat: Seat | None) -> str:
    if cell.hidden:
        return style.paint(f" {style.symbols.back} ", DIM)
    if cell.digit is None:
        return "   "
    colour = () if seat is None else (SEAT_COLOURS[seat],)
    return style.paint(f" {cell.digit} ", BOLD, *colour, *((REVERSE,) if changed else ()))


def _boxes(label: str, row: Row, changed: set[int], style: Style, seat: Seat) -> list[str]:
    """Three lines of boxes with the names of the places below."""
    symbols = style.symbols
    widths = [max(5, len(cell.label) + 1) for cell in row.cells]
    indent = " " * 4

    def spread(parts: Iterable[tuple[str, int]]) -> str:
        return (
            indent
            + " ".join(
                part + " " * (width - shown) for (part, shown), width in zip(parts, widths, strict=True)
            ).rstrip()
        )

    top = symbols.top[0] + symbols.top[1] * 3 + symbols.top[2]
    bottom = symbols.bottom[0] + symbols.bottom[1] * 3 + symbols.bottom[2]
    inside = [
        (f"{symbols.side}{_digit(cell, at in changed, style, seat)}{symbols.side}", 5)
        for at, cell in enumerate(row.cells)
    ]
    labels = [(style.paint(cell.label, DIM), len(cell.label)) for cell in row.cells]
    note = style.paint(f"  {row.note}", DIM) if row.note else ""
    return [
        f"{label}{note}",
        spread((top, 5) for _ in row.cells),
        spread(inside),
        spread((bottom, 5) for _ in row.cells),
        spread(labels),
    ]


def _line(label: str, row: Row, changed: set[int], style: Style, seat: Seat, columns: int) -> str:
    """A player in one line."""
    cells = "".join(f"[{_digit(cell, at in changed, style, seat)[:]}]" for at, cell in enumerate(row.cells))
    meters = " ".join(_meter(meter, style, columns) for meter in row.meters)
    note = style.paint(row.note, DIM) if row.note and columns >= _ROOMY[0] else ""
    return "  ".join(part for part in (label, cells, meters, note) if part)


def _meter(meter: Meter, style: Style, columns: int) -> str:
    """A bar for what can run low, a plain count for what is won."""
    if meter.most < _BAR // 2:
        return f"{meter.label} {style.paint(str(meter.value), BOLD)}/{meter.most}"
    bar = _BAR if columns >= _ROOMY[0] else _BAR // 2
    filled = min(bar, max(0, -(-meter.value * bar // meter.most)))
    share = meter.value / meter.most
    colour = RED if share <= 0.25 else YELLOW if share < 0.5 else GREEN
    drawn = style.paint(style.symbols.full * filled, colour) + style.paint(
        style.symbols.rest * (bar - filled), DIM
    )
    return f"{style.paint(style.symbols.heart, colour)} {meter.value:>2}/{meter.most} {drawn}"


def _pool(scene: Scene, style: Style) -> str:
    """The digits left; taken ones stay as dots, so the eye finds the others in their place."""
    shown = [
        style.paint(str(stock.digit), BOLD) + style.symbols.copies[stock.left]
        if stock.left
        else style.paint(style.symbols.taken, DIM)
        for stock in scene.pool
    ]
    return f"  pool  {' '.join(shown)}"
