"""The value of a state: plain minimax, and the solver where that would take too long."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from digit_duel.core.game import Seat
from digit_duel.core.swap import Stage, SwapGame
from digit_duel.games._battle import Battle
from digit_duel.games._placement import Placement
from digit_duel.solve.families import oracle

_FEW_EMPTY = 2  # empty places of a large game up to which the whole rest is played out here


class Doubt(AssertionError):
    """A claim that the second opinion does not share."""


def reached(game: Any, state: Any, path: Sequence[Any]) -> Any:
    for move in path:
        if not any(move in game.legal(state, seat) for seat in game.acting(state)):
            raise Doubt(f"{move} cannot be played")
        state = game.play(state, move)
    return state


def value(game: Any, state: Any) -> tuple[Any, int, int]:
    """Score, haste and margin for the first seat."""
    if isinstance(game, Placement):
        empty = sum(board.count(None) for board in state.boards)
        if empty > (_FEW_EMPTY if len(game.pool) > 9 else 4):
            return oracle(game).value(state)
    return _minimax(game, state)


@lru_cache(maxsize=300_000)
def _minimax(game: Any, state: Any) -> tuple[Any, int, int]:
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome.score(Seat.FIRST), 0, game.margin(state)
    if isinstance(game, SwapGame) and state.stage is Stage.NEVER:
        sign = -1 if state.swapped else 1  # a margin and a haste change sides with the score
        one, late, apart = value(game.game, state.state)
        return sign * one, sign * late, sign * apart
    if isinstance(game, Battle) and game.sudden_death(state):
        if game.standoff_limit is None or game.standoff == "draw":
            return 0, 0, 0  # B3: nobody can force a win
        # The second seat shows the highest every time. The first gives a point just before each stand-off.
        return -1, 2 * (game.standoff_limit * state.life[0] - state.standoffs), 0
    mover = game.acting(state)[0]
    found = [_minimax(game, game.play(state, move)) for move in game.legal(state, mover)]
    score, haste, margin = max(found) if mover is Seat.FIRST else min(found)
    return score, haste - score if score in (1, -1) else haste, margin


def score(game: Any, state: Any, seat: Seat) -> Any:
    found = value(game, state)[0]
    return found if seat is Seat.FIRST else -found


def scores(game: Any, state: Any) -> dict[Any, Any]:
    """Each move of the one seat that acts, with its score for it."""
    (mover,) = game.acting(state)
    return {move: score(game, game.play(state, move), mover) for move in game.legal(state, mover)}


def values(game: Any, state: Any) -> dict[Any, tuple[Any, int, int]]:
    """Each move with score, haste and margin as its mover likes them."""
    (mover,) = game.acting(state)
    sign = 1 if mover is Seat.FIRST else -1
    found = {}
    for move in game.legal(state, mover):
        one, haste, margin = value(game, game.play(state, move))
        found[move] = (sign * one, sign * haste, sign * margin)
    return found
