"""The events of a game's log, as typed bodies, and their canonical JSON.

The digests of a log cover this text, so it must never change: keys are sorted, optional fields without a
value are omitted, and everything outside ASCII is escaped.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from digit_duel.core.game import Pair, Seat
from digit_duel.core.match import Match
from digit_duel.web.field_types import OfferKind, Opponent


class EventBody(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind"):
    """The base of all events."""

    asked: str | None = None  # the command that caused it, as canonical text

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"  # a move or a seed may be secret


class Standing(Struct, frozen=True):
    """The state of the match before the game; a single game has none of the fields."""

    best_of: int | UnsetType | None = UNSET
    first_to: int | UnsetType | None = UNSET
    number: int | UnsetType = UNSET
    rule: bool | UnsetType = UNSET  # whether the players agreed on the length of the match
    score: Pair[int] | UnsetType = UNSET

    @classmethod
    def of(cls, match: Match, rule: bool) -> Standing:
        """Describe a match."""
        return cls(match.best_of, match.first_to, match.number, rule, match.score)

    @property
    def match(self) -> Match:
        """The match; a single game counts as a match of its own."""
        return Match(self.first_to or None, self.best_of or None, self.number or 1, self.score or (0, 0))


class Opened(EventBody, frozen=True, tag="open"):
    """Somebody opened the game; the seal commits the server to its deal."""

    variant: str
    settings: dict[str, str]
    opponent: Opponent
    level: str | None  # of the computer
    seat: Seat  # the owner's
    owner: str
    hints: bool
    match: Standing
    seal: str
    invite: str | None = None  # the hash of the invitation's secret
    previous: str | None = None  # the game of which this is the rematch


class Joined(EventBody, frozen=True, tag="sit"):
    """A player took a seat: a person with a seed, or a computer with a level."""

    name: str
    seed: str | None = None
    level: str | None = None


class Invited(EventBody, frozen=True, tag="invite"):
    """The owner replaced the invitation."""

    invite: str  # the hash of its secret


class Moved(EventBody, frozen=True, tag="move"):
    """A seat moved."""

    move: str
    seal: str | None = None  # if the choice was secret
    spent: int | None = None  # milliseconds, if a clock ran


class TakenBack(EventBody, frozen=True, tag="takeback"):
    """A seat's last choice was undone."""

    of: Seat


class Offered(EventBody, frozen=True, tag="offer"):
    """A seat offered something that the other may accept."""

    what: OfferKind
    minutes: int | None = None  # of a clock
    seed: str | None = None  # for a rematch


class Declined(EventBody, frozen=True, tag="decline"):
    """A seat declined or withdrew an offer."""

    what: OfferKind


class ClockSet(EventBody, frozen=True, tag="clock"):
    """Both players agreed on a clock."""

    minutes: int


class RematchBegun(EventBody, frozen=True, tag="rematch"):
    """The next game was opened."""

    next: str


class Resigned(EventBody, frozen=True, tag="resign"):
    """A seat resigned."""


class Claimed(EventBody, frozen=True, tag="claim"):
    """A seat claimed the game because the other ran out of time or stayed away."""

    why: str


class Cancelled(EventBody, frozen=True, tag="cancel"):
    """The game ended without a result."""

    why: str


Body: TypeAlias = (
    Opened
    | Joined
    | Invited
    | Moved
    | TakenBack
    | Offered
    | Declined
    | ClockSet
    | RematchBegun
    | Resigned
    | Claimed
    | Cancelled
)

_DECODER: msgspec.json.Decoder[Body] = msgspec.json.Decoder(Body)
_SORTED = msgspec.json.Encoder(order="sorted")
_ESCAPED = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), sort_keys=True)


def decode(text: str) -> Body:
    """Read the body of a stored event, or raise msgspec.DecodeError."""
    return _DECODER.decode(text)


def kind(body: Body) -> str:
    """Name the kind of an event as it is stored."""
    tag = body.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def canonical(value: Struct | Mapping[str, object]) -> str:
    """Encode as canonical JSON."""
    quick = _SORTED.encode(value).decode()
    # Both encoders give the same text for printable ASCII, such as moves; names may need escapes.
    return quick if quick.isascii() and "\x7f" not in quick else _ESCAPED.encode(msgspec.json.decode(quick))
