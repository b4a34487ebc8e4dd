"""The types of analysis answers: hints, reviews and analysed positions."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from digit_duel.core.game import Seat
from digit_duel.core.script import Scene
from digit_duel.web.views.view_types import QuestionView, ResultView, SpotsView


class HintOption(Struct):
    """One move and what it is worth to the mover."""

    move: str
    words: str
    score: str
    symbol: str
    text: str


class HintAnswer(Struct):
    """A good move with its reason, and what every move is worth."""

    move: str
    words: str
    reason: str
    options: list[HintOption]


class ReviewedMove(Struct):
    """One move of a finished game: the value is the first seat's, symbol and text are the mover's."""

    at: int
    number: str  # as in the record: 2, or 2a and 2b
    seat: Seat
    move: str
    words: str
    value: float | None
    symbol: str
    text: str
    verdict: str
    mistake: bool
    cost: float | None  # what it gave away: of the result or the chance, or else of the margin
    better: list[str]
    better_words: list[str]
    reason: str
    part: str  # of the game, such as "Round 2"; "" if it has no parts
    truth: str = ""  # how the move looks to somebody who sees both hands


class ReviewAnswer(Struct):
    """A finished game judged move by move."""

    unit: Literal["chance", "value"]
    start: float | None
    history: list[float]  # the first seat's value at the start and after each move, including draws
    moves: list[ReviewedMove]
    numbers: list[str]  # of every move; a draw takes the number of the move that follows
    movers: list[Seat | None]  # of every move; null for a draw
    turning: list[int]  # the moves that decided the game


class PositionOption(Struct):
    """One move and what it is worth to the mover."""

    move: str
    words: str
    value: float
    margin: int | None
    symbol: str
    text: str
    best: bool


class PositionAnswer(Struct):
    """A position: its scene, what every move is worth to the mover, and the best continuation."""

    scene: Scene
    number: str  # of the next move, as in the record
    to_move: Seat | None
    value: float | None
    symbol: str
    text: str
    options: list[PositionOption]
    line: list[str]
    reason: str
    secret: bool
    moves: list[str]
    questions: list[QuestionView]
    spots: SpotsView | None
    over: ResultView | None
