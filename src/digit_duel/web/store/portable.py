"""Backs up a whole database, even while a server runs, as one SQLite file, and restores it.

PostgreSQL is read in one transaction with a consistent snapshot. Every table and column has the same name in
both kinds of database.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from graphlib import TopologicalSorter
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from digit_duel.core.files import private, sync_folder
from digit_duel.web.store import NewerDatabase
from digit_duel.web.store import postgres_server as postgres
from digit_duel.web.store import sqlite_file as sqlite
from digit_duel.web.store.migrations import steps
from digit_duel.web.store.opening import sqlite_path
from digit_duel.web.store.rows import Row

_OWN_TABLES = (
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'steps'"
)
_AT_ONCE = 2000  # rows in memory


class CannotCopy(Exception):
    """The backup or restore failed; the message says why."""


def save(database: str, to: Path) -> None:
    """Write a snapshot of a database to a new file, with the permissions of the original."""
    if to.exists():
        raise CannotCopy(f"{to} already exists; nothing was written.")
    path = sqlite_path(database)
    if path is not None and not path.exists():
        raise CannotCopy(f"there is no database {path}.")
    with _draft(to) as draft:
        if path is not None:
            _copy_file(path, draft)
            os.chmod(draft, path.stat().st_mode & 0o777)
        else:
            _from_postgres(database, draft)


def load(file: Path, database: str) -> None:
    """Restore a backup into a new database, completely or not at all."""
    path = sqlite_path(database)
    if path is None:
        with _up_to_date(file) as backup:
            _into_postgres(backup, database)
        return
    if path.exists() or path.with_name(f"{path.name}-wal").exists():
        raise CannotCopy(f"{path} already exists: move it away first, with {path.name}-wal if there is one.")
    with _draft(path) as draft:
        _copy_file(file, draft)
        os.chmod(draft, file.stat().st_mode & 0o777)


def check_version(database: str) -> None:
    """Raise NewerDatabase or CannotCopy if this version cannot read a database."""
    path = sqlite_path(database)
    if path is not None:
        sqlite.remaining(path, steps("sqlite"))
        return
    with postgres.translated_errors(), closing(postgres.connect(database)) as connection:
        _check_taken(postgres.taken(connection))


def is_whole(file: Path) -> bool:
    """Whether SQLite finds a file intact, with no broken references between rows."""
    with sqlite.translated_errors(), closing(sqlite.connect(file)) as connection:
        found = connection.execute("PRAGMA integrity_check").fetchall()
        return found == [("ok",)] and not connection.execute("PRAGMA foreign_key_check").fetchall()


@contextmanager
def _draft(to: Path) -> Iterator[Path]:
    """A temporary file that is moved into place once it is complete and on disk."""
    draft = to.with_name(f".{to.name}.draft")
    draft.unlink(missing_ok=True)
    try:
        with sqlite.translated_errors():
            os.close(private(str(draft), os.O_CREAT | os.O_RDWR))
            yield draft
            with open(draft, "rb") as file:
                os.fsync(file.fileno())
            os.replace(draft, to)
            sync_folder(to.parent)
    finally:
        for suffix in ("", "-wal", "-shm"):
            draft.with_name(f"{draft.name}{suffix}").unlink(missing_ok=True)


def _copy_file(source: Path, draft: Path) -> None:
    with closing(sqlite.connect(source)) as old, closing(sqlite.connect(draft)) as new:
        old.backup(new)
        new.execute("PRAGMA journal_mode=DELETE")  # a single file, without a write-ahead log


def _tables(connection: sqlite3.Connection) -> list[tuple[str, list[str]]]:
    """Every table with its columns, referenced tables first."""
    refers = {
        name: {row[2] for row in connection.execute(f"PRAGMA foreign_key_list({name})")}
        for (name,) in connection.execute(_OWN_TABLES)
    }
    # Only SQLite's events have the column number.
    return [
        (name, [row[1] for row in connection.execute(f"PRAGMA table_info({name})") if row[1] != "number"])
        for name in TopologicalSorter(refers).static_order()
    ]


def _from_postgres(url: str, draft: Path) -> None:
    sqlite.migrate(draft, steps("sqlite"))
    with closing(sqlite.connect(draft)) as new, _snapshot(url) as old:
        new.execute("PRAGMA foreign_keys=OFF")
        new.execute("BEGIN")
        for table, columns in _tables(new):
            names, places = ", ".join(columns), ", ".join("?" * len(columns))
            with old.cursor(name="rows") as cursor:
                cursor.execute(f"SELECT {names} FROM {table}")
                while found := cursor.fetchmany(_AT_ONCE):
                    new.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", found)
        new.execute("COMMIT")
        new.execute("PRAGMA journal_mode=DELETE")


@contextmanager
def _snapshot(url: str) -> Iterator[psycopg.Connection[Row]]:
    """A transaction that reads a consistent snapshot of the database."""
    with postgres.translated_errors(), closing(postgres.connect(url)) as connection:
        _check_taken(postgres.taken(connection))
        connection.execute("SET statement_timeout TO 0; SET idle_in_transaction_session_timeout TO 0")
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield connection


def _check_taken(taken: int) -> None:
    newest = steps("postgres")[-1].number
    if taken == 0:
        raise CannotCopy("this PostgreSQL database has no Digit Duel games.")
    if taken < newest:
        raise CannotCopy(
            "an older version of Digit Duel wrote this database: use that version, or start a server first."
        )
    if taken > newest:
        raise NewerDatabase("A newer version of Digit Duel wrote this database. Please update Digit Duel.")


@contextmanager
def _up_to_date(file: Path) -> Iterator[Path]:
    """A backup or, if an older version made it, a migrated copy."""
    if not sqlite.remaining(file, steps("sqlite")):
        yield file
        return
    with TemporaryDirectory(dir=file.parent) as folder:
        copy = Path(folder) / "migrated"
        _copy_file(file, copy)
        sqlite.migrate(copy, steps("sqlite"))
        yield copy


def _into_postgres(file: Path, url: str) -> None:
    postgres.migrate(url, steps("postgres"))
    with (
        postgres.translated_errors(),
        closing(postgres.connect(url)) as new,
        closing(sqlite.connect(file)) as old,
        new.transaction(),
    ):
        new.execute("SET LOCAL statement_timeout TO 0; SET LOCAL idle_in_transaction_session_timeout TO 0")
        if new.execute("SELECT 1 FROM games LIMIT 1").fetchone():
            raise CannotCopy("the PostgreSQL database already has games: restore into an empty one.")
        booleans = _boolean_columns(new)
        for table, columns in _tables(old):
            new.execute(f"DELETE FROM {table}")
            names = ", ".join(columns)
            flags = [(table, column) in booleans for column in columns]
            with new.cursor().copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in old.execute(f"SELECT {names} FROM {table}"):
                    copy.write_row(_with_booleans(row, flags))


def _boolean_columns(connection: psycopg.Connection[Row]) -> set[tuple[object, object]]:
    """The columns that are numbers in SQLite and booleans in PostgreSQL."""
    found = connection.execute(
        "SELECT table_name, column_name FROM information_schema.columns "
        "WHERE table_schema = 'digit_duel' AND data_type = 'boolean'"
    )
    return {(table, column) for table, column in found}


def _with_booleans(row: Row, flags: Sequence[bool]) -> list[object]:
    return [bool(value) if flag else value for value, flag in zip(row, flags, strict=True)]
