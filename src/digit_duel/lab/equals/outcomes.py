"""What is found out about a game between two levels, and for which levels."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

from digit_duel.core.game import Pair
from digit_duel.lab.equals.level_moves import LEVELS

WIDE = 2.576  # standard errors on either side, for 99 percent

PAIRS: tuple[Pair[str], ...] = (
    *((level, level) for level in LEVELS),
    *pairwise(LEVELS),
    *((strong, weak) for weak, strong in pairwise(LEVELS)),
)


@dataclass(frozen=True, slots=True)
class Between:
    """What to expect of a game between two levels."""

    wins: float  # of the first seat
    draws: float
    length: float  # moves of the players
    changes: float  # how often best play would change the winner
    until: float  # moves until the last of these changes
    decisions: float  # choices between several moves
    only: float  # of these, with a single move that keeps the result
    uncertainty: float = 0.0  # how far the points may be off, in 99 of 100 cases; 0 if they are exact

    @property
    def points(self) -> float:
        """What the first seat scores: 1 for a win, a half for a draw."""
        return self.wins + self.draws / 2


def half_width(points: float, games: int) -> float:
    """Half the width of the interval that holds the true share of points in 99 of 100 cases."""
    # A little more than the usual formula, which is too narrow close to 0 and 1.
    return WIDE * sqrt(max(points * (1 - points), 0.02) / games)
