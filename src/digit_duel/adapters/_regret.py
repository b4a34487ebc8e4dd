"""What each legal move loses against best play, exactly, where somebody knows."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyGame
from digit_duel.games._cards import Cards, Visibility
from digit_duel.games._cards_table import Give, Keep
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.hands import odds, round_of, shipped
from digit_duel.solve.knowledge import knowledge
from digit_duel.solve.oracle import Oracle, options
from digit_duel.solve.research.regret import regrets
from digit_duel.solve.value import Score

Losses = dict[Any, Score | float]  # by move
Judge = Callable[[Any, Seat], Losses | None]  # asked with a state and a seat that may move


@lru_cache(maxsize=64)
def judge(game: AnyGame) -> Judge:
    """Who tells the losses of a game's moves; one who always says None where nobody knows."""
    if isinstance(game, Cards):
        return lambda state, seat: _of_hands(game, state, seat)
    oracle = knowledge(game)
    if oracle is None:
        return lambda state, seat: None
    return lambda state, seat: _of_states(game, oracle, state, seat)


def _of_states(game: AnyGame, oracle: Oracle[Any], state: Any, seat: Seat) -> Losses | None:
    """The expected score that each move gives away."""
    if len(game.acting(state)) == 2:
        return {**regrets(game, state, seat)}  # against the worst of the mixtures that a perfect opponent has
    if game.view(state, seat) != state:
        return None  # the other has chosen already, and what is best now must not be told
    found = options(game, oracle, state, seat)
    best = found[0].score
    return {option.move: best - option.score for option in found}


def _of_hands(game: Cards, state: Any, seat: Seat) -> Losses | None:
    """What keeping and giving lose of the round's score, by the shipped solutions alone."""
    sight = game.view(state, seat)
    if sight.drawn is None or game.visibility is Visibility.OPEN or game.facing_full.most not in (None, 0):
        return None
    try:
        if shipped(round_of(game, sight)) is None:
            return None
    except Unsolved:
        return None
    found = odds(game, sight)
    losses: Losses = {Keep(): 2 * (found.best - found.keep)}  # a round won scores 1, a lost one -1
    return losses if found.give is None else {**losses, Give(): 2 * (found.best - found.give)}
