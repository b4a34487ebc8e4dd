"""The base of both stores: a writer thread, a few reader threads, and the queries."""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from time import monotonic
from typing import TypeVar, cast

from digit_duel.web.store import (
    PLAYING,
    Event,
    Listed,
    Result,
    Revoked,
    SessionRow,
    Status,
    TakenSeat,
    Tally,
    Unavailable,
    rows,
)
from digit_duel.web.store.connections import DatabaseConnection, write_appends
from digit_duel.web.store.crash_points import reach
from digit_duel.web.store.readers import Readers
from digit_duel.web.store.reporting import count_commit
from digit_duel.web.store.rows import Row
from digit_duel.web.store.write_requests import Append, Call, WriteRequest
from digit_duel.web.store.writer import Writer

WRITE_TIMEOUT = 5.0  # seconds that a write may wait for the database
STOP_TIMEOUT = 2.0  # seconds that an unresponsive database may delay the shutdown
SWEPT_AT_ONCE = 2000  # events or sessions in one transaction, so that a sweep never delays moves
LEFT_KEPT = 400 * rows.DAY  # milliseconds
OUTAGES_KEPT = 30 * rows.DAY  # milliseconds
FULL_FOR = 10.0  # seconds that a full disk counts as full after a write has failed
R = TypeVar("R")


def in_batches(sizes: Mapping[str, int], most: int) -> Iterator[list[str]]:
    """Divide names into batches of at most this total size; a larger one is alone."""
    batch: list[str] = []
    left = most
    for name, size in sizes.items():
        if batch and size > left:
            yield batch
            batch, left = [], most
        batch.append(name)
        left -= size
    if batch:
        yield batch


class LogStore(ABC):
    """A store in an SQL database."""

    def __init__(self, readers: int) -> None:
        self._writer = Writer(self._write, self._rest)
        self._readers = Readers(self._connect, readers)
        self._heard: list[Callable[[str, int], None]] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._found_full = float("-inf")  # when a write last found the disk full

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        await asyncio.to_thread(self._migrate)
        self._readers.start()
        self._writer.start()

    async def stop(self) -> None:
        if not await self._writer.stop(STOP_TIMEOUT):
            self._abort()
            await self._writer.stop(STOP_TIMEOUT)
        await self._readers.stop(STOP_TIMEOUT)

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
        future = asyncio.get_running_loop().create_future()
        await self._writer.carry_out(Append(game, event, session, takes, opens, status, future=future))

    async def log(self, game: str, after: int = 0) -> list[Event]:
        return await self._ask(lambda db: rows.events(db.find(rows.LOG, (after, game)), after))

    async def probe(self) -> None:
        if monotonic() - self._found_full < FULL_FOR:  # the probe may still fit where a move does not
            raise Unavailable("The disk is full.", "disk_full")
        await self._do(rows.PROBE, ())

    async def openings(self, after: str, most: int) -> dict[str, str]:
        return await self._ask(lambda db: rows.pairs(db.find(rows.OPENINGS, (after, most)), str, str))

    async def versions(self, games: Sequence[str]) -> dict[str, int]:
        names = json.dumps(list(games))
        return await self._ask(lambda db: rows.pairs(db.find(rows.VERSIONS, (names,)), str, int))

    async def seats(self, game: str) -> dict[int, str]:
        return await self._ask(lambda db: rows.pairs(db.find(rows.SEATS, (game,)), int, str))

    async def games_of(self, person: str, most: int) -> list[Listed]:
        values = (person, person, most)
        return await self._ask(lambda db: rows.listed(db.find(rows.GAMES_OF, values)))

    async def running_games_of(self, person: str, most: int) -> list[Listed]:
        values = (person, person, most)
        return await self._ask(lambda db: rows.listed(db.find(rows.RUNNING_GAMES_OF, values)))

    async def results_of(self, person: str, before: tuple[int, str], most: int) -> list[Result]:
        values = (person, *before, most)
        return await self._ask(lambda db: rows.results(db.find(rows.RESULTS_OF, values)))

    async def tallies_of(self, person: str, most: int) -> list[Tally]:
        return await self._ask(lambda db: rows.tallies(db.find(rows.TALLIES_OF, (person, most))))

    async def results_due(self, most: int) -> list[str]:
        return await self._ask(lambda db: rows.texts(db.find(rows.RESULTS_DUE, (most,))))

    async def add_results(self, game: str, results: Sequence[Result]) -> None:
        def add(db: DatabaseConnection) -> None:
            if results:
                db.do(rows.ADD_RESULTS, (json.dumps(results),))
            db.do(rows.NO_LONGER_DUE, (game,))

        await self._call(add)

    async def open_games_of(self, person: str) -> int:
        return await self._ask(lambda db: rows.number(db.find(rows.OPEN_GAMES_OF, (person,))))

    async def waiting_games_of(self, person: str) -> int:
        return await self._ask(lambda db: rows.number(db.find(rows.WAITING_GAMES_OF, (person,))))

    async def being_played(self, positions: Sequence[str]) -> int:
        values = (json.dumps(list(positions)),)
        return await self._ask(lambda db: rows.number(db.find(rows.BEING_PLAYED, values)))

    async def add_session(self, token: str, person: str, at: int, device: str = "") -> None:
        def add(connection: DatabaseConnection) -> None:
            if connection.find(rows.HAS_LEFT, (person,)):
                raise Revoked
            connection.do(rows.ADD_SESSION, (token, person, at, at, device))

        await self._call(add)

    async def sessions_of(self, person: str, most: int) -> list[SessionRow]:
        return await self._ask(lambda db: rows.sessions(db.find(rows.SESSIONS_OF, (person, most))))

    async def leave(self, person: str, keep: str, at: int) -> list[str]:
        def leave(connection: DatabaseConnection) -> list[str]:
            ended: list[str] = []
            while True:  # until there are none: a session may make a code meanwhile, or begin with one
                found = rows.texts(connection.find(rows.END_SESSIONS_OF, (person, keep)))
                if not connection.do(rows.FORGET_CODES_OF, (person,)) and not found:
                    break
                ended += found
            connection.do(rows.ADD_LEFT, (person, at))
            connection.do_all([(rows.ADD_ENDED, (token, at)) for token in ended])
            return ended

        return await self._call(leave)

    async def ended_since(self, at: int) -> list[str]:
        return await self._ask(lambda db: rows.texts(db.find(rows.ENDED_SINCE, (at,))))

    async def person(self, token: str) -> str | None:
        return await self._ask(lambda db: rows.text(db.find(rows.PERSON, (token,))))

    async def end_session(self, token: str, at: int = 0, codes: bool = False) -> None:
        def end(connection: DatabaseConnection) -> None:
            person = rows.text(connection.find(rows.END_SESSION, (token,)))
            if person is None:
                return
            connection.do(rows.ADD_ENDED, (token, at))
            if codes:
                connection.do(rows.FORGET_CODES_OF, (person,))

        await self._call(end)

    async def add_code(self, code: str, session: str, until: int) -> None:
        def add(connection: DatabaseConnection) -> None:
            person = rows.text(connection.find(rows.HOLD_SESSION, (session,)))
            if person is None:
                raise Revoked
            connection.do(rows.FORGET_CODES, (person, until - rows.DAY))
            connection.do(rows.ADD_CODE, (code, person, until))

        await self._call(add)

    async def use_code(self, code: str, token: str, at: int, device: str = "") -> bool:
        def use(connection: DatabaseConnection) -> bool:
            person = rows.text(connection.find(rows.TAKE_CODE, (code, at)))
            if person is not None:
                connection.do(rows.ADD_SESSION, (token, person, at, at, device))
            return person is not None

        return await self._call(use)

    async def add_server(self, server: str, now: int, lease: int) -> None:
        def add(connection: DatabaseConnection) -> None:
            connection.do(rows.FORGET_PRESENCE, (now - rows.DAY, now - rows.DAY))
            connection.do(rows.FORGET_SERVERS, (now - OUTAGES_KEPT,))
            connection.do(rows.ADD_SERVER, (json.dumps([(server, now, lease)]),))

        await self._call(add)

    async def renew_lease(self, server: str, lease: int) -> bool:
        return await self._do(rows.RENEW_LEASE, (lease, server)) > 0

    async def end_server(self, server: str, now: int) -> None:
        def end(connection: DatabaseConnection) -> None:
            connection.do(rows.LEAVE, (now, server))
            connection.do(rows.RENEW_LEASE, (now, server))

        await self._call(end)

    async def outages(self) -> list[tuple[int, int]]:
        found = await self._ask(lambda db: rows.pairs(db.find(rows.OUTAGES, ()), int, int))
        return list(found.items())

    async def set_presence(self, server: str, seats: Mapping[str, Collection[int]], now: int) -> None:
        added = [(game, seat, server) for game, held in seats.items() for seat in held]

        def replace(connection: DatabaseConnection) -> None:
            connection.do(rows.DROP_PRESENCE, (now, server, json.dumps(list(seats))))
            if added:
                connection.do(rows.ADD_PRESENCE, (json.dumps(added),))

        await self._call(replace)

    async def last_seen(self, server: str, games: Sequence[str]) -> dict[tuple[str, int], int]:
        values = (server, json.dumps(list(games)))
        return await self._ask(lambda db: rows.last_seen(db.find(rows.LAST_SEEN, values)))

    async def sweep(self, before: Mapping[str, int]) -> dict[str, int]:
        return {kind: await self._sweep(kind, at) for kind, at in before.items()}

    async def swept(self) -> int:
        return await self._ask(lambda db: rows.number(db.find(rows.SWEPT, ())))

    async def set_swept(self, at: int) -> None:
        def write(connection: DatabaseConnection) -> None:
            connection.do(rows.SET_SWEPT, (at, at))
            connection.do(rows.FORGET_ENDED, (at - rows.DAY,))
            connection.do(rows.FORGET_LEFT, (at - LEFT_KEPT,))
            connection.do(rows.FORGET_PRESENCE, (at - rows.DAY, at - rows.DAY))

        await self._call(write)

    async def _sweep(self, kind: str, before: int) -> int:
        find, forget = rows.SWEEPS[kind]
        found = await self._ask(lambda db: rows.pairs(db.find(find, (before,)), str, int))
        gone = 0
        for names in in_batches(found, SWEPT_AT_ONCE):
            gone += await self._do(forget, (json.dumps(names), before))
        return gone

    def listen(self, heard: Callable[[str, int], None]) -> None:
        self._heard.append(heard)

    async def _ask(self, question: Callable[[DatabaseConnection], R]) -> R:
        return await self._readers.ask(question)

    async def _call(self, run: Callable[[DatabaseConnection], R]) -> R:
        request = Call(run, future=asyncio.get_running_loop().create_future())
        return cast(R, await self._writer.carry_out(request))

    async def _do(self, sql: str, values: Row) -> int:
        return await self._call(lambda db: db.do(sql, values))

    def _tell(self, news: Iterable[tuple[str, int]]) -> None:
        """Notify the listeners; runs on the event loop."""
        for game, version in news:
            for heard in self._heard:
                heard(game, version)

    # Everything below runs in the writer's thread.

    def _write(self, batch: Sequence[WriteRequest]) -> None:
        """Commit a batch; if that fails, commit each request by itself."""
        try:
            self._transact(batch)
        except Unavailable as wrong:
            if wrong.reason == "disk_full":
                self._found_full = monotonic()
            raise
        except Exception:
            if len(batch) == 1:
                raise
            for request in batch:
                request.error = None
                try:
                    self._transact([request])
                except Exception as error:
                    request.error = error

    def _transact(self, batch: Sequence[WriteRequest]) -> None:
        began = monotonic()
        appends = [request for request in batch if isinstance(request, Append)]
        reach("before_begin", counts=bool(appends))
        connection = self._begin(min(request.since for request in batch) + WRITE_TIMEOUT)
        try:
            chosen = write_appends(connection, appends)
            for request in batch:
                if isinstance(request, Call):
                    request.result = request.run(connection)
            reach("after_insert", counts=bool(appends))
            reach("before_commit", counts=bool(appends))
            self._commit(connection, chosen)
            reach("after_commit", counts=bool(appends))
            count_commit(len(batch), monotonic() - began)
        except BaseException:
            self._drop()
            raise

    @abstractmethod
    def _migrate(self) -> None:
        """Bring the database up to date, or raise NewerDatabase."""

    @abstractmethod
    def _connect(self) -> DatabaseConnection:
        """Open a connection for reading."""

    @abstractmethod
    def _begin(self, until: float) -> DatabaseConnection:
        """Begin a write transaction, or raise Unavailable after the deadline."""

    @abstractmethod
    def _commit(self, connection: DatabaseConnection, chosen: Sequence[Append]) -> None:
        """Commit the transaction, and return when it is on disk."""

    @abstractmethod
    def _drop(self) -> None:
        """Abandon the transaction and undo all of it."""

    @abstractmethod
    def _abort(self) -> None:
        """Interrupt a write that hangs; called from another thread."""

    @abstractmethod
    def _rest(self) -> float:
        """Do the work between batches, and return the seconds until it is due again."""
