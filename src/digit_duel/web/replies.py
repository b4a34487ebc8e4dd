"""Reply codes and refusals: the same over HTTP, over WebSockets and in the terminal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:  # the terminal client imports this module, but not the server
    from digit_duel.web.views.view_types import GameView


class Code(StrEnum):
    """The outcome of a request."""

    OK = "ok"
    OK_REPEAT = "ok_repeat"
    STALE_VERSION = "stale_version"
    NOT_YOUR_TURN = "not_your_turn"
    ILLEGAL_MOVE = "illegal_move"
    BAD_REQUEST = "bad_request"
    TOO_LARGE = "too_large"
    RATE_LIMITED = "rate_limited"
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not_found"
    SEAT_TAKEN = "seat_taken"
    GAME_OVER = "game_over"
    BUSY_RETRY = "busy_retry"

    @property
    def status(self) -> int:
        """The HTTP status."""
        return _STATUS[self]


_STATUS = {
    Code.OK: 200,
    Code.OK_REPEAT: 200,
    Code.STALE_VERSION: 409,
    Code.NOT_YOUR_TURN: 409,
    Code.ILLEGAL_MOVE: 409,
    Code.SEAT_TAKEN: 409,
    Code.GAME_OVER: 409,
    Code.BAD_REQUEST: 400,
    Code.TOO_LARGE: 413,
    Code.RATE_LIMITED: 429,
    Code.FORBIDDEN: 403,
    Code.NOT_FOUND: 404,
    Code.BUSY_RETRY: 503,
}


class Refusal(Exception):
    """The request is not carried out: a code for programs and a sentence for people."""

    def __init__(
        self,
        code: Code,
        message: str,
        *,
        retry: int | None = None,
        next: str | None = None,
        field: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code, self.message = code, message
        self.retry = retry  # seconds to wait
        self.next = next  # the rematch that already exists
        self.field = field  # the house rule that is invalid
        self.version: int | None = None
        self.view: GameView | None = None  # the current game, where it explains the refusal


@dataclass(frozen=True, slots=True)
class Done:
    """A command that is in the log, written now or by an earlier attempt."""

    version: int
    repeated: bool = False

    @property
    def code(self) -> Literal["ok", "ok_repeat"]:
        """The reply code."""
        return "ok_repeat" if self.repeated else "ok"


def busy() -> Refusal:
    """The refusal when the store is unavailable."""
    return Refusal(Code.BUSY_RETRY, "The server cannot do this now. Nothing was lost; please try again.")
