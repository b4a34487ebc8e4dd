"""The closed list of answers: the same in REST, on sockets and in the terminal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:  # the terminal's client needs this module, but not what the server is made of
    from digit_duel.web.views.view_types import GameView


class Code(StrEnum):
    """What became of a request."""

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
        """The code in HTTP."""
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
    """A request that is not carried out: a code for programs, and a sentence for people."""

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
        self.next = next  # the rematch that there is already
        self.field = field  # the house rule that is wrong
        self.version: int | None = None
        self.view: GameView | None = None  # the game as it is now, where that explains the refusal


@dataclass(frozen=True, slots=True)
class Done:
    """A command that is in the log: now, or since an earlier try."""

    version: int
    repeated: bool = False

    @property
    def code(self) -> Literal["ok", "ok_repeat"]:
        """How the success is told."""
        return "ok_repeat" if self.repeated else "ok"


def busy() -> Refusal:
    """The refusal when the store cannot write now."""
    return Refusal(Code.BUSY_RETRY, "Nothing was lost, but this could not be saved now. Please try again.")
