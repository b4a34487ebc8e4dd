"""Scripts: a game's words and its picture, as pure functions of what a seat knows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeAlias

from digit_duel.core.game import Game, M, Outcome, Pair, S, Seat, V

Names = Pair[str]


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Step(Generic[S, M]):
    """One move, by a seat or by nature (None), with the states around it."""

    seat: Seat | None
    move: M
    before: S
    after: S


AnyStep: TypeAlias = Step[Any, Any]  # a step of a game from the catalogue


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Question(Generic[M]):
    """One prompt on the way to a move; every move has the answers that choose it."""

    prompt: Callable[[M], str]  # of any move that fits the answers so far, so that it can quote them
    # In lower case, the proper one first; "" is Enter alone. Empty: this question cannot choose the move.
    answers: Callable[[M], tuple[str, ...]]
    secret: bool = False  # not echoed
    label: Callable[[M], str] | None = None  # the word to show for an answer; by default the longest one


@dataclass(frozen=True, slots=True)
class Cell:
    """One place: empty, a digit, or a digit face down."""

    digit: int | None = None
    hidden: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class Meter:
    """A number with a maximum, such as life points or rounds won."""

    label: str
    value: int
    most: int


@dataclass(frozen=True, slots=True)
class Row:
    """What one seat has in front of it."""

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
class Count:
    """What one seat knows of the copies of a digit: how many are discarded, and how many unseen."""

    digit: int
    discarded: int
    unseen: int  # in the deck, or face down in a hand
    most: int


@dataclass(frozen=True, slots=True)
class Scene:
    """What one seat sees, as data that any screen can draw."""

    rows: Pair[Row]
    heading: str = ""
    pool: tuple[Stock, ...] = ()
    drawn: Cell | None = None
    facts: tuple[str, ...] = ()
    counts: tuple[Count, ...] = ()  # for players who ask; only in games with a deck
    decided: int | None = None  # the cell, from the left, that decided between two finished numbers
    goal: str = ""  # what wins, in a few words
    leads: Seat | None = None  # who is ahead, by what both seats see
    lead: str = "ahead so far"  # in what, or how surely: "lower so far", "sure to win"
    caption: str = ""  # what the open digits of the cells are, if they no longer count: "last reveal"


def united(one: Scene, other: Scene) -> Scene:
    """What the two seats see together: a finished game with both hands open."""
    rows = tuple(
        replace(
            a,
            cells=tuple(
                b_cell if a_cell.hidden else a_cell for a_cell, b_cell in zip(a.cells, b.cells, strict=True)
            ),
        )
        for a, b in zip(one.rows, other.rows, strict=True)
    )
    drawn = other.drawn if one.drawn is not None and one.drawn.hidden else one.drawn
    return replace(one, rows=(rows[0], rows[1]), drawn=drawn, counts=())


@dataclass(frozen=True, slots=True)
class Spot:
    """Where on the scene people click to make a move: a digit of the pool, a row, or a cell of the row."""

    digit: int | None = None
    row: Seat | None = None
    cell: int | None = None
    # On the first meter: gained by the mover or, below zero, lost by the other; of a step: by the row.
    points: int | None = None


def first_difference(one: Sequence[int | None], other: Sequence[int | None]) -> int | None:
    """The first place in which two numbers differ."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b), None)


class Script(ABC, Generic[S, M, V]):
    """Words and picture of one game, without input or output.

    Texts are blocks of lines. A front end prints an empty line between blocks, but prints
    a narration right below the answer that caused it.
    """

    game: Game[S, M, V]

    @abstractmethod
    def scene(self, view: V) -> Scene:
        """The picture of a view."""

    @abstractmethod
    def opening(self, view: V, names: Names) -> str:
        """The text before the first turn."""

    @abstractmethod
    def headline(self, view: V, seat: Seat, names: Names) -> str:
        """Whose turn it is, in one line, for front ends that draw the scene."""

    @abstractmethod
    def turn(self, view: V, seat: Seat, names: Names) -> str:
        """The text before a seat's questions, for front ends that do not draw the scene."""

    @abstractmethod
    def questions(self, view: V, seat: Seat) -> Sequence[Question[M]]:
        """The prompts that lead the seat to one move."""

    def caption(self, answer: str, other: str) -> str:
        """The caption of a button for an answer, where there is room; other is the other player's name."""
        return answer

    def spot(self, view: V, move: M) -> Spot | None:
        """Where people click to make the move; None if they choose it by words."""
        return None

    @abstractmethod
    def narrate(self, step: Step[S, M], to: Seat | None, names: Names) -> str:
        """What one seat is told of a step; None is a screen that both see, which addresses the mover."""

    def lands(self, step: Step[S, M]) -> Spot | None:
        """Where a player's step shows on the scene: a row, or a cell in it; None if nowhere.

        Both seats are shown it, so it must follow from what both of them see.
        """
        return None

    def round_result(self, step: Step[S, M], names: Names) -> str:
        """The result of the round that a step ended, for both players; empty if it ended none.

        Screens show it with the scene after the step, until somebody continues.
        """
        return ""

    def brief(self, step: Step[S, M], to: Seat | None, names: Names) -> str:
        """What one seat is told of a step in a sentence or two, for status lines; None is a spectator."""
        return "" if step.seat is None else f"{names[step.seat]} has moved."

    def verdict(self, state: S, outcome: Outcome, to: Seat | None, names: Names) -> str:
        """Say why the game ended so, to somebody who is told who won; None is a spectator."""
        return self.closing(state, outcome, names).split("\n\n")[-1]

    @abstractmethod
    def closing(self, state: S, outcome: Outcome, names: Names) -> str:
        """The text after the last move."""
