"""Which solver answers for which game: the one place here that tells families of games apart."""

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

BRISK = Effort(states=100_000)  # what a player waits for when a game begins: some ten seconds, once


AnySolver: TypeAlias = Solver[Any, Any, Any]


@lru_cache(maxsize=32)
def solver(game: AnyGame) -> AnySolver:
    """The solver of a game; it keeps what it has found."""
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
    if hides(game):
        return Solver(game)
    from digit_duel.solve.general.solver import GeneralSolver

    return GeneralSolver(game)


def oracle(game: Game[S, M, V], effort: Effort = PATIENT, progress: Progress | None = None) -> Oracle[S]:
    """The exact values of a game's states, or TooBig, or Unsolved."""
    return solver(game).oracle(effort, progress)


@lru_cache(maxsize=32)
def quick_oracle(game: AnyGame) -> Oracle[Any] | None:
    """The oracle of a game; None where hands are hidden, or nobody would wait for it."""
    try:
        return oracle(game, BRISK)
    except Unsolved:
        return None


def hides(game: AnyGame) -> bool:
    """Whether a game hides anything for longer than one choice made at once."""
    return not public(game.view, game.start())
