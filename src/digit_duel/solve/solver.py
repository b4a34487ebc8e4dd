"""The interface of a solver, implemented for each family of games."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic

from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.solve.effort import PATIENT, Effort, Progress
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.evaluation import Evaluation, open_evaluation
from digit_duel.solve.oracle import Oracle
from digit_duel.solve.report import Report

_NO_SOLVER = "no solver knows this game of hidden hands; digit_duel.solve.equilibrium solves small ones."


class Solver(Generic[S, M, V]):
    """The solver of one game; this base class stands for games with hidden hands that cannot be solved."""

    is_finite = True  # every play ends, so the tree can be searched for an equilibrium
    least_moves = 0  # a lower bound on the moves in all reachable states together, known without solving

    def __init__(self, game: Game[S, M, V]) -> None:
        self.game = game

    def before_choices(self, view: V) -> V:
        """The view before any pending simultaneous choice was made."""
        return view

    def oracle(self, effort: Effort = PATIENT, progress: Progress | None = None) -> Oracle[S]:
        """The exact values of all states; raises TooBig beyond the effort, Unsolved if hands are hidden."""
        raise Unsolved("this game has hidden hands: ask for one seat's odds instead.")

    def evaluate(self, view: V, seat: Seat, effort: Effort = PATIENT) -> Evaluation[M]:
        """The value of each move of a seat, from what it sees; raises TooBig or Unsolved."""
        raise Unsolved(_NO_SOLVER)

    def report(self, progress: Progress) -> Report:
        """Solve the whole game and report the result; raises TooBig or Unsolved."""
        raise Unsolved(_NO_SOLVER)


class OpenSolver(Solver[S, M, S]):
    """The solver of a game without hidden information, simultaneous choices excepted."""

    def __init__(self, game: Game[S, M, S]) -> None:
        super().__init__(game)
        self._oracle: Oracle[S] | None = None

    @abstractmethod
    def find_oracle(self, effort: Effort, progress: Progress | None) -> Oracle[S]:
        """Load or compute the exact values of all states; raises TooBig or Unsolved."""

    def oracle(self, effort: Effort = PATIENT, progress: Progress | None = None) -> Oracle[S]:
        if self._oracle is None:
            self._oracle = self.find_oracle(effort, progress)
        return self._oracle

    def evaluate(self, view: S, seat: Seat, effort: Effort = PATIENT) -> Evaluation[M]:
        return open_evaluation(self.game, self.oracle(effort), self.before_choices(view), seat)
