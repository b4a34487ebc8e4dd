"""What a table shows, as one snapshot that can be drawn for a window of any size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from digit_duel.cli.app.state.choice import Offer
from digit_duel.cli.app.state.effects import Effect
from digit_duel.core.game import Pair, Seat
from digit_duel.core.numbering import move_numbers
from digit_duel.core.script import AnyStep, Cell, Names, Scene, Spot


class Phase(StrEnum):
    """What the table waits for."""

    TURN = "turn"  # a person's move
    THINKING = "thinking"  # the computer's move
    WAITING = "waiting"  # somebody elsewhere
    HAND_OVER = "hand over"  # a person has moved, and covers the screen before the other looks
    COVER = "cover"  # the next person, until only they can see the screen
    REVEAL = "reveal"  # somebody to confirm that they have seen how a round ended
    OVER = "over"


@dataclass(frozen=True, slots=True)
class MoveLine:
    """One move in the list beside the table."""

    number: str
    seat: Seat | None
    text: str
    now: bool = False  # the last move made, where the list goes on
    mistake: bool = False


@dataclass(frozen=True, slots=True)
class Sign:
    """What a choice is worth, short enough for a tile: good, bad, or None for neither."""

    text: str
    good: bool | None


@dataclass(frozen=True, slots=True)
class Chart:
    """Who was ahead after each move: from 1 for the first seat to -1, and where the game turned."""

    values: tuple[float, ...]
    numbers: tuple[str, ...]  # of the move before each position; empty after a draw
    turned: frozenset[int]  # the positions after moves that gave something away
    at: int


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything that a table shows to whoever may look at it now."""

    title: str
    phase: Phase
    scene: Scene
    names: Names
    below: Seat  # whose row is the lower one
    turn: Seat | None = None
    alone: bool = False  # one person looks, whose row is the lower one
    clocks: Pair[str] = ("", "")  # beside the names before all else: the time left, or that somebody is away
    labels: Pair[str] = ("", "")  # beside the names, such as the level of a computer
    news: str = ""  # what has happened since the reader last looked
    message: str = ""  # what is asked, or what comes next
    note: str = ""  # what the reader is told until the next key, instead of the news
    offers: tuple[Offer, ...] = ()
    picked: tuple[Offer, ...] = ()
    masked: bool = False  # what is chosen now must not show, so there is no cursor
    marked: Spot | None = None  # where the last move shows
    mover: Seat | None = None  # who made it
    winner: Seat | None = None
    score: str = ""
    actions: tuple[tuple[str, str, str], ...] = ()  # other buttons: action, key, label
    moves: tuple[MoveLine, ...] = ()
    coach: tuple[str, ...] = ()
    numbers: Pair[str] | None = None  # shown large at a reveal, where the scene does not show them
    chart: Chart | None = None
    signs: Mapping[str, Sign] = field(default_factory=dict)  # by action: what digits and places are worth
    effects: Mapping[str, tuple[Effect, ...]] = field(default_factory=dict)  # by action: what moves would do
    captions: Mapping[str, str] = field(default_factory=dict)  # by action: longer words for buttons
    arrows: bool = True  # whether arrow keys choose
    hints: bool = True  # whether the coach can be asked here


def move_lines(steps: Sequence[AnyStep], texts: Iterable[str]) -> tuple[MoveLine, ...]:
    """The moves among some steps with their numbers and texts, without those that have no text."""
    numbers = move_numbers(step.seat for step in steps)
    return tuple(
        MoveLine(number, step.seat, text)
        for number, step, text in zip(numbers, steps, texts, strict=True)
        if step.seat is not None and text
    )


def covered(scene: Scene) -> Scene:
    """A scene with every card face down."""
    first, second = (
        replace(row, cells=tuple(Cell(hidden=cell.digit is not None or cell.hidden) for cell in row.cells))
        for row in scene.rows
    )
    return replace(scene, rows=(first, second), drawn=None, counts=())


def finished_numbers(scene: Scene) -> Pair[str] | None:
    """The two numbers of a scene, if all places are filled and open."""
    rows = [[cell.digit for cell in row.cells] for row in scene.rows]
    if not all(rows) or any(digit is None for row in rows for digit in row):
        return None
    first, second = ("".join(map(str, row)) for row in rows)
    return first, second


def verdict(closing: str, names: Names, winner: Seat | None, reason: str, scene: Scene) -> str:
    """Who won and why in one sentence, from a game's closing words."""
    told = closing.split("\n")[-1]
    if winner is None or told != f"{names[winner]} wins!":
        return told
    bonus = any(row.note and not row.note.isdigit() for row in scene.rows)  # stands beside the names
    numbers = None if bonus else finished_numbers(scene)
    result = "" if numbers is None else f", {numbers[winner]} to {numbers[winner.other]}"
    return f"{names[winner]} wins: {reason}{result}."
