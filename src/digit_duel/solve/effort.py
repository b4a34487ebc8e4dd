"""How long a caller is willing to wait for a solver, and how it is told of progress."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

CELLS_PER_STATE = 200  # filled in the time in which one state is explored


@dataclass(frozen=True, slots=True)
class Effort:
    """The most that may be spent on solving a game; beyond that a solver raises TooBig."""

    states: int | None = None  # explored one by one
    cells: int | None = None  # of a placing game's table
    exact: bool = False  # nothing but exact answers will do

    @property
    def most_cells(self) -> int | None:
        """The most cells of a table that is not kept on disk."""
        if self.cells is not None or self.states is None:
            return self.cells
        return self.states * CELLS_PER_STATE


PATIENT = Effort()  # whatever fits into memory


class Progress(Protocol):
    """Told every now and then how far a solver is; it may raise to stop the work."""

    def __call__(self, done: int, total: int | None = None, unit: str = "states") -> None:
        """So many are done, of so many if that is known."""
