"""A model of human error: overlooked moves, shallow look-ahead and misjudgement."""

from __future__ import annotations

from dataclasses import dataclass

CROWD = 12  # among this many other moves, one is overlooked half as often as among infinitely many


@dataclass(frozen=True, slots=True)
class ErrorModel:
    """How often one level errs, and by how much."""

    greed: float  # probability of following the tips without looking ahead
    overlooks: float  # probability of missing one move among infinitely many
    fades: float  # probability of losing track of a line at each further move
    blur: float  # standard error of a quick judgement, as a fraction of the span from worst to best move
    width: int  # how many of its own moves it looks at in depth

    def misses(self, moves: int) -> float:
        """The probability of overlooking one of this many moves."""
        return self.overlooks * (moves - 1) / (moves - 1 + CROWD)

    def follows(self, moves: int) -> float:
        """The probability of following a line of this many moves to its end."""
        return float((1 - self.fades) ** moves)

    @property
    def second_look(self) -> float:
        """The standard error of a judgement when it takes time to think."""
        return self.blur / 3


SENSIBLE = ErrorModel(greed=1.0, overlooks=0.60, fades=1.00, blur=0.40, width=0)
CAREFUL = ErrorModel(greed=0.6, overlooks=0.40, fades=0.10, blur=0.37, width=8)
SHARP = ErrorModel(greed=0.25, overlooks=0.15, fades=0.03, blur=0.34, width=8)
