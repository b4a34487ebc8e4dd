"""The messages that the server sends over a WebSocket."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from digit_duel.web.metrics import REFUSALS
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.views.view_types import GameView, Surroundings


class DoneReply(Struct):
    """The reply to a command that is in the log, as version 'applied'."""

    id: str
    code: Literal["ok", "ok_repeat"]
    applied: int


class ViewMessage(Struct, tag_field="type", tag="view"):
    """The changes since the viewer's last view, with replies to the commands that caused them."""

    view: GameView | Surroundings
    replies: list[DoneReply] | UnsetType = UNSET


class PongMessage(Struct, tag_field="type", tag="pong"):
    """The answer to a ping."""


class RefusedMessage(Struct, tag_field="type", tag="reply", omit_defaults=True):
    """A command was refused; the id is null if the message could not be understood."""

    id: str | None
    code: Code
    message: str
    retry: int | None = None  # seconds to wait
    next: str | None = None  # the rematch that already exists

    @classmethod
    def of(cls, id: str | None, refusal: Refusal) -> RefusedMessage:
        """Turn a refusal into a message, and count it."""
        REFUSALS.labels(refusal.code.value).inc()
        return cls(id, refusal.code, refusal.message, refusal.retry, refusal.next)


ServerMessage: TypeAlias = ViewMessage | PongMessage | RefusedMessage
