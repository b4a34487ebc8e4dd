"""Statistics of games between two levels, and the pairs of levels they are collected for."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

from digit_duel.core.game import Pair
from digit_duel.lab.equals.level_moves import LEVELS

WIDE = 2.576  # standard errors on either side of a 99% interval

PAIRS: tuple[Pair[str], ...] = (
    *((level, level) for level in LEVELS),
    *pairwise(LEVELS),
    *((strong, weak) for weak, strong in pairwise(LEVELS)),
)


@dataclass(frozen=True, slots=True)
class PairStatistics:
    """Expected statistics of a game between two levels."""

    wins: float  # of the first seat
    draws: float
    length: float  # moves of the players
    changes: float  # how often the player favoured by best play changes
    until: float  # moves until the last of these changes
    decisions: float  # choices between several moves
    only: float  # of these, with a single move that keeps the result
    uncertainty: float = 0.0  # half the width of the 99% interval of the points; 0 if they are exact

    @property
    def points(self) -> float:
        """The first seat's points: 1 for a win, a half for a draw."""
        return self.wins + self.draws / 2


def half_width(points: float, games: int) -> float:
    """Half the width of the 99% interval of a share of the points."""
    # The variance has a floor, because the usual formula is too narrow close to 0 and 1.
    return WIDE * sqrt(max(points * (1 - points), 0.02) / games)
