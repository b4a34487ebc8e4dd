"""Exploration of a game: successor states, and every view that a policy may be asked about."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from random import Random
from typing import TypeVar

from digit_duel.core.game import Game, M, S, Seat, V, public
from digit_duel.solve.errors import TooBig

LIMIT = 2_000_000  # moves tried, which takes about half a minute
DESCENTS = 200  # random descents of a tree, to estimate its size
SURELY = 10  # times the limit: a tree with a larger estimate is surely too big

K = TypeVar("K", bound=Hashable)


def nexts(game: Game[S, M, V], state: S) -> list[S]:
    """The successors of a state; two simultaneous choices are one step."""
    if draws := game.chance(state):
        return [game.play(state, draw) for draw, _ in draws]
    acting = game.acting(state)
    if len(acting) < 2:
        return [game.play(state, move) for seat in acting for move in game.legal(state, seat)]
    firsts, seconds = (game.legal(state, seat) for seat in Seat)
    return [game.play(game.play(state, first), second) for first in firsts for second in seconds]


def questions(game: Game[S, M, V], limit: int = LIMIT) -> Iterator[tuple[V, Sequence[M]]]:
    """Every view, with its legal moves, that a policy of both seats may be asked about; raises TooBig."""
    refuse_large(game, lambda state: nexts(game, state), limit)
    found, asked = {game.start()}, set()
    waiting = list(found)
    while waiting:
        state = waiting.pop()
        for seat in game.acting(state):
            view = game.view(state, seat)
            if (seat, view) not in asked:
                asked.add((seat, view))
                yield view, game.legal(state, seat)
        for after in nexts(game, state):
            limit -= 1
            if limit < 0:
                raise TooBig(
                    "this game is too big for a table: it has more states than the limit allows. "
                    "Take a smaller game or a higher limit."
                )
            if after not in found:
                found.add(after)
                waiting.append(after)


def estimated_size(start: K, nexts: Callable[[K], Sequence[K]], enough: int) -> float:
    """Estimate the size of a tree by random descents (Knuth 1975); stops when it is surely large enough."""
    rng, total = Random(0), 0.0
    for _ in range(DESCENTS):
        node, weight = start, 1.0
        while after := nexts(node):
            weight *= len(after)
            total += weight
            if total > enough * DESCENTS:
                return enough
            node = rng.choice(after)
    return total / DESCENTS


def refuse_large(game: Game[S, M, V], after: Callable[[S], Sequence[S]], limit: int) -> None:
    """Raise TooBig early if a game with hidden hands is far too large.

    With hidden hands states hardly ever recur, so the work is the number of histories; elsewhere it is less.
    """
    if public(game.view, game.start()):
        return
    if estimated_size(game.start(), after, SURELY * limit) >= SURELY * limit:
        raise TooBig(
            f"this game is too big: far more than {limit:,} moves would have to be tried. "
            "Take a smaller game from the size ladder, or a higher limit."
        )
