"""A store in dictionaries: as strict as a database, and a thousand times faster."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence

from digit_duel.web.store import (
    PLAYING,
    Conflict,
    Event,
    Listed,
    Result,
    Revoked,
    SessionRow,
    Status,
    TakenSeat,
    Tally,
)


class Memory:
    """The logs, seats and sessions of one process, in memory."""

    def __init__(self) -> None:
        self.logs: dict[str, list[Event]] = defaultdict(list)
        self.rows: dict[str, Listed] = {}
        self.people: dict[str, dict[int, str]] = defaultdict(dict)
        self.sessions: dict[str, str] = {}
        self.codes: dict[str, str] = {}
        self.positions: dict[str, str | None] = {}
        self.results: list[Result] = []

    def clear(self) -> None:
        """Forget everything."""
        people = (self.people, self.sessions, self.codes)
        for kept in (self.logs, self.rows, *people, self.positions, self.results):
            kept.clear()

    async def start(self) -> None:
        """Nothing to open."""

    async def stop(self) -> None:
        """Nothing to close."""

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
        """Keep one event, or raise and keep nothing."""
        if session is not None and session not in self.sessions:
            raise Revoked
        if event.version != len(self.logs[game]) + 1 or (opens is not None) != (event.version == 1):
            raise Conflict
        if takes is not None and self.people[game].setdefault(takes.seat, takes.person) != takes.person:
            raise Conflict
        self.logs[game].append(event)
        self.positions[game] = status.position
        self.results += status.results
        row = opens or self.rows[game]
        self.rows[game] = Listed(
            game, row.variant, row.owner, event.version, status.over or row.over, row.opened, event.at
        )

    async def log(self, game: str, after: int = 0) -> list[Event]:
        """The events after a version."""
        return self.logs[game][after:] if game in self.logs else []

    async def openings(self, after: str, most: int) -> dict[str, str]:
        """The first event of each game."""
        games = sorted(game for game in self.logs if game > after)[:most]
        return {game: self.logs[game][0].body for game in games}

    async def probe(self) -> None:
        """Always succeed."""

    async def versions(self, games: Sequence[str]) -> dict[str, int]:
        """How far each game has come."""
        return {game: len(self.logs[game]) for game in games if game in self.logs}

    async def seats(self, game: str) -> dict[int, str]:
        """The person in each taken seat."""
        return dict(self.people[game])

    async def games_of(self, person: str, most: int) -> list[Listed]:
        """The games of a person, the last changed first."""
        mine = [
            row for row in self.rows.values() if row.owner == person or person in self.people[row.id].values()
        ]
        return sorted(mine, key=lambda row: -row.changed)[:most]

    async def running_games_of(self, person: str, most: int) -> list[Listed]:
        """The games of a person that are not over."""
        return [row for row in await self.games_of(person, 1 << 30) if not row.over][:most]

    async def results_of(self, person: str, before: tuple[int, str], most: int) -> list[Result]:
        """How a person's games ended, the last first."""
        mine = [each for each in self.results if each.person == person and (each.ended, each.game) < before]
        return sorted(mine, key=lambda each: (-each.ended, each.game))[:most]

    async def tallies_of(self, person: str, most: int) -> list[Tally]:
        """Each result by itself."""
        found = await self.results_of(person, (1 << 62, ""), most)
        return [
            Tally(one.variant, one.level, one.rival, name, one.ending, 1, one.ended)
            for one in found
            if one.seat is not None
            for name in [one.first_name if one.seat else one.second_name]
        ]

    async def results_due(self, most: int) -> list[str]:
        """Every result is here."""
        return []

    async def add_results(self, game: str, results: Sequence[Result]) -> None:
        """Nothing is ever due."""

    async def open_games_of(self, person: str) -> int:
        """How many of a person's games are not over."""
        return sum(row.owner == person and not row.over for row in self.rows.values())

    async def waiting_games_of(self, person: str) -> int:
        """Nobody is limited here."""
        return 0

    async def being_played(self, positions: Sequence[str]) -> int:
        """When the first game with one of these positions was opened."""
        found = [self.rows[game].opened for game, position in self.positions.items() if position in positions]
        return min(found, default=0)

    async def sessions_of(self, person: str, most: int) -> list[SessionRow]:
        """The sessions of a person."""
        found = [SessionRow(token, 0, 0, "") for token, whose in self.sessions.items() if whose == person]
        return found[:most]

    async def leave(self, person: str, keep: str, at: int) -> list[str]:
        """Forget all sessions of a person but one."""
        ended = [token for token, whose in self.sessions.items() if whose == person and token != keep]
        for token in ended:
            del self.sessions[token]
        return ended

    async def ended_since(self, at: int) -> list[str]:
        """There is no other server that could end a session."""
        return []

    async def add_session(self, token: str, person: str, at: int, device: str = "") -> None:
        """Let a token's hash stand for a person; whoever leaves may come back here."""
        self.sessions[token] = person

    async def person(self, token: str) -> str | None:
        """Whom a token's hash stands for."""
        return self.sessions.get(token)

    async def end_session(self, token: str, at: int = 0, codes: bool = False) -> None:
        """Forget a token's hash, and no codes."""
        self.sessions.pop(token, None)

    async def add_code(self, code: str, session: str, until: int) -> None:
        """Let a code's hash stand for the person of a session."""
        self.codes[code] = self.sessions[session]

    async def use_code(self, code: str, token: str, at: int, device: str = "") -> bool:
        """Let a token's hash stand for the person of a code, once."""
        person = self.codes.pop(code, None)
        if person is not None:
            self.sessions[token] = person
        return person is not None

    async def sweep(self, before: Mapping[str, int]) -> dict[str, int]:
        """Nothing grows old here."""
        return {}

    async def swept(self) -> int:
        """Nothing was ever forgotten."""
        return 0

    async def set_swept(self, at: int) -> None:
        """Nothing is forgotten."""

    async def add_server(self, server: str, now: int, lease: int) -> None:
        """There is one server."""

    async def renew_lease(self, server: str, lease: int) -> bool:
        """The only server is always running."""
        return True

    async def end_server(self, server: str, now: int) -> None:
        """Do nothing: there is one server."""

    async def outages(self) -> list[tuple[int, int]]:
        """It was never down."""
        return []

    async def set_presence(self, server: str, seats: Mapping[str, Collection[int]], now: int) -> None:
        """Do nothing: there is no other server."""

    async def last_seen(self, server: str, games: Sequence[str]) -> dict[tuple[str, int], int]:
        """There is no other server."""
        return {}

    def listen(self, heard: Callable[[str, int], None]) -> None:
        """There is nobody else who could write."""
