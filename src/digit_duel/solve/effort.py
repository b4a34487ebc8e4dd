"""How long a caller is willing to wait for a solver, and how it is told of progress."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Effort:
    """The most that may be spent on solving a game; beyond that a solver raises TooBig."""

    states: int | None = None  # explored one by one
    cells: int | None = None  # of a placing game's table
    exact: bool = False  # nothing but exact answers will do


PATIENT = Effort()  # whatever fits into memory


class Progress(Protocol):
    """Told every now and then how far a solver is; it may raise to stop the work."""

    def __call__(self, done: int, total: int | None = None, unit: str = "states") -> None:
        """So many are done, of so many if that is known."""
