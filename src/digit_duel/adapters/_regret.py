"""What each legal move loses against best play, exactly, for the games and states that are solved."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import cast

from digit_duel.core.game import Game, S, Seat
from digit_duel.core.variant import AnyGame
from digit_duel.games._cards import Cards, Visibility
from digit_duel.games._cards_table import Give, Keep, Sight, Table
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.hands import odds, round_of, shipped
from digit_duel.solve.knowledge import knowledge
from digit_duel.solve.oracle import Oracle, options
from digit_duel.solve.research.regret import regrets
from digit_duel.solve.value import Score

Losses = dict[Hashable, Score | float]  # by move
LossFunction = Callable[[Hashable, Seat], Losses | None]  # of a state and a seat that may move


@lru_cache(maxsize=64)
def loss_function(game: AnyGame) -> LossFunction:
    """The function that tells the losses of a game's moves; it returns None where they are unknown."""
    if isinstance(game, Cards):
        return lambda state, seat: _of_hands(game, game.view(cast(Table, state), seat))
    oracle = knowledge(game)
    if oracle is None:
        return lambda state, seat: None
    return lambda state, seat: _of_states(game, oracle, state, seat)


def _of_states(game: Game[S, Hashable, S], oracle: Oracle[S], state: S, seat: Seat) -> Losses | None:
    """The expected score that each move gives away."""
    if len(game.acting(state)) == 2:
        return {**regrets(game, state, seat)}  # against the perfect opponent's best mixture
    if game.view(state, seat) != state:
        return None  # the other seat has chosen already, and the best reply would reveal its choice
    found = options(game, oracle, state, seat)
    best = found[0].score
    return {option.move: best - option.score for option in found}


def _of_hands(game: Cards, sight: Sight) -> Losses | None:
    """What keeping and giving lose of the round's score, from the shipped solutions only."""
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
