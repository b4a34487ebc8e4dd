"""Storage of event logs: when an append returns it is on disk; if it raises, nothing was written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, TypeAlias


class Conflict(Exception):
    """The version, the client's id or the seat is already taken: read the log again."""


class Revoked(Exception):
    """The session that wanted to write has ended."""


Reason: TypeAlias = Literal[
    "closed", "disk_full", "locked", "overloaded", "read_only", "timeout", "unavailable", "unreachable"
]


class Unavailable(Exception):
    """The database cannot be used now; a later attempt may succeed.

    Nothing was written, unless the reason is a timeout: then the write may still happen later.
    """

    def __init__(self, message: str, reason: Reason = "unavailable") -> None:
        super().__init__(message)
        self.reason: Reason = reason


class NewerDatabase(Exception):
    """A newer version of Digit Duel wrote this database; nothing was changed."""


class DamagedDatabase(Exception):
    """Stored data is damaged and cannot be read."""


class Event(NamedTuple):
    """One event of a game's log."""

    version: int  # 1, 2, 3 ... without gaps
    seat: int | None  # who caused it; None for the server
    client: str | None  # the id that the seat's client gave it; unique per game and seat
    body: str  # canonical JSON
    digest: str  # of this event, its effects, and the digest before it
    at: int  # wall clock in milliseconds; players' clocks rely on it after a restart

    def __repr__(self) -> str:
        return f"<event {self.version}>"  # the body may be secret


@dataclass(frozen=True, slots=True)
class TakenSeat:
    """A person takes a seat."""

    seat: int
    person: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A game's row in a list."""

    id: str
    variant: str
    owner: str  # the person who opened it
    version: int
    over: bool
    opened: int
    changed: int


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session, for its owner's list."""

    token: str  # its hash
    started: int
    seen: int  # accurate to a day
    device: str


Ending: TypeAlias = Literal["won", "lost", "drawn", "over"]


class Result(NamedTuple):
    """How a game ended for one person in it."""

    game: str
    person: str
    ended: int
    seat: int | None  # None for both
    variant: str
    first_name: str
    second_name: str
    level: str | None  # of the computer
    rival: str | None  # the other person
    ending: Ending

    def __repr__(self) -> str:
        return f"<result of {self.game}>"  # hides the people's ids


class Tally(NamedTuple):
    """How many of a person's games against one opponent, under one name, had the same ending."""

    variant: str
    level: str | None
    rival: str | None
    name: str
    ending: Ending
    games: int
    last: int  # when the last of them ended

    def __repr__(self) -> str:
        return f"<{self.games} games>"


@dataclass(frozen=True, slots=True)
class Status:
    """The status of a game after an event, for lists and limits."""

    over: bool = False
    waiting: bool = False  # for a friend
    position: str | None = None  # a digest of what both know, while two people play on separate devices
    results: tuple[Result, ...] = ()  # of a game that ends with this event


PLAYING = Status()


class Store(Protocol):
    """A database of logs, seats and sessions, shared by any number of servers."""

    async def start(self) -> None:
        """Migrate and open the database, or raise NewerDatabase."""

    async def stop(self) -> None:
        """Finish pending writes, and close."""

    async def append(
        self,
        game: str,
        event: Event,
        *,
        session: str | None = None,
        takes: TakenSeat | None = None,
        opens: Listed | None = None,
        status: Status = PLAYING,
    ) -> None:
        """Commit one event (with the new game's row, or the seat it takes), or raise and write nothing.

        Raises Conflict, Revoked (if the session, a token's hash, no longer exists) or Unavailable.
        """

    async def log(self, game: str, after: int = 0) -> list[Event]:
        """The events after a version, in order; empty for an unknown game."""

    async def probe(self) -> None:
        """Make a harmless write, or raise Unavailable if the database does not accept it."""

    async def openings(self, after: str, most: int) -> dict[str, str]:
        """The bodies of the first events of the games after an id, by id, in order."""

    async def versions(self, games: Sequence[str]) -> dict[str, int]:
        """The latest version of each of these games, without unknown ones."""

    async def seats(self, game: str) -> dict[int, str]:
        """The person in each taken seat."""

    async def games_of(self, person: str, most: int) -> list[Listed]:
        """The games that a person opened or plays in, the last changed first."""

    async def running_games_of(self, person: str, most: int) -> list[Listed]:
        """The unfinished games that a person opened or plays in, the last changed first."""

    async def results_of(self, person: str, before: tuple[int, str], most: int) -> list[Result]:
        """A person's results before a time and a game's id, the latest first."""

    async def tallies_of(self, person: str, most: int) -> list[Tally]:
        """The counts of a person's results in at most this many of their latest games."""

    async def results_due(self, most: int) -> list[str]:
        """Games whose results are missing: they ended before results were stored."""

    async def add_results(self, game: str, results: Sequence[Result]) -> None:
        """Add the missing results of a game."""

    async def open_games_of(self, person: str) -> int:
        """How many of the games that a person opened are unfinished."""

    async def waiting_games_of(self, person: str) -> int:
        """How many of the games that a person opened are waiting for a friend."""

    async def being_played(self, positions: Sequence[str]) -> int:
        """When the oldest game was opened that is now at one of these positions; 0 if there is none."""

    async def add_session(self, token: str, person: str, at: int, device: str = "") -> None:
        """Add a session: a token's hash, for a person; raise Revoked if they have left on all devices."""

    async def sessions_of(self, person: str, most: int) -> list[SessionRow]:
        """A person's sessions, the last seen first."""

    async def leave(self, person: str, keep: str, at: int) -> list[str]:
        """Delete all sessions of a person but one, and all codes; return the sessions' hashes."""

    async def ended_since(self, at: int) -> list[str]:
        """The hashes of the tokens of sessions that ended at a time or later."""

    async def person(self, token: str) -> str | None:
        """The person to whom a token's hash belongs."""

    async def end_session(self, token: str, at: int = 0, codes: bool = False) -> None:
        """Delete a session, by its token's hash, and perhaps its person's codes."""

    async def add_code(self, code: str, session: str, until: int) -> None:
        """Add a one-time code's hash for a session's person, or raise Revoked; it replaces earlier codes."""

    async def use_code(self, code: str, token: str, at: int, device: str = "") -> bool:
        """Use up a code and add a session for its person; False if the code is unknown or expired."""

    async def sweep(self, before: Mapping[str, int]) -> dict[str, int]:
        """Delete what last changed before a time in milliseconds, and return how many of each kind.

        The kinds are unused (games that nobody joined), abandoned (unfinished games), over (finished games)
        and sessions.
        """

    async def swept(self) -> int:
        """The time of the last sweep; 0 in a new database."""

    async def set_swept(self, at: int) -> None:
        """Record the time of a sweep; it never goes back."""

    async def add_server(self, server: str, now: int, lease: int) -> None:
        """Record that a server starts; it counts as running until its lease ends."""

    async def renew_lease(self, server: str, lease: int) -> bool:
        """Extend a server's lease; False if the server is no longer registered."""

    async def end_server(self, server: str, now: int) -> None:
        """Record that a server stops, and that nobody is connected to it any more."""

    async def outages(self) -> list[tuple[int, int]]:
        """The known periods without a running server: start and end, in milliseconds."""

    async def set_presence(self, server: str, seats: Mapping[str, Collection[int]], now: int) -> None:
        """Set which seats of these games are connected to a server; their other seats have left it now."""

    async def last_seen(self, server: str, games: Sequence[str]) -> dict[tuple[str, int], int]:
        """When seats of these games were last connected to other servers, or left this one.

        For a seat that is connected to another server, the time is the end of that server's lease.
        """

    def listen(self, heard: Callable[[str, int], None]) -> None:
        """Call heard(game, version) on the event loop when another server writes; calls may get lost."""
