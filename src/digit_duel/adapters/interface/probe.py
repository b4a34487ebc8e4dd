"""Facts about a game that its rules do not declare, found by playing random games."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from digit_duel.core.game import Seat, public
from digit_duel.core.laws import playout
from digit_duel.core.variant import AnyGame

MOVES = 2_000  # at least, in random games with a fixed seed; takes about 50 ms


@dataclass(frozen=True)
class Probe:
    """What was observed in the random games."""

    views: tuple[Hashable, ...]  # the distinct views of both seats
    simultaneous: bool  # in some state both seats acted
    hidden: bool  # in some state where at most one seat acted, a seat did not see the whole state


@lru_cache(maxsize=64)
def probe(game: AnyGame) -> Probe:
    """Play random games and record what happens."""
    rng, moves = Random(0), 0
    simultaneous, hidden = False, not public(game.view, game.start())
    views = dict.fromkeys(game.view(game.start(), seat) for seat in Seat)
    while moves < MOVES:
        steps = playout(game, rng)
        moves += len(steps)
        for step in steps:
            both = len(game.acting(step.before)) == 2
            simultaneous |= both
            hidden |= not both and not public(game.view, step.after)
            views.update(dict.fromkeys(game.view(step.after, seat) for seat in Seat))
    return Probe(tuple(views), simultaneous, hidden)
