"""Queries of a solved game: the value of a state, of each move, and the best line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.solve.value import Score, Value

Asked = TypeVar("Asked", contravariant=True)


class Oracle(Protocol[Asked]):
    """Knows the exact value of every state of one game."""

    def value(self, state: Asked) -> Value:
        """The value of a state for the first seat under best play."""


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class ValuedMove(Generic[M]):
    """A legal move and its value for the mover."""

    move: M
    value: Value
    score: Score
    margin: int
    best: bool  # no other move leads to a better value
    keeps: bool  # the result is the best possible, though perhaps not the speed or the margin


def options(game: Game[S, M, V], oracle: Oracle[S], state: S, seat: Seat) -> list[ValuedMove[M]]:
    """Every legal move of a seat, best first, equals in the order of the rules.

    If both seats choose at once, the value of a choice is its worst case over the replies.
    """
    at_once = len(game.acting(state)) == 2
    value_of = _secured if at_once else _reached
    valued = [(move, value_of(game, oracle, state, seat, move)) for move in game.legal(state, seat)]
    sign = 1 if seat is Seat.FIRST else -1
    best = (max if seat is Seat.FIRST else min)(value for _, value in valued)
    found = [
        ValuedMove(
            move,
            value,
            value.score_for(seat),
            0 if at_once else value.margin_for(seat),
            value == best,
            value.score == best.score,
        )
        for move, value in valued
    ]
    return sorted(found, key=lambda option: tuple(-sign * part for part in option.value))


def _reached(game: Game[S, M, V], oracle: Oracle[S], state: S, seat: Seat, move: M) -> Value:
    return oracle.value(game.play(state, move)).a_move_earlier()


def _secured(game: Game[S, M, V], oracle: Oracle[S], state: S, seat: Seat, move: M) -> Value:
    after = game.play(state, move)
    replies = [oracle.value(game.play(after, reply)) for reply in game.legal(after, seat.other)]
    return min(replies) if seat is Seat.FIRST else max(replies)


def secret_values(game: Game[S, M, V], oracle: Oracle[S], state: S) -> list[list[Value]]:
    """The values after two simultaneous choices: a row for each choice of the first seat."""
    firsts, seconds = (game.legal(state, seat) for seat in Seat)
    return [
        [oracle.value(game.play(game.play(state, first), second)) for second in seconds] for first in firsts
    ]


def line(game: Game[S, M, V], oracle: Oracle[S], state: S) -> list[M]:
    """The line of best play from a state, up to the end, a chance move or a simultaneous choice."""
    moves: list[M] = []
    while len(acting := game.acting(state)) == 1 and not game.chance(state):
        moves.append(options(game, oracle, state, acting[0])[0].move)
        state = game.play(state, moves[-1])
    return moves
