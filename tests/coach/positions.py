"""Positions to ask about: reached by players of all kinds, and constructed sudden deaths."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from digit_duel import games
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant
from digit_duel.games._battle import Battle, Fight

NAMES = ("Ann", "Ben")


def variant(id: str, **options: str) -> AnyVariant:
    return games.variant(id).customised(options)


def sampled(table: AnyVariant, count: int, seed: str) -> Iterator[tuple[Any, Seat]]:
    """So many states in which one seat is asked, with that seat."""
    rng, found = Random(seed), 0
    while found < count:
        sudden = isinstance(table.game, Battle) and found % 25 == 24
        state = _sudden(table.game_as(Battle), rng) if sudden else _played(table, rng)
        if state is not None:
            found += 1
            yield state, rng.choice(table.game.acting(state))


def _played(table: AnyVariant, rng: Random) -> Any:
    """A state after some moves of a careless and a sensible player; None if the game was over before."""
    game, state = table.game, table.game.start()
    care = rng.choice((0.0, 0.5, 0.9))
    for _ in range(rng.randrange(table.game.bound or rng.choice((9, 40)))):
        state = step(table, state, rng, care)
        if game.outcome(state):
            return None
    while draws := game.chance(state):
        state = game.play(state, rng.choices([draw for draw, _ in draws], [weight for _, weight in draws])[0])
    return None if game.outcome(state) else state


def step(table: AnyVariant, state: Any, rng: Random, care: float) -> Any:
    """One move by nature or by a player."""
    game = table.game
    if game.outcome(state):
        return state
    if draws := game.chance(state):
        return game.play(state, rng.choices([draw for draw, _ in draws], [weight for _, weight in draws])[0])
    seat = rng.choice(game.acting(state))
    legal = list(game.legal(state, seat))
    if rng.random() < care:
        view = game.view(state, seat)
        liked = [table.tips(game, view, seat, move) for move in legal]
        legal = [move for move, liking in zip(legal, liked, strict=True) if liking == max(liked)]
    return game.play(state, rng.choice(legal))


def _sudden(game: Battle, rng: Random) -> Fight:
    """A sudden death, which few games reach by themselves."""
    life, limit = rng.randint(1, game.max_life), game.standoff_limit
    if rng.random() < 0.5:
        return Fight(
            (life, life), (), rng.choice(tuple(Seat)), standoffs=0 if limit is None else rng.randrange(limit)
        )
    return Fight((life, rng.randint(1, game.max_life)), (), Seat.FIRST, last=(1, 2))
