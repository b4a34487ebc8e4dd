"""What clients send: one struct for each body and for each set of query parameters."""

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
    """Whether the session that asks is kept."""

    keep: Literal["this"] | None = None

    @property
    def keep_this(self) -> bool:
        """Whether only the others end."""
        return self.keep == "this"


class StartSession(Body, frozen=True):
    """A wish for a session: with a cookie, or with a token for programs."""

    bearer: bool = False


class ResumeSession(Body, frozen=True):
    """A code that was made on another device."""

    code: fields.DeviceCode
    bearer: bool = False


class NewGame(Body, frozen=True):
    """The game that somebody wants to play; with a name, they take their seat at once.

    On one device, the second name is for the other seat. Who has no session gets one: a cookie, or a token.
    If no answer comes, the same attempt again leads to the same person, and to the same game if that was
    reserved: 'game' is the id of a deal from /api/me, whose seal was shown before the seed is sent.
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
    """A wish for a seat; a friend adds the secret of the invitation. Sessions are as for a new game."""

    name: fields.PlayerName
    seed: fields.Seed = ""
    seat: Seat | None = None
    invite: fields.InviteSecret | None = None
    bearer: bool = False
    attempt: fields.Attempt | None = None


class AnalysePosition(Body, frozen=True):
    """A position to analyse; with a game's id, its players are called by their names."""

    variant: fields.VariantId
    settings: fields.Settings = {}
    moves: fields.MoveList = []
    seat: Seat | None = None
    game: fields.GameId | None = None


class FromSeat(Query, frozen=True):
    """The seat to look from, for a person who has both."""

    seat: Seat | None = None


class Watch(FromSeat, frozen=True):
    """The seat to look from; or as somebody who only watches."""

    role: Literal["watcher"] | None = field(default=None, name="as")

    @property
    def stranger(self) -> bool:
        """Whether to show only what anybody may see."""
        return self.role is not None


class Look(Watch, frozen=True):
    """How to look, and the last version that was seen."""

    after: fields.Version = 0


class Page(Query, frozen=True):
    """Where a page of a list begins."""

    before: fields.Cursor | None = None

    @property
    def after_this(self) -> tuple[int, str] | None:
        """The time and the game that the page before ended with."""
        if self.before is None:
            return None
        ended, _, game = self.before.partition(".")
        return int(ended), game


class CommandOptions(Query, frozen=True):
    """Whether the answer to a command leaves the view out, because a stream brings it."""

    view: Literal["none"] | None = None


def read_query(connection: HTTPConnection, kind: type[T]) -> T:
    """Read the query parameters of a request, or raise Refusal."""
    sent = connection.query_params
    return checked({name: _value(sent.getlist(name)) for name in sent}, kind)


def _value(texts: list[str]) -> object:
    """What a parameter stands for; no parameter is a text of digits, and none may be given twice."""
    if len(texts) > 1:
        return texts
    text = texts[0]
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER else text


def read_command(found: Mapping[str, object]) -> Command:
    """Read a command, or raise Refusal."""
    return checked(found, cast(type[Command], Command))
