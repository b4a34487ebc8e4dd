"""A plain memoised minimax over the rules alone, for games in which the seats choose in turn.

What comes after a secret choice is not plain: there the solver is asked, which has tests of its own.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from digit_duel.core.game import Seat
from digit_duel.solve.families import oracle

Worth = tuple[int, int, int]  # for the first seat: score, haste and margin, better the higher


@lru_cache(maxsize=4)
def plain(game: Any, root: Any = None) -> dict[Any, Worth]:
    """The worth of every state from a root on."""
    values: dict[Any, Worth] = {}

    def worth(state: Any) -> Worth:
        if state not in values:
            if outcome := game.outcome(state):
                values[state] = (outcome.score(Seat.FIRST), 0, game.margin(state))
            elif len(acting := game.acting(state)) == 2:
                found = oracle(game).value(state)
                values[state] = (int(found.score), found.haste, found.margin)
            else:
                best = max if acting[0] is Seat.FIRST else min
                after = (worth(game.play(state, move)) for move in game.legal(state, acting[0]))
                values[state] = best(earlier(value) for value in after)
        return values[state]

    worth(game.start() if root is None else root)
    return values


def earlier(worth: Worth) -> Worth:
    """The same end, a move before."""
    score, haste, margin = worth
    return score, haste - score, margin


def seen_by(seat: Seat, worth: Worth) -> Worth:
    """The worth from a seat's side."""
    score, haste, margin = worth
    return worth if seat is Seat.FIRST else (-score, -haste, -margin)
