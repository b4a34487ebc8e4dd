"""The store in a PostgreSQL database, for any number of servers on any number of machines."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from time import monotonic, sleep

import msgspec
import psycopg

from digit_duel.web.store import Unavailable
from digit_duel.web.store.connections import DatabaseConnection
from digit_duel.web.store.migrations import steps
from digit_duel.web.store.postgres_server import PostgresConnection, address, check_address, migrate
from digit_duel.web.store.sql_store import WRITE_TIMEOUT, LogStore
from digit_duel.web.store.write_requests import Append

READERS = 4
IDLE_INTERVAL = 60.0  # seconds; there is no work between batches
RETRY_INTERVAL = 0.1  # seconds between attempts to connect
CHANNEL = "digit_duel"
_NEWS_AT_ONCE = 80  # games in one notification, which is limited to 8,000 bytes

_WRITTEN = """
    SELECT e.game, e.version FROM json_array_elements(?::json) AS w (value)
    JOIN events e ON e.game = w.value ->> 0
    AND e.version = (w.value ->> 1)::integer AND e.digest = w.value ->> 2"""


class _News(msgspec.Struct):
    """A notification: which games a server has written to, with their latest versions."""

    sender: int = msgspec.field(name="from")
    games: list[tuple[str, int]]


class PostgresStore(LogStore):
    """A store in a PostgreSQL database."""

    def __init__(self, url: str) -> None:
        super().__init__(READERS)
        check_address(url)
        self._url = url
        self._name = secrets.randbits(62)  # identifies this server's transactions and notifications
        self._link: PostgresConnection | None = None
        self._listening: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await super().start()
        self._begin_to_listen()

    async def stop(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            with suppress(asyncio.CancelledError):
                await self._listening
            self._listening = None
        await super().stop()
        if self._link is not None:
            self._link.close()
            self._link = None
        self._loop = None

    def listen(self, heard: Callable[[str, int], None]) -> None:
        super().listen(heard)
        self._begin_to_listen()

    def _begin_to_listen(self) -> None:
        if self._heard and self._loop is not None and self._listening is None:
            self._listening = self._loop.create_task(self._hear())

    async def _hear(self) -> None:
        """Listen as long as the store is open, and reconnect after errors."""
        while True:
            with suppress(psycopg.Error):  # polling finds what was missed
                connection = await psycopg.AsyncConnection.connect(address(self._url), autocommit=True)
                async with connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    async for notice in connection.notifies():
                        with suppress(msgspec.DecodeError):  # another program's; polling makes up for it
                            news = msgspec.json.decode(notice.payload, type=_News)
                            if news.sender != self._name:
                                self._tell(news.games)
            await asyncio.sleep(RETRY_INTERVAL)

    def _migrate(self) -> None:
        migrate(self._url, steps("postgres"))

    def _connect(self) -> DatabaseConnection:
        return PostgresConnection(self._url)

    def _begin(self, until: float) -> DatabaseConnection:
        while True:
            try:
                connection = self._link = self._link or PostgresConnection(self._url)
                # Held until the transaction ends: after a lost connection, the lock shows when that is.
                connection.do(
                    f"BEGIN; SELECT pg_advisory_xact_lock_shared({self._name});"
                    f"SET LOCAL lock_timeout TO {max(100, int(1000 * (until - monotonic())))}",
                    (),
                )
                return connection
            except Unavailable:  # nothing was written yet, so it is safe to try again
                self._drop()
                if monotonic() > until:
                    raise
                sleep(RETRY_INTERVAL)

    def _commit(self, connection: DatabaseConnection, chosen: Sequence[Append]) -> None:
        news = [(append.game, append.event.version) for append in chosen]
        notices = [
            msgspec.json.encode(_News(self._name, news[start : start + _NEWS_AT_ONCE])).decode()
            for start in range(0, len(news), _NEWS_AT_ONCE)
        ]
        mine = self._link
        assert mine is connection
        assert mine is not None
        try:
            mine.commit(CHANNEL, notices)
        except Unavailable:
            if not mine.lost or not self._settled(chosen):
                raise
            self._link = None

    def _settled(self, chosen: Sequence[Append]) -> bool:
        """Whether a transaction was committed although the connection was lost before the reply."""
        wanted = json.dumps([(append.game, append.event.version, append.event.digest) for append in chosen])
        until = monotonic() + 2 * WRITE_TIMEOUT
        while True:
            try:
                with closing(PostgresConnection(self._url)) as connection:
                    # This waits until the transaction has ended.
                    connection.do(f"SELECT pg_advisory_lock({self._name})", ())
                    return bool(chosen) and len(connection.find(_WRITTEN, (wanted,))) == len(chosen)
            except Unavailable:
                if monotonic() > until:
                    raise
                sleep(RETRY_INTERVAL)

    def _drop(self) -> None:
        connection = self._link
        if connection is not None:
            connection.roll_back()
            if connection.lost:
                self._link = None

    def _abort(self) -> None:
        connection = self._link
        if connection is not None:
            connection.abort()

    def _rest(self) -> float:
        return IDLE_INTERVAL
