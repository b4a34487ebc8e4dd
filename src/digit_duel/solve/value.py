"""The value of a state under best play."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from digit_duel.core.game import Seat

Score = int | Fraction  # the expected result for the first seat, from -1 to 1


class Value(NamedTuple):
    """A result for the first seat, ordered from bad to good: score first, then haste, then margin.

    Haste prefers a quick win and a late loss.
    """

    score: Score
    haste: int = 0
    margin: int = 0

    @property
    def distance(self) -> int:
        """How many moves away a forced win is."""
        return abs(self.haste)

    def a_move_earlier(self) -> Value:
        """The same outcome, as seen one move earlier."""
        if self.score in (1, -1):
            return Value(self.score, self.haste - int(self.score), self.margin)
        return self

    def score_for(self, seat: Seat) -> Score:
        """The result for one seat."""
        return self.score if seat is Seat.FIRST else -self.score

    def margin_for(self, seat: Seat) -> int:
        """The margin for one seat."""
        return self.margin if seat is Seat.FIRST else -self.margin
