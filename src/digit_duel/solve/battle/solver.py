"""The solver of battle: a table up to sudden death, and a formula from there on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from digit_duel.core.game import Seat
from digit_duel.games._battle import Battle, BattleMove, Fight
from digit_duel.solve.battle import reachable, table
from digit_duel.solve.battle.sudden_death import sudden_value
from digit_duel.solve.effort import Effort, Progress
from digit_duel.solve.report import Report, open_report
from digit_duel.solve.solver import OpenSolver
from digit_duel.solve.value import Value


@dataclass(frozen=True)
class BattleOracle:
    """The value of every state of a battle."""

    game: Battle
    table: table.BattleTable

    def value(self, state: Fight) -> Value:
        """The value of a state for the first seat under best play."""
        if outcome := self.game.outcome(state):
            return Value(outcome.score(Seat.FIRST), 0, self.game.margin(state))
        if self.game.sudden_death(state):
            return sudden_value(self.game, state.life[0], state.standoffs)
        return self.table.value(state)


class BattleSolver(OpenSolver[Fight, BattleMove]):
    """Solves battles with any options."""

    game: Battle

    def before_choices(self, view: Fight) -> Fight:
        # Both choose at once (B3), so a choice that was already made must not change the question.
        return replace(view, picks=(None, None))

    def find_oracle(self, effort: Effort, progress: Progress | None) -> BattleOracle:
        return BattleOracle(self.game, table.solve(self.game, progress, effort.most_cells))

    def report(self, progress: Progress) -> Report:
        solved = BattleOracle(self.game, table.solve(self.game, progress))
        return open_report(self.game, solved, reachable.states(self.game))
