"""The server's answers: a struct for each endpoint, and one for refusals."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from digit_duel.core.game import Pair, Seat
from digit_duel.core.script import Scene
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.views.view_types import EarlierPosition, GameView, NewsItem, Phase

GameResult: TypeAlias = Literal["draw", "you lost", "you won", "over"]


class RefusalAnswer(Struct, omit_defaults=True):
    """The request was not carried out: a code for programs and a sentence for people."""

    code: Code
    message: str
    retry: int | None = None  # seconds to wait
    next: str | None = None  # the rematch that already exists
    field: str | None = None  # the house rule that is invalid
    version: int | None = None
    view: GameView | None = None  # the current game, where it explains the refusal

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
    """The request was carried out."""

    code: Literal["ok"]


class SessionStarted(Struct):
    """A session: programs get a token, browsers a cookie."""

    code: Literal["ok"]
    token: str | UnsetType = UNSET


class NewCode(Struct):
    """A code for another device, and the seconds for which it is valid."""

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
    """The id of a game that can be opened, and the seal that commits the server to its deal."""

    game: str
    seal: str


class Me(Struct):
    """A person's games, the last changed first, and a deal for the next game."""

    signed_in: bool
    games: list[GameSummary]
    deal: Deal


class MyGames(Struct):
    """A page of a person's games: running ones on the first page, then finished ones, the latest first."""

    running: list[GameSummary]
    ended: list[GameSummary]
    next: str | None  # pass it as 'before' to get the next page


class OpponentStatistics(Struct):
    """A person's results against one level of the computer or one person."""

    variant: str
    title: str
    opponent: str  # identifies the opponent across games
    name: str
    level: str | None  # of the computer
    last: int  # when the last game ended, in milliseconds
    played: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0


class Statistics(Struct):
    """A person's results by game and opponent, the latest opponent first."""

    against: list[OpponentStatistics]


class ListedOption(Struct):
    """A rule that can be changed."""

    name: str
    default: str
    help: str
    choices: list[str]  # values to offer
    bounds: tuple[int, int] | None  # the smallest and largest number
    free: bool  # whether a player can type other values


class ListedEdition(Struct):
    """A named set of options of a game."""

    name: str
    summary: str
    options: dict[str, str]


class ListedGame(Struct):
    """A game in the catalogue."""

    id: str
    title: str
    summary: str
    rules: str
    hidden: bool  # whether players hold cards that the other does not see
    lessons: int  # of its tutorial; 0 if it has none
    demo: list[Scene]  # positions of a sample game, as the first player sees them
    options: list[ListedOption]
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
    """A link for a friend, also as a QR code: one string per row, 1 is dark."""

    url: str
    qr: list[str]


class NewInvitation(Struct):
    """The new invitation, which replaces the earlier one."""

    code: Literal["ok"]
    url: str
    qr: list[str]


class OpenedGame(Struct):
    """A new game: the seal commits the server to its deal.

    It includes a view if the caller took a seat, and a token if a program without a session asked for one.
    """

    code: Literal["ok"]
    game: str
    seat: Seat
    seal: str
    invite: Invitation | None
    view: GameView | UnsetType = UNSET
    token: str | UnsetType = UNSET


class JoinedGame(Struct):
    """The seat that the caller took, and the view from it; a token as for a new game."""

    code: Literal["ok"]
    seat: Seat
    version: int
    view: GameView
    token: str | UnsetType = UNSET


class CommandDone(Struct):
    """A command that is in the log: 'applied' is its version, 'version' the current one."""

    code: Literal["ok", "ok_repeat"]
    applied: int
    version: int
    view: GameView | UnsetType = UNSET


class MySession(Struct):
    """One of a person's sessions; times are wall clock in milliseconds."""

    id: str  # for ending it
    started: int | None
    seen: int  # accurate to a day
    device: str | None
    this: bool  # whether it is the one that asks


class MySessions(Struct):
    """A person's sessions, the last seen first."""

    sessions: list[MySession]


class NewsPage(Struct):
    """The first news after a version, worded for this viewer."""

    seat: Seat | None
    news: list[NewsItem]


class Past(Struct):
    """Earlier positions as the viewer saw them at the time."""

    seat: Seat | None
    positions: list[EarlierPosition]
