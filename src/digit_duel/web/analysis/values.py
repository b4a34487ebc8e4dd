"""Values as a symbol and a text, so that no meaning depends on colour."""

from __future__ import annotations

from digit_duel.coach.speech import percent
from digit_duel.solve.value import Score

WIN, EVEN, LOSS = "▲", "◆", "▼"
UNKNOWN = "not known"


def symbol(value: Score | float | None) -> str:
    """The symbol for a value, from the point of view of the player it belongs to."""
    if value is None:
        return ""
    return WIN if value > 0 else LOSS if value < 0 else EVEN


def text(value: Score | float | None, chance: bool = False) -> str:
    """A value from -1 to 1 in words; as a percentage where luck or secrets decide."""
    if value is None:
        return UNKNOWN
    if not chance and value in (1, 0, -1):
        return {1: "wins for sure", 0: "even", -1: "loses"}[int(value)]
    return percent(float(1 + value) / 2)
