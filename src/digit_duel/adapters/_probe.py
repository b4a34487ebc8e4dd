"""What the rules do not say about themselves, found out by playing a few games."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from digit_duel.core.game import Seat
from digit_duel.core.laws import playout
from digit_duel.core.session import public
from digit_duel.core.variant import AnyGame

MOVES = 2_000  # of games at random, always the same ones; some 50 ms


@dataclass(frozen=True)
class Acquaintance:
    """What was met in a game's first random games."""

    views: tuple[Any, ...]  # of both seats, each once
    at_once: bool  # two seats chose without seeing each other's choice
    hidden: bool  # something was hidden for longer than that


@lru_cache(maxsize=64)
def acquaintance(game: AnyGame) -> Acquaintance:
    """Get to know a game by playing it."""
    rng, moves = Random(0), 0
    at_once, hidden = False, not public(game.view, game.start())
    views = dict.fromkeys(game.view(game.start(), seat) for seat in Seat)
    while moves < MOVES:
        steps = playout(game, rng)
        moves += len(steps)
        for step in steps:
            both = len(game.acting(step.before)) == 2
            at_once |= both
            hidden |= not both and not public(game.view, step.after)
            views.update(dict.fromkeys(game.view(step.after, seat) for seat in Seat))
    return Acquaintance(tuple(views), at_once, hidden)
