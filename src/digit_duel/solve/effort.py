"""How much work a caller allows a solver, and how the solver reports progress."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

CELLS_PER_STATE = 200  # table cells filled in the time that exploring one state takes


@dataclass(frozen=True, slots=True)
class Effort:
    """A limit on the work for solving a game; a solver that would exceed it raises TooBig."""

    states: int | None = None  # explored one by one
    cells: int | None = None  # of a placing game's table
    exact: bool = False  # accept exact answers only

    @property
    def most_cells(self) -> int | None:
        """The largest number of cells of a table that is not kept on disk."""
        if self.cells is not None or self.states is None:
            return self.cells
        return self.states * CELLS_PER_STATE


PATIENT = Effort()  # whatever fits into memory


class Progress(Protocol):
    """A callback that is told how far a solver is; it may raise an exception to stop the work."""

    def __call__(self, done: int, total: int | None = None, unit: str = "states") -> None:
        """Report that `done` units of `total` are done; None if the total is unknown."""
