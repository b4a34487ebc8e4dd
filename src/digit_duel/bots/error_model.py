"""How a person at the table errs: what they overlook, how rarely they look ahead, what they misjudge."""

from __future__ import annotations

from dataclasses import dataclass

CROWD = 12  # among so many other moves, one is overlooked half as often as among infinitely many


@dataclass(frozen=True, slots=True)
class ErrorModel:
    """How often, and by how much, one level errs."""

    greed: float  # how often it follows the tips without a look ahead
    overlooks: float  # how likely it misses one move among infinitely many
    fades: float  # how much of a line it loses sight of with every further move
    blur: float  # the error of a judgement at a glance, as a part of the span from worst to best move
    width: int  # how many of its own moves it thinks through

    def misses(self, moves: int) -> float:
        """How likely it overlooks one of so many moves."""
        return self.overlooks * (moves - 1) / (moves - 1 + CROWD)

    def follows(self, moves: int) -> float:
        """How likely it follows a line of so many moves to its end."""
        return float((1 - self.fades) ** moves)

    @property
    def second_look(self) -> float:
        """What is left of the blur when it takes time to think."""
        return self.blur / 3


SENSIBLE = ErrorModel(greed=1.0, overlooks=0.60, fades=1.00, blur=0.40, width=0)
CAREFUL = ErrorModel(greed=0.6, overlooks=0.40, fades=0.10, blur=0.37, width=8)
SHARP = ErrorModel(greed=0.25, overlooks=0.15, fades=0.03, blur=0.34, width=8)
