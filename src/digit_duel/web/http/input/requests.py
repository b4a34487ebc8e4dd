"""Input from clients: a struct for each body and each set of query parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeVar, cast

from msgspec import Struct, field
from starlette.requests import HTTPConnection

from digit_duel.core.game import Seat
from digit_duel.web import field_types as fields
from digit_duel.web.http.input.validation import checked
from digit_duel.web.play.command_types import Command

T = TypeVar("T")
_LONGEST_NUMBER = 10  # digits


class Body(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A JSON object; unknown fields are refused."""


class Query(Struct, frozen=True, kw_only=True):
    """Query parameters; unknown ones are ignored."""


class Nothing(Query, frozen=True):
    """No body and no parameters."""


class LeaveOptions(Query, frozen=True):
    """Whether to keep the session that asks."""

    keep: Literal["this"] | None = None

    @property
    def keep_this(self) -> bool:
        """Whether to end only the other sessions."""
        return self.keep == "this"


class StartSession(Body, frozen=True):
    """A request for a session, with a cookie or, for programs, a token."""

    bearer: bool = False


class ResumeSession(Body, frozen=True):
    """A code that was made on another device."""

    code: fields.DeviceCode
    bearer: bool = False


class NewGame(Body, frozen=True):
    """The game to open; a caller who sends a name takes a seat at once.

    On one device, the second name is for the other seat. A caller without a session gets one, as a cookie or
    a token. If the answer is lost, repeating the request with the same 'attempt' leads to the same person,
    and to the same game if its id was reserved: 'game' is the id of a deal from /api/me, which shows the seal
    before the client sends its seed.
    """

    variant: fields.VariantId
    opponent: fields.Opponent
    settings: fields.Settings = {}
    level: fields.Level | None = None
    start: fields.Start = "me"
    hints: bool = False
    match: fields.MatchRule | None = None
    name: fields.PlayerName | None = None
    second_name: fields.PlayerName | None = None
    seed: fields.Seed = ""
    bearer: bool = False
    attempt: fields.Attempt | None = None
    game: fields.GameId | None = None


class JoinGame(Body, frozen=True):
    """A request for a seat; a friend adds the invitation's secret. Sessions work as for a new game."""

    name: fields.PlayerName
    seed: fields.Seed = ""
    seat: Seat | None = None
    invite: fields.InviteSecret | None = None
    bearer: bool = False
    attempt: fields.Attempt | None = None


class AnalysePosition(Body, frozen=True):
    """A position to analyse; with a game's id, the answer calls its players by name."""

    variant: fields.VariantId
    settings: fields.Settings = {}
    moves: fields.MoveList = []
    seat: Seat | None = None
    game: fields.GameId | None = None


class FromSeat(Query, frozen=True):
    """The seat whose view to show, for a person who has both."""

    seat: Seat | None = None


class Watch(FromSeat, frozen=True):
    """The seat whose view to show, or a watcher's view."""

    role: Literal["watcher"] | None = field(default=None, name="as")

    @property
    def stranger(self) -> bool:
        """Whether to show only what anybody may see."""
        return self.role is not None


class Look(Watch, frozen=True):
    """The view to show, and the last version that the client has seen."""

    after: fields.Version = 0


class ListPage(Query, frozen=True):
    """Where a page of a list begins."""

    before: fields.Cursor | None = None

    @property
    def after_this(self) -> tuple[int, str] | None:
        """The time and the id of the last game on the previous page."""
        if self.before is None:
            return None
        ended, _, game = self.before.partition(".")
        return int(ended), game


class CommandOptions(Query, frozen=True):
    """Whether the answer to a command omits the view, because a stream delivers it."""

    view: Literal["none"] | None = None


def read_query(connection: HTTPConnection, kind: type[T]) -> T:
    """Read the query parameters of a request, or raise Refusal."""
    sent = connection.query_params
    return checked({name: _value(sent.getlist(name)) for name in sent}, kind)


def _value(texts: list[str]) -> object:
    """A parameter's value: digits are a number; a repeated parameter is a list, which is refused later."""
    if len(texts) > 1:
        return texts
    text = texts[0]
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER else text


def read_command(found: Mapping[str, object]) -> Command:
    """Read a command, or raise Refusal."""
    return checked(found, cast(type[Command], Command))
