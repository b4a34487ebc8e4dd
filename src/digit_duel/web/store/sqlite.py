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
from digit_duel.web.store.connections import Connection
from digit_duel.web.store.migrations import steps
from digit_duel.web.store.rows import Row
from digit_duel.web.store.sql_store import LogStore
from digit_duel.web.store.sqlite_file import connect, errors_told, is_locked, migrate
from digit_duel.web.store.write_requests import Append

READERS = 2
LOOK = 0.05  # seconds between looks for what other processes wrote
QUIET = 1.0  # seconds between looks at the write-ahead log
LONGEST_WAL = 16 << 20  # bytes; passed only while long readings keep it from starting over

_AMONG = "IN (SELECT value FROM json_each(?))"
# By its number, and not by an index that has all games in order: that one would be read from end to end.
_NEWS = "SELECT game, max(version) FROM events NOT INDEXED WHERE number > ? GROUP BY game"
_LAST = "SELECT coalesce(max(number), 0) FROM events"


class SqliteConnection:
    """One connection to the file."""

    versions = "SELECT id, version FROM games WHERE id {among}"
    touch = """
        UPDATE sessions SET seen = {1 bigint} FROM {rows}
        WHERE token = {0 text} AND seen < {2 bigint}"""

    def __init__(self, path: Path) -> None:
        with errors_told():
            self._connection = connect(path)

    def find(self, sql: str, values: Row) -> list[Row]:
        with errors_told():
            return self._connection.execute(_spoken(sql), values).fetchall()

    def find_all(self, questions: Sequence[tuple[str, Row]]) -> list[list[Row]]:
        return [self.find(sql, values) for sql, values in questions]

    def do(self, sql: str, values: Row) -> int:
        with errors_told():
            return self._connection.execute(_spoken(sql), values).rowcount

    def do_all(self, statements: Sequence[tuple[str, Row]]) -> None:
        for sql, values in statements:
            self.do(sql, values)

    def begin(self) -> bool:
        """Take the lock to write, unless somebody else has it."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            if is_locked(error):
                return False
            with errors_told():
                raise
        return True

    def abort(self) -> None:
        self._connection.interrupt()

    def close(self) -> None:
        with suppress(sqlite3.Error):  # closing alone keeps the lock while a statement is alive somewhere
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        self._connection.close()


@cache
def _spoken(sql: str) -> str:
    """A statement as SQLite understands it; all of them are constants of this package."""
    return rows.spoken(sql, _AMONG, "json_each(?) AS w", "w.value ->> {}")


class SqliteStore(LogStore):
    """Logs, seats and sessions in one file."""

    def __init__(self, path: Path) -> None:
        super().__init__(READERS)
        self._path = path
        self._wal = path.with_name(f"{path.name}-wal")
        self._link: SqliteConnection | None = None
        self._last_number: int | None = None  # of the last event that the listeners know of
        self._last_change = -1
        self._cramped = False  # something failed, perhaps for want of room

    async def stop(self) -> None:
        await super().stop()
        self._drop()  # the last one to go empties the write-ahead log into the file

    def _migrate(self) -> None:
        migrate(self._path, steps("sqlite"))

    def _connect(self) -> Connection:
        connection = SqliteConnection(self._path)
        connection.do("PRAGMA query_only=ON", ())
        return connection

    def _linked(self) -> SqliteConnection:
        """The connection to write with; it never waits by itself, for it would sleep 100 ms at a time."""
        if self._link is None:
            self._link = SqliteConnection(self._path)
            self._link.do("PRAGMA busy_timeout=0", ())
        return self._link

    def _begin(self, until: float) -> Connection:
        connection = self._linked()
        try:
            while not connection.begin():
                if monotonic() > until:
                    raise Unavailable("The database is locked.", "locked")
                sleep(uniform(0.0005, 0.002))
            self._look(connection)  # so that what we write next is not taken for news
        except BaseException:
            self._drop()
            raise
        return connection

    def _commit(self, connection: Connection, chosen: Sequence[Append]) -> None:
        number = rows.number(connection.find(_LAST, ())) if self._heard else None
        connection.do("COMMIT", ())
        self._last_number = number

    def _drop(self) -> None:
        connection, self._link = self._link, None
        self._cramped = True
        if connection is not None:
            connection.close()

    def _abort(self) -> None:
        connection = self._link
        if connection is not None:
            connection.abort()

    def _rest(self) -> float:
        """Look for news, and keep the write-ahead log short."""
        try:
            connection = self._linked()
            if self._heard:
                # This number changes when somebody else commits.
                change = rows.number(connection.find("PRAGMA data_version", ()))
                if change != self._last_change:
                    self._look(connection)
                    self._last_change = change
            if self._cramped or (self._wal.exists() and self._wal.stat().st_size > LONGEST_WAL):
                self._cramped = False
                connection.find("PRAGMA wal_checkpoint(TRUNCATE)", ())
        except (Unavailable, DamagedDatabase, OSError, MemoryError):
            self._drop()  # whoever reads or writes next will be told
        return LOOK if self._heard else QUIET

    def _look(self, connection: Connection) -> None:
        """Tell of what other processes wrote since the last look."""
        if not self._heard:
            return
        if self._last_number is not None:
            news = connection.find(_NEWS, (self._last_number,))
            if news and self._loop is not None:
                self._loop.call_soon_threadsafe(self._tell, list(rows.pairs(news, str, int).items()))
        self._last_number = rows.number(connection.find(_LAST, ()))
