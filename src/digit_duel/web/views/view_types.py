"""The types of views, the only form in which games leave the server."""

from __future__ import annotations

from typing import Annotated, Generic, Literal, TypeAlias, TypeVar

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from digit_duel.core.game import Pair, Seat
from digit_duel.core.script import Scene

T = TypeVar("T")
Phase: TypeAlias = Literal["waiting", "playing", "over"]
# A scene or null, encoded once for all who see the same: encoding takes as long as the rest of a view.
EncodedScene: TypeAlias = Annotated[
    Raw, Meta(extra_json_schema={"anyOf": [{"$ref": "#/components/schemas/Scene"}, {"type": "null"}]})
]


class VariantView(Struct):
    """The game and its settings."""

    id: str
    title: str
    summary: str
    settings: dict[str, str]
    hidden: bool  # whether the seats see different things for longer than one choice
    edition: str = ""  # the name of the edition, if the settings are those of one
    changes: tuple[str, ...] = ()  # what differs from the rulebook, in sentences


class MatchView(Struct):
    """The match before this game; the text is null for a game outside a match."""

    text: str | None
    number: int
    score: Pair[int]


class ResultView(Struct):
    """How the game ended."""

    winner: Seat | None
    reason: str
    closing: str  # a sentence for people
    sealed: bool = False  # whether there are sealed draws or secret choices to verify
    why: str = ""  # a sentence for this viewer, below a title that says who won
    early: bool = False  # somebody resigned, or was away: the rules have not ended it
    decides: bool = True  # no game of the same match follows


class ClockOffer(Struct):
    """A clock that a seat has offered."""

    seat: Seat
    minutes: int | None


class OffersView(Struct):
    """The open offers, and the seat that made each."""

    takeback: Seat | None = None
    rematch: Seat | None = None
    clock: ClockOffer | None = None


class PlayerView(Struct):
    """The player in a seat, and whether they are connected."""

    name: str
    kind: Literal["open", "computer", "person"]
    level: str | None
    here: bool


class PlaceView(Struct):
    """A player's row on the table, or one cell in it."""

    row: Seat
    cell: int | None
    points: int | UnsetType = UNSET  # gained or, below zero, lost there


class NewsItem(Struct):
    """One event, worded for this viewer; a secret move is null until the game ends, but its seal is shown."""

    version: int
    seat: int | None
    kind: str
    move: str | None
    text: str
    scene: Scene | UnsetType = UNSET  # the table at the end of a round, to show until the viewer continues
    place: PlaceView | UnsetType = UNSET  # where the move appears on the table
    seal: str | UnsetType = UNSET  # of a secret choice
    at: int | UnsetType = UNSET  # when it was sealed: the wall clock in milliseconds


class ClockView(Struct):
    """The milliseconds that each seat has left, and the seat whose clock is running."""

    left: Pair[int]
    running: Seat | None


class ClaimView(Struct):
    """The seconds until the viewer may claim the game."""

    seconds: int


class Column(Struct, Generic[T]):
    """One value for each move, compressed: the value of move number n is of[n // each % len(of)]."""

    each: int
    of: list[T]


class QuestionView(Struct):
    """One question that leads to a move; {} in a prompt stands for the answer to question number 'fill'."""

    prompts: Column[str]
    fill: int | None
    answers: Column[str]
    labels: Column[str]


class SpotsView(Struct):
    """Where each move points: a digit of the pool, a cell of a row; and how it changes the points."""

    digit: Column[int | None]
    row: Column[Seat | None]
    cell: Column[int | None]
    points: Column[int | None] | UnsetType = UNSET  # gained or, if negative, taken from the opponent


class Choices(Struct):
    """The moves to choose from and, in columns, the answers that lead to each and where it points."""

    secret: bool
    moves: list[str]
    questions: list[QuestionView]
    spots: SpotsView | None


class LessonStep(Struct):
    """The learner's table after a step of a lesson; a step without a seat is a draw."""

    seat: Seat | None
    scene: Scene
    acting: list[Seat]
    place: PlaceView | UnsetType = UNSET  # where the step appears on the table
    ended: Literal["game", "round"] | UnsetType = UNSET  # what this step ended
    winner: Seat | UnsetType = UNSET  # of what has ended


class LessonView(Choices, kw_only=True):
    """One lesson: its text, its choices and, for each good choice, the steps that it causes."""

    text: str
    well: str  # said after a good choice
    otherwise: str  # said after any other choice
    seat: Seat  # the learner's
    names: Pair[str]
    acting: list[Seat]
    scene: Scene
    point: str | None  # the choice that the page points at
    good: dict[str, list[LessonStep]]


class TutorialView(Struct):
    """The lessons of a game."""

    variant: str
    title: str
    lessons: list[LessonView]


class Surroundings(Struct, kw_only=True):
    """The parts of a view that can change without a new version: who is connected, and the clock."""

    version: int
    since: int
    seat: Seat | None
    seats: list[Seat]
    owner: bool
    players: list[PlayerView]
    turn: bool
    news: list[NewsItem]
    clock: ClockView | None
    claim: ClaimView | None
    watchers: int


class GameView(Surroundings, kw_only=True):
    """A game as one viewer may see it at one version; later views omit what never changes."""

    protocol: int | UnsetType = UNSET
    skipped: int | UnsetType = UNSET  # news up to this version is omitted: fetch it in pages
    game: str | UnsetType = UNSET
    variant: VariantView | UnsetType = UNSET
    same_device: bool | UnsetType = UNSET
    match: MatchView | UnsetType = UNSET
    hints: bool | UnsetType = UNSET
    seal: str | UnsetType = UNSET  # of the deal
    opener: Seat | UnsetType = (
        UNSET  # the seat of the person who opened the game, or the game of which it is a rematch
    )
    phase: Phase
    acting: list[Seat]
    result: ResultView | None
    offers: OffersView
    next: str | None
    scene: EncodedScene
    headline: str
    secret: bool
    moves: list[str]
    questions: list[QuestionView]
    spots: SpotsView | None


class EarlierPosition(Struct):
    """An earlier position of a game."""

    version: int
    acting: list[Seat]
    scene: Scene
