"""The store in one SQLite file, for any number of processes on one machine."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import uniform
from time import monotonic, sleep

from digit_duel.web.store import DamagedDatabase, Unavailable, rows
from digit_duel.web.store.connections import DatabaseConnection
from digit_duel.web.store.migrations import steps
from digit_duel.web.store.rows import Row
from digit_duel.web.store.sql_store import LogStore
from digit_duel.web.store.sqlite_file import connect, is_locked, migrate, translated_errors
from digit_duel.web.store.write_requests import Append

READERS = 2
NEWS_INTERVAL = 0.05  # seconds between checks for what other processes wrote
WAL_INTERVAL = 1.0  # seconds between checks of the write-ahead log
LONGEST_WAL = 16 << 20  # bytes; exceeded only while long reads prevent a checkpoint

_AMONG = "IN (SELECT value FROM json_each(?))"
# NOT INDEXED: search by number, because the index by game would be scanned completely.
_NEWS = "SELECT game, max(version) FROM events NOT INDEXED WHERE number > ? GROUP BY game"
_LAST = "SELECT coalesce(max(number), 0) FROM events"


class SqliteConnection:
    """One connection to the file."""

    versions = "SELECT id, version FROM games WHERE id {among}"
    touch = """
        UPDATE sessions SET seen = {1 bigint} FROM {rows}
        WHERE token = {0 text} AND seen < {2 bigint}"""

    def __init__(self, path: Path) -> None:
        with translated_errors():
            self._connection = connect(path)

    def find(self, sql: str, values: Row) -> list[Row]:
        with translated_errors():
            return self._connection.execute(_in_dialect(sql), values).fetchall()

    def find_all(self, questions: Sequence[tuple[str, Row]]) -> list[list[Row]]:
        return [self.find(sql, values) for sql, values in questions]

    def do(self, sql: str, values: Row) -> int:
        with translated_errors():
            return self._connection.execute(_in_dialect(sql), values).rowcount

    def do_all(self, statements: Sequence[tuple[str, Row]]) -> None:
        for sql, values in statements:
            self.do(sql, values)

    def begin(self) -> bool:
        """Begin a write transaction; False if another connection holds the lock."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            if is_locked(error):
                return False
            with translated_errors():
                raise
        return True

    def abort(self) -> None:
        self._connection.interrupt()

    def close(self) -> None:
        with suppress(sqlite3.Error):  # close() keeps the lock while any statement is alive
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        self._connection.close()


@cache
def _in_dialect(sql: str) -> str:
    """A statement in SQLite's dialect; cached, because all statements are constants of this package."""
    return rows.in_dialect(sql, _AMONG, "json_each(?) AS w", "w.value ->> {}")


class SqliteStore(LogStore):
    """A store in a SQLite file."""

    def __init__(self, path: Path) -> None:
        super().__init__(READERS)
        self._path = path
        self._wal = path.with_name(f"{path.name}-wal")
        self._link: SqliteConnection | None = None
        self._last_number: int | None = None  # of the last event that the listeners know
        self._last_change = -1
        self._checkpoint_due = False  # something failed, perhaps because the disk was full

    async def stop(self) -> None:
        await super().stop()
        self._drop()  # the last connection to close checkpoints the write-ahead log

    def _migrate(self) -> None:
        migrate(self._path, steps("sqlite"))

    def _connect(self) -> DatabaseConnection:
        connection = SqliteConnection(self._path)
        connection.do("PRAGMA query_only=ON", ())
        return connection

    def _linked(self) -> SqliteConnection:
        """The writing connection; SQLite must not wait for locks itself: it would sleep 100 ms at a time."""
        if self._link is None:
            self._link = SqliteConnection(self._path)
            self._link.do("PRAGMA busy_timeout=0", ())
        return self._link

    def _begin(self, until: float) -> DatabaseConnection:
        connection = self._linked()
        try:
            while not connection.begin():
                if monotonic() > until:
                    raise Unavailable("The database is locked.", "locked")
                sleep(uniform(0.0005, 0.002))
            self._look(connection)  # so that this process's next write is not reported as news
        except BaseException:
            self._drop()
            raise
        return connection

    def _commit(self, connection: DatabaseConnection, chosen: Sequence[Append]) -> None:
        number = rows.number(connection.find(_LAST, ())) if self._heard else None
        connection.do("COMMIT", ())
        self._last_number = number

    def _drop(self) -> None:
        connection, self._link = self._link, None
        self._checkpoint_due = True
        if connection is not None:
            connection.close()

    def _abort(self) -> None:
        connection = self._link
        if connection is not None:
            connection.abort()

    def _rest(self) -> float:
        """Check for news, and keep the write-ahead log short."""
        try:
            connection = self._linked()
            if self._heard:
                # data_version changes when another connection commits.
                change = rows.number(connection.find("PRAGMA data_version", ()))
                if change != self._last_change:
                    self._look(connection)
                    self._last_change = change
            if self._checkpoint_due or (self._wal.exists() and self._wal.stat().st_size > LONGEST_WAL):
                self._checkpoint_due = False
                connection.find("PRAGMA wal_checkpoint(TRUNCATE)", ())
        except (Unavailable, DamagedDatabase, OSError, MemoryError):
            self._drop()  # the next read or write reports it
        return NEWS_INTERVAL if self._heard else WAL_INTERVAL

    def _look(self, connection: DatabaseConnection) -> None:
        """Notify listeners of what other processes wrote since the last check."""
        if not self._heard:
            return
        if self._last_number is not None:
            news = connection.find(_NEWS, (self._last_number,))
            if news and self._loop is not None:
                self._loop.call_soon_threadsafe(self._tell, list(rows.pairs(news, str, int).items()))
        self._last_number = rows.number(connection.find(_LAST, ()))
