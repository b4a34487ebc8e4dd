"""The parts of a view, which is the only form in which a game leaves the server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Generic, Literal, TypeAlias, TypeVar

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from digit_duel.core.game import Pair, Seat
from digit_duel.core.script import Scene
from digit_duel.core.variant import AnyScript

T = TypeVar("T")
Phase: TypeAlias = Literal["waiting", "playing", "over"]
# A scene or null, encoded once for all who see the same: it takes as long as the rest of a view.
EncodedScene: TypeAlias = Annotated[
    Raw, Meta(extra_json_schema={"anyOf": [{"$ref": "#/components/schemas/Scene"}, {"type": "null"}]})
]


class VariantView(Struct):
    """The rules that are played."""

    id: str
    title: str
    summary: str
    settings: dict[str, str]
    hidden: bool  # whether the seats know different things for longer than one choice


class MatchView(Struct):
    """The match before this game; the text is null for games that are not part of one."""

    text: str | None
    number: int
    score: Pair[int]


class ResultView(Struct):
    """How the game ended."""

    winner: Seat | None
    reason: str
    closing: str  # a sentence for people
    sealed: bool = False  # draws or secret choices were sealed, and can be checked now


class ClockOffer(Struct):
    """A clock that a seat has offered."""

    seat: Seat
    minutes: int | None


class OffersView(Struct):
    """Which seat has offered what."""

    takeback: Seat | None = None
    rematch: Seat | None = None
    clock: ClockOffer | None = None


class PlayerView(Struct):
    """Who sits in a seat, and whether they are connected."""

    name: str
    kind: Literal["open", "computer", "person"]
    level: str | None
    here: bool


class PlaceView(Struct):
    """A side of the table, or one cell on it."""

    row: Seat
    cell: int | None


class NewsItem(Struct):
    """One event in the words for this viewer; a move made in secret is null until the end, but sealed."""

    version: int
    seat: int | None
    kind: str
    move: str | None
    text: str
    scene: Scene | UnsetType = UNSET  # what lies open where a round has ended, until the viewer goes on
    place: PlaceView | UnsetType = UNSET  # where a move shows on the table
    seal: str | UnsetType = UNSET  # of a choice made in secret
    at: int | UnsetType = UNSET  # when it was sealed: the wall clock in milliseconds


class ClockView(Struct):
    """The milliseconds each seat has left, and whose clock is running."""

    left: Pair[int]
    running: Seat | None


class ClaimView(Struct):
    """In how many seconds the viewer may claim the game."""

    seconds: int


class Column(Struct, Generic[T]):
    """One value for each move without repetitions: move number n has of[n // each % len(of)]."""

    each: int
    of: list[T]


class QuestionView(Struct):
    """One question on the way to a move; {} in a prompt stands for the answer to the question 'fill'."""

    prompts: Column[str]
    fill: int | None
    answers: Column[str]
    labels: Column[str]


class SpotsView(Struct):
    """Where each move points: a digit of the pool, a cell in a row; and what it does to the meters."""

    digit: Column[int | None]
    row: Column[Seat | None]
    cell: Column[int | None]
    points: Column[int | None] | UnsetType = UNSET  # gained or, below zero, taken from the other


class Choices(Struct):
    """The moves that can be chosen; beside them, in columns, what to answer and where to point."""

    secret: bool
    moves: list[str]
    questions: list[QuestionView]
    spots: SpotsView | None


class LessonStep(Struct):
    """The learner's table after a step of a lesson; nobody's step is a draw."""

    seat: Seat | None
    scene: Scene
    acting: list[Seat]
    place: PlaceView | UnsetType = UNSET  # where the step shows on the table
    ended: Literal["game", "round"] | UnsetType = UNSET  # by this step
    winner: Seat | UnsetType = UNSET  # of what has ended


class LessonView(Choices, kw_only=True):
    """One lesson: what to say, what can be chosen, and by good choice the steps that follow, itself first."""

    text: str
    well: str  # said after a good choice
    otherwise: str  # said after any other
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
    """The parts of a view that can change while the version stays: who is connected, and the time."""

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
    """A game as one viewer may see it at one version; what never changes is left out after the first time."""

    protocol: int | UnsetType = UNSET
    skipped: int | UnsetType = UNSET  # news up to this version are left out: they come page by page
    game: str | UnsetType = UNSET
    variant: VariantView | UnsetType = UNSET
    same_device: bool | UnsetType = UNSET
    match: MatchView | UnsetType = UNSET
    hints: bool | UnsetType = UNSET
    seal: str | UnsetType = UNSET  # of the deal
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


class Position(Struct):
    """An earlier position of a game."""

    version: int
    acting: list[Seat]
    scene: Scene


@dataclass(slots=True)
class ViewCache:
    """What the views of every version of a game have in common."""

    agreed: GameView | None = None
    script: AnyScript | None = None
    hides_hands: bool | None = None


Viewer: TypeAlias = Seat | Literal["stranger", "anybody"]  # whose view is kept; anybody's lacks the scene
