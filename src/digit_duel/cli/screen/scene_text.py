"""A scene in sentences, and the digits that a player has seen."""

from __future__ import annotations

from digit_duel.core.game import Seat
from digit_duel.core.script import Cell, Names, Scene


def board(scene: Scene, names: Names) -> str:
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
    return "\n".join(lines)


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
