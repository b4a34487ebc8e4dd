"""Storage of event logs: an append has reached the disk when it returns, or nothing was written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, TypeAlias


class Conflict(Exception):
    """The version, the client's id or the seat is taken already: read the log again."""


class Revoked(Exception):
    """The session that wanted to write has ended."""


Reason: TypeAlias = Literal[
    "closed", "disk_full", "locked", "overloaded", "read_only", "timeout", "unavailable", "unreachable"
]


class Unavailable(Exception):
    """The database cannot be used now; a later attempt may succeed.

    Nothing was written, unless the reason is a timeout: then it may be written when the database goes on.
    """

    def __init__(self, message: str, reason: Reason = "unavailable") -> None:
        super().__init__(message)
        self.reason: Reason = reason


class NewerDatabase(Exception):
    """A newer version of Digit Duel wrote this database; nothing was changed."""


class DamagedDatabase(Exception):
    """What is stored cannot be read."""


class Event(NamedTuple):
    """One event of a game's log."""

    version: int  # 1, 2, 3 ... without a gap
    seat: int | None  # who caused it; None is the server
    client: str | None  # the id that the seat's client gave it: once per game and seat
    body: str  # canonical JSON
    digest: str  # of this line, what it did, and the digest before
    at: int  # wall clock in milliseconds; after a restart clocks go by it

    def __repr__(self) -> str:
        return f"<event {self.version}>"  # the body may be secret


@dataclass(frozen=True, slots=True)
class Claim:
    """A person takes a seat."""

    seat: int
    person: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A game's row in lists."""

    id: str
    variant: str
    owner: str  # the person who opened it
    version: int
    over: bool
    opened: int
    changed: int


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session in the list that its owner sees."""

    token: str  # its hash
    started: int
    seen: int  # within a day
    device: str


Ending: TypeAlias = Literal["won", "lost", "drawn", "over"]


class Result(NamedTuple):
    """How a game ended for one person in it."""

    game: str
    person: str
    ended: int
    seat: int | None  # None is both
    variant: str
    first_name: str
    second_name: str
    level: str | None  # of the computer
    rival: str | None  # the other person
    ending: Ending

    def __repr__(self) -> str:
        return f"<result of {self.game}>"  # it holds who the people are


class Tally(NamedTuple):
    """How many games of a kind ended alike for a person, against one opponent under one name."""

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
    """What lists and limits know of a game after an event."""

    over: bool = False
    waiting: bool = False  # for a friend
    position: str | None = None  # a digest of rules and moves, while two people play apart
    results: tuple[Result, ...] = ()  # of a game that ends with this event


PLAYING = Status()


class Store(Protocol):
    """A database of logs, seats and sessions, shared by any number of servers."""

    async def start(self) -> None:
        """Migrate and open, or NewerDatabase."""

    async def stop(self) -> None:
        """Finish pending writes, and close."""

    async def append(
        self,
        game: str,
        event: Event,
        *,
        session: str | None = None,
        claim: Claim | None = None,
        opens: Listed | None = None,
        status: Status = PLAYING,
    ) -> None:
        """Commit one event (with the new game's row, or the seat it claims), or raise and write nothing.

        Raises Conflict, Revoked (session, a token's hash, is no longer there) or Unavailable.
        """

    async def log(self, game: str, after: int = 0) -> list[Event]:
        """The events after a version, in order; none for a game that is not there."""

    async def probe(self) -> None:
        """Write something that matters to nobody, to see whether that can be done."""

    async def any_game(self) -> str | None:
        """The id of some game, if there is one."""

    async def versions(self, games: Sequence[str]) -> dict[str, int]:
        """The last version of each of these games; unknown games are left out."""

    async def seats(self, game: str) -> dict[int, str]:
        """The person in each taken seat."""

    async def games_of(self, person: str, most: int) -> list[Listed]:
        """The games a person opened or sits in, the last changed first."""

    async def running_games_of(self, person: str, most: int) -> list[Listed]:
        """The games a person opened or sits in that are not over, the last changed first."""

    async def results_of(self, person: str, before: tuple[int, str], most: int) -> list[Result]:
        """How a person's games ended, the last first, from before a time and a game's id on."""

    async def tallies_of(self, person: str, most: int) -> list[Tally]:
        """The counts of a person's results, over so many of the last games."""

    async def results_due(self, most: int) -> list[str]:
        """Games that ended before results were kept."""

    async def add_results(self, game: str, results: Sequence[Result]) -> None:
        """Keep the results of a game that were due."""

    async def open_games_of(self, person: str) -> int:
        """How many of the games a person opened are not over."""

    async def waiting_games_of(self, person: str) -> int:
        """How many of the games a person opened wait for a friend."""

    async def being_played(self, variant: str, positions: Sequence[str]) -> int:
        """When the first game was opened in which two people have one of these positions now; 0 for none."""

    async def add_session(self, token: str, person: str, at: int, device: str = "") -> None:
        """Let a token's hash stand for a person."""

    async def sessions_of(self, person: str, most: int) -> list[SessionRow]:
        """So many sessions of a person, the last seen first."""

    async def leave(self, person: str, keep: str, at: int) -> list[str]:
        """Forget all sessions of a person but one, and all codes; return the sessions' hashes."""

    async def has_left(self, person: str) -> bool:
        """Whether a person has left everywhere."""

    async def ended_since(self, at: int) -> list[str]:
        """The hashes of the tokens of sessions that ended at a time or later."""

    async def person(self, token: str) -> str | None:
        """Whom a token's hash stands for."""

    async def end_session(self, token: str, at: int = 0) -> None:
        """Forget a token's hash, on every server at once."""

    async def add_code(self, code: str, person: str, until: int) -> None:
        """Let a one-time code's hash stand for a person."""

    async def take_code(self, code: str, now: int) -> str | None:
        """Whom a code stands for; it works once, and until it expires."""

    async def sweep(self, before: Mapping[str, int]) -> dict[str, int]:
        """Forget what changed last before a time, in milliseconds, and return how many of each kind.

        The kinds: unused (games that nobody joined), abandoned (games that did not end), over (games that
        ended) and sessions.
        """

    async def swept(self) -> int:
        """Up to which time old things were forgotten; 0 in a new database."""

    async def set_swept(self, at: int) -> None:
        """Write down up to which time old things were forgotten; never an earlier one than before."""

    async def add_server(self, server: str, now: int, lease: int) -> None:
        """Write down that a server starts, which lives until its lease ends."""

    async def renew_lease(self, server: str, lease: int) -> bool:
        """Write down that a server lives until a later time; False if nobody knows it any more."""

    async def end_server(self, server: str, now: int) -> None:
        """Write down that a server stops, and that nobody is connected to it."""

    async def outages(self) -> list[tuple[int, int]]:
        """When no server was running, as far as that is known: begin and end, in milliseconds."""

    async def set_presence(self, server: str, seats: Mapping[str, Collection[int]], now: int) -> None:
        """Replace which seats of these games are connected to a server; the others have left it now."""

    async def last_seen(self, server: str, games: Sequence[str]) -> dict[tuple[str, int], int]:
        """When seats of these games were last connected to other servers, or left this one.

        For a seat that is connected to another server it is the end of that server's lease.
        """

    def listen(self, heard: Callable[[str, int], None]) -> None:
        """Call heard(game, version) on the event loop when another server wrote; a call may get lost."""
