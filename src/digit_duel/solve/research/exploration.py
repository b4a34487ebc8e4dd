"""Exploring a game: the states that follow one another, and every view that a policy may be asked about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.solve.errors import TooBig

LIMIT = 2_000_000  # moves tried: half a minute


def nexts(game: Game[S, M, V], state: S) -> list[S]:
    """The states that may follow; two choices made at once are one step."""
    if draws := game.chance(state):
        return [game.play(state, draw) for draw, _ in draws]
    acting = game.acting(state)
    if len(acting) < 2:
        return [game.play(state, move) for seat in acting for move in game.legal(state, seat)]
    firsts, seconds = (game.legal(state, seat) for seat in Seat)
    return [game.play(game.play(state, first), second) for first in firsts for second in seconds]


def questions(game: Game[S, M, V], limit: int = LIMIT) -> Iterator[tuple[V, Sequence[M]]]:
    """Everything that a policy of both seats may be asked, a view and its legal moves each, or TooBig."""
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
                raise TooBig("this game is too big for a table: it has more states than the limit allows.")
            if after not in found:
                found.add(after)
                waiting.append(after)
