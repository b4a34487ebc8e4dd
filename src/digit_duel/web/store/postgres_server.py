"""Connections to PostgreSQL, its migrations, and the translation of its errors."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from socket import SHUT_RDWR, socket

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from digit_duel.web.store import Conflict, DamagedDatabase, Reason, Unavailable, rows
from digit_duel.web.store.crash_points import reach
from digit_duel.web.store.migrations import CREATE_STEPS, MigrationStep, to_take
from digit_duel.web.store.rows import Row

MIGRATING = 0x44_75_65_6C  # the advisory lock that a migration holds
_AMONG = "= ANY (ARRAY(SELECT json_array_elements_text(%s::json)))"

_PORTS = re.compile("[0-9,]*")

# Timeouts in milliseconds: a server that hangs must not lock its games for longer.
# The planner must use indexes, even for a table that was empty when its statistics were last updated.
_SETTINGS = """
    SET search_path TO digit_duel; SET synchronous_commit TO on;
    SET lock_timeout TO 5000; SET statement_timeout TO 10000; SET idle_in_transaction_session_timeout TO 5000;
    SET enable_seqscan TO off; SET enable_hashjoin TO off; SET enable_mergejoin TO off"""
_NETWORK: dict[str, str | int | None] = {
    "application_name": "digit-duel",
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}


def check_address(url: str) -> None:
    """Raise ValueError for an invalid address, without quoting it: it may contain a password."""
    try:
        valid = not _is_torn(conninfo_to_dict(url))
    except psycopg.Error:
        valid = False
    if not valid:
        raise ValueError(
            "the PostgreSQL address is not valid (write special characters in a password as %XX)."
        )


def _is_torn(parts: Mapping[str, object]) -> bool:
    """Whether a part of the password counts as host, port or database, which error messages quote."""
    host, port, database = (str(parts.get(name) or "") for name in ("host", "port", "dbname"))
    return "@" in host[1:] + database or _PORTS.fullmatch(port) is None  # @ begins an abstract socket


def address(url: str) -> str:
    """The address with this program's connection parameters, unless it sets them itself."""
    return make_conninfo(url, **{**_NETWORK, **conninfo_to_dict(url)})


def connect(url: str) -> psycopg.Connection[Row]:
    """Connect in autocommit mode: callers begin and end transactions themselves."""
    connection: psycopg.Connection[Row] = psycopg.connect(address(url), autocommit=True)
    try:
        connection.execute(_SETTINGS)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn PostgreSQL's errors into the store's."""
    try:
        yield
    except (errors.UniqueViolation, errors.ForeignKeyViolation) as error:
        raise Conflict(f"A row already exists, or is gone: {_first_line(error)}.") from error
    except (errors.DeadlockDetected, errors.SerializationFailure) as error:
        raise Conflict(f"Another transaction was faster: {_first_line(error)}.") from error
    except (
        psycopg.OperationalError,
        psycopg.InterfaceError,
        errors.ReadOnlySqlTransaction,
        errors.InsufficientPrivilege,  # until the operator grants it
    ) as error:
        raise Unavailable(
            f"The database cannot be used now: {_first_line(error)}.", _reason(error)
        ) from error
    except psycopg.InternalError as error:
        raise DamagedDatabase(f"The database is damaged: {_first_line(error)}.") from error


def _reason(error: psycopg.Error) -> Reason:
    match error:
        case errors.DiskFull():
            return "disk_full"
        case errors.LockNotAvailable():
            return "locked"
        case errors.QueryCanceled():
            return "timeout"
        case errors.ReadOnlySqlTransaction():
            return "read_only"
        case errors.TooManyConnections():
            return "overloaded"
        case _:
            return "unreachable" if error.sqlstate is None else "unavailable"


def _first_line(error: Exception) -> str:
    """The first line of an error's message; the details after it quote rows."""
    return str(error).strip().partition("\n")[0].rstrip(".")


class PostgresConnection:
    """One connection to the server."""

    # Locks rows in the same order on all servers, which prevents deadlocks.
    versions = "SELECT id, version FROM games WHERE id {among} ORDER BY id FOR UPDATE"
    touch = """
        UPDATE sessions SET seen = news.at FROM
        (SELECT token, {1 bigint} AS at FROM {rows} JOIN sessions ON token = {0 text} AND seen < {2 bigint}
        FOR UPDATE OF sessions SKIP LOCKED) AS news WHERE sessions.token = news.token"""

    def __init__(self, url: str) -> None:
        with translated_errors():
            self._connection = connect(url)

    @property
    def lost(self) -> bool:
        """Whether the connection is gone."""
        return self._connection.closed

    def find(self, sql: str, values: Row) -> list[Row]:
        with translated_errors():
            return self._connection.execute(_in_dialect(sql), values).fetchall()

    def find_all(self, questions: Sequence[tuple[str, Row]]) -> list[list[Row]]:
        with translated_errors():
            with self._connection.pipeline():
                found = [self._connection.execute(_in_dialect(sql), values) for sql, values in questions]
            return [cursor.fetchall() for cursor in found]

    def do(self, sql: str, values: Row) -> int:
        with translated_errors():
            return self._connection.execute(_in_dialect(sql), values or None).rowcount

    def do_all(self, statements: Sequence[tuple[str, Row]]) -> None:
        with translated_errors(), self._connection.pipeline():
            for sql, values in statements:
                self._connection.execute(_in_dialect(sql), values)

    def commit(self, channel: str, notices: Sequence[str]) -> None:
        """Commit, and notify the other servers."""
        with translated_errors():
            with self._connection.pipeline():
                for notice in notices:
                    self._connection.execute("SELECT pg_notify(%s, %s)", (channel, notice))
                done = self._connection.execute("COMMIT")
            if done.statusmessage != "COMMIT":  # PostgreSQL rolls a failed transaction back without an error
                raise Unavailable("The transaction was rolled back.")

    def roll_back(self) -> None:
        """Roll the transaction back; close the connection if that fails."""
        try:
            self._connection.rollback()
        except psycopg.Error:
            self._connection.close()

    def close(self) -> None:
        self._connection.close()

    def abort(self) -> None:
        with (
            suppress(OSError, psycopg.Error),  # already closed
            socket(fileno=os.dup(self._connection.fileno())) as line,
        ):
            line.shutdown(SHUT_RDWR)


@cache
def _in_dialect(sql: str) -> str:
    """A statement in psycopg's dialect; cached, because all statements are constants of this package."""
    told = rows.in_dialect(sql, _AMONG, "json_array_elements(?::json) AS w (value)", "(w.value ->> {})::{}")
    return told.replace("?", "%s")


def migrate(url: str, steps: Sequence[MigrationStep]) -> None:
    """Migrate the database in one transaction; a second server waits for the first."""
    with translated_errors(), connect(url) as connection:
        if not to_take(steps, taken(connection)):
            return
        connection.execute("SET lock_timeout TO 60000; SET statement_timeout TO 60000")
        # Before the transaction: its snapshot must include tables that another server has just made.
        connection.execute("SELECT pg_advisory_lock(%s)", (MIGRATING,))
        with connection.transaction():
            before = taken(connection)
            left = to_take(steps, before)
            if left and not before:
                connection.execute("CREATE SCHEMA digit_duel")
                connection.execute(CREATE_STEPS)
            for step in left:
                connection.execute(step.sql)
                connection.execute("INSERT INTO steps VALUES (%s)", (step.number,))
                reach("migrating")


def taken(connection: psycopg.Connection[Row]) -> int:
    """The last step that a database has applied; 0 for an empty one."""
    found = connection.execute("SELECT to_regclass('digit_duel.steps') IS NOT NULL").fetchone()
    if found is None or not found[0]:
        return 0
    return rows.number(connection.execute("SELECT coalesce(max(number), 0) FROM steps").fetchall())
