"""The commands that a player can send, as typed messages."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from digit_duel.core.game import Seat
from digit_duel.web.field_types import ClientId, Minutes, Notation, OfferKind, Seed, TypedMove, Version
from digit_duel.web.play.events import canonical


class PlayerCommand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """The fields of every command: an id, for repeating it safely, and the version that it responds to."""

    id: ClientId
    version: Version
    seat: Seat | None = None  # for a person who has both seats

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}>"  # a move or a seed may be secret

    @property
    def asked(self) -> str:
        """The canonical text of the command, by which a repeated one is recognised."""
        wanted: dict[str, object] = {"do": self.__struct_config__.tag}
        for name in self.__struct_fields__:
            if name not in _COMMON and (value := getattr(self, name)) is not None:
                wanted[name] = value
        return canonical(wanted)


_COMMON = frozenset(PlayerCommand.__struct_fields__)


class MoveCommand(PlayerCommand, frozen=True, tag="move"):
    """Make a move, given in notation or as a player would type it."""

    move: Notation | None = None
    text: TypedMove | None = None

    def __post_init__(self) -> None:
        if (self.move is None) == (self.text is None):
            raise ValueError("A move needs either 'move' in notation or 'text' as it is typed.")


class ResignCommand(PlayerCommand, frozen=True, tag="resign"):
    """Resign the game."""


class TakebackCommand(PlayerCommand, frozen=True, tag="takeback"):
    """Take back the last choice, ask the opponent to agree to that, or agree to it."""


class RematchCommand(PlayerCommand, frozen=True, tag="rematch"):
    """Offer or accept another game."""

    seed: Seed = ""


class ClockCommand(PlayerCommand, frozen=True, tag="clock"):
    """Offer or accept a clock."""

    minutes: Minutes


class DeclineCommand(PlayerCommand, frozen=True, tag="decline"):
    """Decline an offer, or withdraw one."""

    what: OfferKind


class ClaimCommand(PlayerCommand, frozen=True, tag="claim"):
    """Claim the game because the opponent has stayed away or run out of time."""


Command: TypeAlias = (
    MoveCommand
    | ResignCommand
    | TakebackCommand
    | RematchCommand
    | ClockCommand
    | DeclineCommand
    | ClaimCommand
)
