"""The voice of a game: its words and its picture, as pure functions of what a seat knows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic

from digit_duel.core.game import Game, M, Outcome, Pair, S, Seat, V

Names = Pair[str]


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Step(Generic[S, M]):
    """One move, by a seat or by nature (None), with the states around it."""

    seat: Seat | None
    move: M
    before: S
    after: S


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Question(Generic[M]):
    """One prompt on the way to a move: it sorts the moves still possible by what people answer."""

    prompt: Callable[[M], str]  # asked with any move still possible, so it can quote earlier answers
    # Lower case; the first is the proper one, "" is just Enter; none for moves that are made elsewhere.
    answers: Callable[[M], tuple[str, ...]]
    secret: bool = False  # typed unseen


@dataclass(frozen=True, slots=True)
class Cell:
    """One place on the table: empty, a digit, or a digit that is face down."""

    digit: int | None = None
    hidden: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class Meter:
    """A number with a ceiling, such as life points or rounds won."""

    label: str
    value: int
    most: int


@dataclass(frozen=True, slots=True)
class Row:
    """What lies in front of one seat."""

    cells: tuple[Cell, ...] = ()
    meters: tuple[Meter, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Stock:
    """How many copies of a digit are left in the pool, of how many."""

    digit: int
    left: int
    most: int


@dataclass(frozen=True, slots=True)
class Scene:
    """The table as one seat sees it: enough for any screen, or a tensor."""

    rows: Pair[Row]
    heading: str = ""
    pool: tuple[Stock, ...] = ()
    drawn: Cell | None = None
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Spot:
    """Where on the scene a move is made, for those who point: a digit of the pool, a cell in a row."""

    digit: int | None = None
    row: Seat | None = None
    cell: int | None = None


class Script(ABC, Generic[S, M, V]):
    """Words and picture of one game; pure, and without input or output.

    Texts are blocks of lines. A front end puts an empty line between blocks, but prints
    a narration right below the answer that caused it.
    """

    game: Game[S, M, V]

    @abstractmethod
    def scene(self, view: V) -> Scene:
        """The picture of a view."""

    @abstractmethod
    def opening(self, view: V, names: Names) -> str:
        """What is said before the first turn."""

    @abstractmethod
    def headline(self, view: V, seat: Seat, names: Names) -> str:
        """Whose turn it is, in one line, for screens that show the scene."""

    @abstractmethod
    def turn(self, view: V, seat: Seat, names: Names) -> str:
        """What a seat is told before its questions, for readers without a picture."""

    @abstractmethod
    def questions(self, view: V, seat: Seat) -> Sequence[Question[M]]:
        """The prompts that lead the seat to one move."""

    def spot(self, move: M) -> Spot | None:
        """Where a person points to make the move; None if only words can say it."""
        return None

    @abstractmethod
    def narrate(self, step: Step[S, M], to: Seat | None, names: Names) -> str:
        """The news of a step as one seat learns it; None is a table that both see, told to the mover."""

    def brief(self, step: Step[S, M], to: Seat | None, names: Names) -> str:
        """The news of a step in a sentence or two, for status lines; None is a stranger who looks on."""
        return "" if step.seat is None else f"{names[step.seat]} has moved."

    @abstractmethod
    def closing(self, state: S, outcome: Outcome, names: Names) -> str:
        """The final word."""
