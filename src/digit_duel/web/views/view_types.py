"""The parts of a view, which is the only form in which a game leaves the server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Generic, Literal, TypeAlias, TypeVar

from msgspec import Meta, Raw, Struct

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


class ClockOffer(Struct):
    """A clock that a seat has offered."""

    seat: Seat
    minutes: int | None


class OffersView(Struct):
    """Which seat has offered what."""

    takeback: Seat | None = None
    rematch: Seat | None = None
    clock: ClockOffer | None = None


class SealedChoice(Struct, frozen=True):
    """The commitment to a secret choice."""

    version: int
    seat: Seat
    seal: str
    at: int  # wall clock in milliseconds


class SealsView(Struct):
    """The commitments to the deal and to every secret choice."""

    deck: str
    choices: list[SealedChoice]


class PlayerView(Struct):
    """Who sits in a seat, and whether they are connected."""

    name: str
    kind: Literal["open", "computer", "person"]
    level: str | None
    here: bool


class NewsItem(Struct):
    """One event in the words for this viewer; the move is null while it is secret."""

    version: int
    seat: int | None
    kind: str
    move: str | None
    text: str


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
    """Where each move points: a digit of the pool, a cell in a row."""

    digit: Column[int | None]
    row: Column[Seat | None]
    cell: Column[int | None]


class Choices(Struct):
    """The moves that can be chosen; beside them, in columns, what to answer and where to point."""

    secret: bool
    moves: list[str]
    questions: list[QuestionView]
    spots: SpotsView | None


class GameView(Struct):
    """A game as one viewer may see it at one version."""

    protocol: int
    game: str
    variant: VariantView
    same_device: bool
    match: MatchView
    hints: bool
    version: int
    phase: Phase
    acting: list[Seat]
    result: ResultView | None
    offers: OffersView
    next: str | None
    seal: SealsView
    scene: EncodedScene
    headline: str
    secret: bool
    moves: list[str]
    questions: list[QuestionView]
    spots: SpotsView | None
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


Viewer: TypeAlias = Seat | Literal["stranger", "anybody"]  # whose view is kept; anybody's lacks the scene
