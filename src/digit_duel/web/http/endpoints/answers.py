"""What the server answers: one struct for each endpoint, and one for refusals."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from digit_duel.core.game import Pair, Seat
from digit_duel.core.script import Scene
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.views.view_types import GameView, NewsItem, Phase, Position

GameResult: TypeAlias = Literal["draw", "you lost", "you won", "over"]


class RefusalAnswer(Struct, omit_defaults=True):
    """A request that was not carried out: a code for programs and a sentence for people."""

    code: Code
    message: str
    retry: int | None = None  # seconds to wait
    next: str | None = None  # the rematch that there is already
    field: str | None = None  # the house rule that is wrong
    version: int | None = None
    view: GameView | None = None  # the game as it is now, where that explains the refusal

    @classmethod
    def of(cls, refusal: Refusal) -> RefusalAnswer:
        """Turn an exception into an answer."""
        return cls(
            refusal.code,
            refusal.message,
            refusal.retry,
            refusal.next,
            refusal.field,
            refusal.version,
            refusal.view,
        )


class Ok(Struct):
    """It is done."""

    code: Literal["ok"]


class SessionStarted(Struct):
    """A session; the token is for programs, a browser gets a cookie."""

    code: Literal["ok"]
    token: str | UnsetType = UNSET


class NewCode(Struct):
    """A code for another device, and how long it is valid."""

    code: str
    seconds: int


class GameSummary(Struct):
    """A game in a person's list."""

    game: str
    variant: str
    title: str
    names: Pair[str]
    seat: Seat | None
    phase: Phase
    your_turn: bool
    result: GameResult | None
    changed: int  # wall clock in milliseconds
    level: str | None = None  # of the computer


class Deal(Struct):
    """A game that can be opened, and the seal that commits the server to its deal."""

    game: str
    seal: str


class Me(Struct):
    """A person's games, the last changed first, and a deal for the next."""

    signed_in: bool
    games: list[GameSummary]
    deal: Deal


class MyGames(Struct):
    """A page of a person's games: all that run on the first one, and those that ended, the last first."""

    running: list[GameSummary]
    ended: list[GameSummary]
    next: str | None  # where the next page begins: 'before' of the next request


class OpponentStatistics(Struct):
    """How a person's games against one level or one person ended."""

    variant: str
    title: str
    opponent: str  # the same word for the same opponent in all games
    name: str
    level: str | None  # of the computer
    last: int  # when the last game ended, in milliseconds
    played: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0


class Statistics(Struct):
    """The results of a person by game and opponent, the last opponent first."""

    against: list[OpponentStatistics]


class Option(Struct):
    """A rule that can be changed."""

    name: str
    default: str
    help: str
    choices: list[str]  # values to offer
    bounds: tuple[int, int] | None  # the least and the greatest of a number
    free: bool  # whether other values than the choices can be typed


class ListedEdition(Struct):
    """A rule set with a name: some options of a game, set for a reason."""

    name: str
    summary: str
    options: dict[str, str]


class ListedGame(Struct):
    """A game in the catalogue."""

    id: str
    title: str
    summary: str
    rules: str
    hidden: bool  # whether players hold cards that others do not see
    lessons: int  # of its tutorial; 0 if it has none
    demo: list[Scene]  # a few positions of a game, as the first player sees them
    options: list[Option]
    editions: list[ListedEdition]


class ListedLevel(Struct):
    """A level of the computer."""

    id: str
    about: str


class Catalogue(Struct):
    """All games and levels."""

    protocol: int
    version: str
    games: list[ListedGame]
    levels: list[ListedLevel]


class Invitation(Struct):
    """A link for a friend, and the same as a QR code, row by row: 1 is dark."""

    url: str
    qr: list[str]


class NewInvitation(Struct):
    """The invitation that replaces an earlier one."""

    code: Literal["ok"]
    url: str
    qr: list[str]


class OpenedGame(Struct):
    """A new game: the seal commits the server to its deal.

    There is a view for who has a seat already, and a token for a program that had no session.
    """

    code: Literal["ok"]
    game: str
    seat: Seat
    seal: str
    invite: Invitation | None
    view: GameView | UnsetType = UNSET
    token: str | UnsetType = UNSET


class JoinedGame(Struct):
    """The seat that was taken, and the game as it looks from there; a token as with a new game."""

    code: Literal["ok"]
    seat: Seat
    version: int
    view: GameView
    token: str | UnsetType = UNSET


class CommandDone(Struct):
    """A command that is in the log: 'applied' is its own version, 'version' the present one."""

    code: Literal["ok", "ok_repeat"]
    applied: int
    version: int
    view: GameView | UnsetType = UNSET


class MySession(Struct):
    """A session in the list that its owner sees; times are the wall clock in milliseconds."""

    id: str  # to end it by
    started: int | None
    seen: int  # within a day
    device: str | None
    this: bool


class MySessions(Struct):
    """All sessions of a person, the last seen first."""

    sessions: list[MySession]


class NewsPage(Struct):
    """The first news after a version, in the words for this viewer."""

    seat: Seat | None
    news: list[NewsItem]


class Past(Struct):
    """Earlier positions as the viewer saw them at the time."""

    seat: Seat | None
    positions: list[Position]
