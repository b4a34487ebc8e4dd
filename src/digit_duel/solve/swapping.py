"""The solver of a game with the pie rule, built on the solver of the underlying game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Generic

from digit_duel.core.game import M, S, Seat
from digit_duel.core.swap import Seated, Stage, SwapChoice, SwapGame
from digit_duel.solve.effort import Effort, Progress
from digit_duel.solve.oracle import Oracle
from digit_duel.solve.report import Report, open_report
from digit_duel.solve.solver import OpenSolver, Solver
from digit_duel.solve.value import Score, Value


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class SwapOracle(Generic[S, M]):
    """The values of the underlying game, translated from sides to seats."""

    game: SwapGame[S, M]
    inner: Oracle[S]

    def value(self, state: Seated[S]) -> Value:
        """The value of a state for the first seat under best play."""
        if state.stage is Stage.NEVER or self.game.outcome(state):
            found = self.inner.value(state.state)
            return Value(-found.score, -found.haste, -found.margin) if state.swapped else found
        if draws := self.game.chance(state):
            total = sum(weight for _, weight in draws)
            shares = [
                self.value(self.game.play(state, draw)).score * Fraction(weight, total)
                for draw, weight in draws
            ]
            expected: Score = sum(shares, Fraction(0))
            return Value(expected)
        acting = self.game.acting(state)
        if len(acting) == 2:  # there is no offer after simultaneous choices
            return self.inner.value(state.state)
        after = [self.value(self.game.play(state, move)) for move in self.game.legal(state, acting[0])]
        return (max if acting[0] is Seat.FIRST else min)(after).a_move_earlier()


class SwapSolver(OpenSolver[Seated[S], M | SwapChoice]):
    """Solves the game if the solver of the underlying game can."""

    game: SwapGame[S, M]

    def __init__(self, game: SwapGame[S, M], inner: Solver[S, M, S]) -> None:
        super().__init__(game)
        self._inner = inner
        self.least_moves = inner.least_moves  # without an offer the game goes on as the inner one

    def before_choices(self, view: Seated[S]) -> Seated[S]:
        return replace(view, state=self._inner.before_choices(view.state))

    def find_oracle(self, effort: Effort, progress: Progress | None) -> SwapOracle[S, M]:
        return SwapOracle(self.game, self._inner.oracle(effort, progress))

    def report(self, progress: Progress) -> Report:
        inside = self._inner.report(progress)
        return open_report(self.game, self.find_oracle(Effort(), progress), inside.states)
