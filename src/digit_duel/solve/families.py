"""The solver for each family of games; no other module of the solvers distinguishes families."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeAlias

from digit_duel.core.game import Game, M, S, V, public
from digit_duel.core.swap import SwapGame
from digit_duel.core.variant import AnyGame
from digit_duel.games._battle import Battle
from digit_duel.games._cards import Cards
from digit_duel.games._placement import Placement
from digit_duel.solve.effort import PATIENT, Effort, Progress
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.oracle import Oracle
from digit_duel.solve.solver import Solver

BRISK = Effort(states=100_000)  # acceptable when a game begins: about ten seconds, once


AnySolver: TypeAlias = Solver[Any, Any, Any]


@lru_cache(maxsize=32)
def solver(game: AnyGame) -> AnySolver:
    """The solver of a game; it caches its results."""
    match game:
        case SwapGame():
            from digit_duel.solve.swapping import SwapSolver

            return SwapSolver(game, solver(game.game))
        case Placement():
            from digit_duel.solve.placing.solver import PlacingSolver

            return PlacingSolver(game)
        case Cards():
            from digit_duel.solve.cards.solver import CardsSolver

            return CardsSolver(game)
        case Battle():
            from digit_duel.solve.battle.solver import BattleSolver

            return BattleSolver(game)
    if views_differ(game):
        return Solver(game)
    from digit_duel.solve.general.solver import GeneralSolver

    return GeneralSolver(game)


def oracle(game: Game[S, M, V], effort: Effort = PATIENT, progress: Progress | None = None) -> Oracle[S]:
    """The exact values of a game's states; raises TooBig or Unsolved."""
    return solver(game).oracle(effort, progress)


@lru_cache(maxsize=32)
def quick_oracle(game: AnyGame) -> Oracle[Any] | None:
    """The oracle of a game; None if hands are hidden or solving it would take too long."""
    try:
        return oracle(game, BRISK)
    except Unsolved:
        return None


def views_differ(game: AnyGame) -> bool:
    """Whether what a seat sees is not the state itself, so that solvers for open games do not apply."""
    return not public(game.view, game.start())
