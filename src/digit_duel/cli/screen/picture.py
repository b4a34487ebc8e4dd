"""A scene as text: on a screen one short line for each player, otherwise sentences."""

from __future__ import annotations

from textwrap import wrap

from digit_duel.cli.screen.symbols import Symbols
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.game import Seat
from digit_duel.core.script import Cell, Names, Scene


def board(terminal: Terminal, scene: Scene, names: Names, turn: Seat | None = None) -> str:
    """A scene as this terminal shows it: in short lines on a screen, otherwise in sentences."""
    if not terminal.screen:
        return "\n".join(plain(scene, names))
    return "\n".join(draw(scene, names, terminal.style.symbols, terminal.size[0], turn))


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


def draw(scene: Scene, names: Names, symbols: Symbols, columns: int, turn: Seat | None = None) -> list[str]:
    """The players with their places, the pool and the rest, in lines that fit the window."""
    longest = max(6, columns // 4)  # or a long name pushes the board off the screen
    short = [name if len(name) <= longest else name[: longest - 1] + "~" for name in names]
    margin = max(*map(len, short), len("drawn")) + 4
    lines = [f"  {scene.heading}"] if scene.heading else []
    for seat in Seat:
        mark = symbols.turn if seat is turn else " "
        lines.append(f"{mark} {short[seat].ljust(margin - 2)}{_row(scene, seat, symbols, columns - margin)}")
    if scene.pool:
        first, *more = _pool(scene, symbols, columns - margin)
        lines += [f"  {'pool'.ljust(margin - 2)}{first}", *(" " * margin + line for line in more)]
    if scene.drawn is not None:
        lines.append(f"  {'drawn'.ljust(margin - 2)}{_digit(scene.drawn, symbols)}".rstrip())
    if scene.facts:
        lines += wrap(", ".join(scene.facts), max(20, columns - 2), initial_indent="  ")
    return lines


def _row(scene: Scene, seat: Seat, symbols: Symbols, columns: int) -> str:
    """A player's places and meters, their labels if there is room for them, and then the note."""
    row = scene.rows[seat]
    cells = "".join(f"[{_digit(cell, symbols)}]" for cell in row.cells)
    bare = [f"{meter.value}/{meter.most}" for meter in row.meters]
    labelled = [f"{meter.label} {meter.value}/{meter.most}" for meter in row.meters]
    ways = ([cells, *labelled, row.note], [cells, *labelled], [cells, *bare])
    lines = ["  ".join(filter(None, parts)) for parts in ways]
    return next((line for line in lines if len(line) <= columns), lines[-1])


def _digit(cell: Cell, symbols: Symbols) -> str:
    return f" {symbols.back if cell.hidden else ' ' if cell.digit is None else cell.digit} "


def _pool(scene: Scene, symbols: Symbols, columns: int) -> list[str]:
    """The digits left, in lines that fit; a dot for each digit that is gone."""
    lines: list[str] = [""]
    for stock in scene.pool:
        shown = f"{stock.digit}{symbols.copies[stock.left]}" if stock.left else symbols.taken
        joined = f"{lines[-1]} {shown}".lstrip()
        if len(joined) <= columns or not lines[-1]:
            lines[-1] = joined
        else:
            lines.append(shown)
    return lines
