"""Evaluation of a decision: every move of one seat with its value, from what that seat knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic

from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.solve.oracle import Oracle, options
from digit_duel.solve.value import Score


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class MoveValue(Generic[M]):
    """A legal move and its value for the mover."""

    move: M
    text: str  # in notation
    value: Score | float  # the expected result, from -1 to 1
    regret: Score | float  # how much better the result of the best move is
    margin: int | None  # None if the game has none
    best: bool  # by result, then speed, then margin
    keeps: bool  # the result is the best possible
    more: Mapping[str, float] = field(default_factory=dict)  # odds of other kinds, by name


@dataclass(frozen=True)
class Evaluation(Generic[M]):
    """The values of a decision, for the seat that has to make it."""

    seat: Seat | None = None  # None while no seat decides; values are then the first seat's
    value: Score | float | None = None  # from -1 to 1; None if unknown
    moves: tuple[MoveValue[M], ...] = ()  # best first
    chances: bool = False  # chance or hidden information decides, so values are better shown as probabilities
    certainty: str = ""  # how odds were found and how certain they are, in words

    @property
    def has_margins(self) -> bool:
        """Whether any move leads to a margin."""
        return any(move.margin for move in self.moves)

    def of(self, move: M) -> MoveValue[M]:
        """One of the moves."""
        return next(found for found in self.moves if found.move == move)


def open_evaluation(game: Game[S, M, V], oracle: Oracle[S], state: S, seat: Seat) -> Evaluation[M]:
    """Evaluate a decision in a game that is solved state by state."""
    found = options(game, oracle, state, seat)
    at_once = len(game.acting(state)) == 2
    value = oracle.value(state).score_for(seat) if at_once else found[0].score
    moves = tuple(
        MoveValue(
            option.move,
            game.text(option.move),
            option.score,
            found[0].score - option.score,
            None if at_once else option.margin,
            option.best,
            option.keeps,
        )
        for option in found
    )
    return Evaluation(seat, value, moves, not {value, *(move.value for move in moves)} <= {1, 0, -1})
