"""Write requests, and the check for conflicts; the same for every database."""

from __future__ import annotations

from asyncio import Future
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

from digit_duel.web.store import Conflict, Event, Listed, Revoked, Status, TakenSeat

if TYPE_CHECKING:
    from digit_duel.web.store.connections import DatabaseConnection

ClientKey = tuple[str, int, str]  # game, seat (-1 is the server), the client's id


@dataclass(slots=True, kw_only=True, eq=False)
class WriteRequest:
    """A write request and the future that receives its result."""

    future: Future[object]
    since: float = field(default_factory=monotonic)
    result: object = None
    error: Exception | None = None

    def settle(self) -> None:
        """Set the result, unless the caller was cancelled."""
        if self.future.done():
            return
        if self.error is None:
            self.future.set_result(self.result)
        else:
            self.future.set_exception(self.error)


@dataclass(slots=True, eq=False)
class Append(WriteRequest):
    """One event for one game's log."""

    game: str
    event: Event
    session: str | None
    takes: TakenSeat | None
    opens: Listed | None
    status: Status

    @property
    def client_key(self) -> ClientKey | None:
        """The event's id within its game, which must be unique; None without a client's id."""
        event = self.event
        if event.client is None:
            return None
        return self.game, -1 if event.seat is None else event.seat, event.client


@dataclass(slots=True, eq=False)
class Call(WriteRequest):
    """Any other write, as a function of the connection."""

    run: Callable[[DatabaseConnection], object]


@dataclass(slots=True)
class Facts:
    """What the database holds about the games of a batch, while they are locked."""

    versions: dict[str, int]
    sessions: set[str]
    seats: set[tuple[str, int]]
    clients: set[ClientKey]

    def admit(self, append: Append) -> None:
        """Count an append as done, or raise Conflict or Revoked and change nothing."""
        game, event, taken = append.game, append.event, append.takes
        if append.session is not None and append.session not in self.sessions:
            raise Revoked("This session has ended.")
        last = self.versions.get(game)
        if (last is None) != (append.opens is not None):
            raise Conflict("There is no such game." if last is None else "This game already exists.")
        if event.version != (last or 0) + 1:
            raise Conflict(f"The log ends at version {last or 0}.")
        if taken is not None and (game, taken.seat) in self.seats:
            raise Conflict("This seat is taken.")
        key = append.client_key
        if key is not None and key in self.clients:
            raise Conflict("This client's id was used before.")
        self.versions[game] = event.version
        if taken is not None:
            self.seats.add((game, taken.seat))
        if key is not None:
            self.clients.add(key)


def granted(appends: Iterable[Append], facts: Facts) -> list[Append]:
    """The appends of a batch that do not conflict; sets the error of the others."""
    chosen = []
    for append in appends:
        try:
            facts.admit(append)
        except (Conflict, Revoked) as refusal:
            append.error = refusal
        else:
            chosen.append(append)
    return chosen
