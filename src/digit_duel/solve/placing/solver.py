"""The solver of placing games: a table of margins that is shipped, cached or computed on demand."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

from digit_duel.games._placement import Pick, Placement, PlacingMove, Position, Tie
from digit_duel.solve.effort import Effort, Progress
from digit_duel.solve.errors import DamagedTable, TooBig
from digit_duel.solve.oracle import Oracle
from digit_duel.solve.placing.pool_file import decode, encode
from digit_duel.solve.placing.pool_table import PoolTable
from digit_duel.solve.placing.slots import Slots, score
from digit_duel.solve.report import Report, open_report
from digit_duel.solve.solver import OpenSolver
from digit_duel.solve.storage import cache, cache_path, shipped_files
from digit_duel.solve.value import Value

MOST_PACKED = 200_000_000  # a report visits every single state of games up to this size


class MarginTable(Protocol):
    """The exact margin of every position."""

    def value(self, position: Position) -> int:
        """The margin for the first seat that best play leads to."""


@dataclass(frozen=True)
class PlacingOracle:
    """An oracle that looks up a table of margins."""

    game: Placement
    table: MarginTable

    def value(self, state: Position) -> Value:
        """The value of a state for the first seat under best play."""
        apart = self.table.value(state)
        won = score(self.game, apart)
        left = sum(board.count(None) for board in state.boards)
        return Value(won, -won * left, apart - self.game.bonus)


class PlacingSolver(OpenSolver[Position, PlacingMove]):
    """Solves every placing game."""

    game: Placement

    def __init__(self, game: Placement) -> None:
        super().__init__(game)
        self.least_moves = Slots(game).moves

    def find_oracle(self, effort: Effort, progress: Progress | None) -> Oracle[Position]:
        if self.game.pick is Pick.DRAW:
            from digit_duel.solve.placing import drawn

            return drawn.solve(self.game, progress, most_cells=effort.most_cells)
        return PlacingOracle(self.game, placing_table(self.game, effort.cells))

    def report(self, progress: Progress) -> Report:
        from digit_duel.solve.placing import drawn, packed, pooled

        if self.game.pick is Pick.DRAW:
            return open_report(self.game, drawn.solve(self.game, progress), drawn.fits(self.game).states)
        # One cell per state if they fit, else one for all states with the same empty slots and digits left.
        estimate = packed.fits(self.game)
        each = estimate.fits and estimate.states <= MOST_PACKED
        table: MarginTable = (packed.solve if each else pooled.solve)(self.game, progress)
        oracle = PlacingOracle(self.game, table)
        margin = oracle.value(self.game.start()).margin
        apart = f"the numbers end {abs(margin)} apart" if margin else "the numbers are equal"
        apart += ", including the bonus" if self.game.bonus else ""
        apart += "" if margin else f", and {_TIES[self.game.tie]}"
        return open_report(self.game, oracle, estimate.states, (f"With best play {apart}.",))


_TIES = {
    Tie.SECOND: "a tie goes to the second player",
    Tie.FIRST: "a tie goes to the first player",
    Tie.DRAW: "a tie is a draw",
}


def placing_table(game: Placement, most_cells: int | None = None) -> PoolTable:
    """The margins of a placing game: shipped, cached or solved now; raises TooBig."""
    for table in _shipped():
        if _same_margins(table.game, game):
            return PoolTable(game, table.layers)
    path = cache_path(replace(game, tie=Tie.SECOND, bonus=0), ".ddpt")
    with suppress(OSError, DamagedTable):  # missing or damaged: make a new one
        table = decode(path.read_bytes())
        if _same_margins(table.game, game):
            return PoolTable(game, table.layers)
    from digit_duel.solve.placing.pooled import fits, solve  # and with it NumPy

    if most_cells is not None and fits(game).cells > most_cells:
        raise TooBig(f"this game is too big to solve: its table has more than {most_cells:,} cells.")
    table = solve(game)
    cache(path, lambda: encode(table, preset=1))
    return table


@lru_cache(maxsize=1)
def _shipped() -> tuple[PoolTable, ...]:
    return tuple(decode(data) for data in shipped_files(".ddpt"))


def _same_margins(one: Placement, other: Placement) -> bool:
    """Whether two games differ at most in tie and bonus, which do not affect the margins."""
    return (one.places, one.pool, one.goal, one.reach) == (other.places, other.pool, other.goal, other.reach)
