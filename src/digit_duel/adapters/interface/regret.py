"""The exact regret of each legal move, for the games and states that are solved."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache

from digit_duel.core.game import Game, S, Seat, V
from digit_duel.core.variant import AnyGame
from digit_duel.solve.effort import Effort
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.families import quick_oracle, solver, views_differ
from digit_duel.solve.research.regret import regrets
from digit_duel.solve.value import Score

Regrets = dict[Hashable, Score | float]  # by move
RegretFunction = Callable[[Hashable, Seat], Regrets | None]  # of a state and a seat that may move

EXACTLY = Effort(exact=True)


@lru_cache(maxsize=64)
def regret_function(game: AnyGame) -> RegretFunction:
    """A function that returns the regrets of a game's moves, or None where they are unknown."""
    if views_differ(game):
        return lambda state, seat: _view_regrets(game, state, seat)
    if quick_oracle(game) is None:
        return lambda state, seat: None
    return lambda state, seat: _open_regrets(game, state, seat)


def _view_regrets(game: Game[S, Hashable, V], state: S, seat: Seat) -> Regrets | None:
    """The expected score that each move gives away; in cards, the expected score of the round."""
    try:
        found = solver(game).evaluate(game.view(state, seat), seat, EXACTLY)
    except Unsolved:
        return None
    return {move.move: move.regret for move in found.moves}


def _open_regrets(game: Game[S, Hashable, S], state: S, seat: Seat) -> Regrets | None:
    if len(game.acting(state)) == 2:
        return {**regrets(game, state, seat)}  # against the perfect opponent's best mixture
    if game.view(state, seat) != state:
        return None  # the other seat has chosen already, and the best reply would reveal its choice
    return _view_regrets(game, state, seat)
