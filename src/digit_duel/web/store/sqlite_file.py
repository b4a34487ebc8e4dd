"""Opens and migrates a SQLite file, and translates SQLite's errors."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep

from digit_duel.core.files import private, sync_folder
from digit_duel.web.store import Conflict, DamagedDatabase, Reason, Unavailable
from digit_duel.web.store.crash_points import reach
from digit_duel.web.store.migrations import CREATE_STEPS, MigrationStep, to_take

BUSY = 5.0  # seconds that a connection waits for a lock
OLDEST = (3, 38, 0)  # the first with strict tables and the -> operator for JSON
MIGRATION_TIMEOUT = 60.0  # seconds that a second server waits for the first one's migration
_DAMAGE = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_FORMAT,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_ERROR,  # the statements are correct, so the schema is damaged
}
_REASONS: dict[int, Reason] = {
    sqlite3.SQLITE_FULL: "disk_full",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_CANTOPEN: "unreachable",
}
_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def connect(path: Path, *, busy: float = BUSY) -> sqlite3.Connection:
    """Open the file in autocommit mode: callers begin and end transactions themselves."""
    connection = sqlite3.connect(path, timeout=busy, isolation_level=None, check_same_thread=False)
    try:
        for pragma in ("synchronous=FULL", "foreign_keys=ON", "trusted_schema=OFF", "cell_size_check=ON"):
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection


def is_locked(error: sqlite3.Error) -> bool:
    """Whether another connection holds the lock, so that waiting can help."""
    return _code(error) in _LOCKED


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn SQLite's errors into the store's."""
    try:
        yield
    except OSError as error:
        raise Unavailable(
            f"The database cannot be opened: {error.strerror}: {error.filename}.", "unreachable"
        ) from error
    except UnicodeDecodeError as error:  # SQLite's message quotes the damaged text
        raise DamagedDatabase("The database is damaged: it contains invalid UTF-8.") from error
    except sqlite3.IntegrityError as error:
        raise Conflict(f"A row already exists: {error}.") from error
    except (sqlite3.OperationalError, sqlite3.InternalError) as error:
        # Python raises an error without a code if a text is not UTF-8.
        if _code(error) is None or _code(error) in _DAMAGE or isinstance(error, sqlite3.InternalError):
            raise DamagedDatabase(f"The database is damaged: {error}.") from error
        reason = _REASONS.get(_code(error) or 0, "unavailable")
        raise Unavailable(f"The database cannot be used now: {error}.", reason) from error
    except sqlite3.DatabaseError as error:
        if _code(error) not in _DAMAGE:
            raise  # a bug in this program
        raise DamagedDatabase(f"The database is damaged: {error}.") from error


def _code(error: sqlite3.Error) -> int | None:
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def migrate(path: Path, steps: Sequence[MigrationStep]) -> None:
    """Migrate the file, completely or not at all; an older database is copied first."""
    if sqlite3.sqlite_version_info < OLDEST:
        raise Unavailable(f"SQLite 3.38 or later is needed, but this Python has {sqlite3.sqlite_version}.")
    with translated_errors():
        if not path.exists():  # SQLite would create it readable by other users
            os.close(private(str(path), os.O_CREAT | os.O_RDWR))
        with closing(connect(path, busy=MIGRATION_TIMEOUT)) as connection:
            left = to_take(steps, _taken(connection, path))
            _use_wal(connection)
            if left:
                connection.execute("BEGIN EXCLUSIVE")
                try:
                    _take(connection, path, steps)
                    connection.execute("COMMIT")
                except BaseException:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise


def remaining(path: Path, steps: Sequence[MigrationStep]) -> Sequence[MigrationStep]:
    """The steps that a file still has to take, or NewerDatabase."""
    with translated_errors(), closing(connect(path)) as connection:
        return to_take(steps, _taken(connection, path))


def _take(connection: sqlite3.Connection, path: Path, steps: Sequence[MigrationStep]) -> None:
    """Apply the remaining steps, inside a transaction."""
    taken = _taken(connection, path)  # another server may have been faster
    left = to_take(steps, taken)
    if left and taken:
        _copy(path, path.with_name(f"{path.name}.before-{left[-1].number}"))
    elif left:
        connection.execute(CREATE_STEPS)
    for step in left:
        for statement in _statements(step.sql):
            connection.execute(statement)
        connection.execute("INSERT INTO steps VALUES (?)", (step.number,))
        reach("migrating")


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch the file to a write-ahead log, permanently."""
    until = monotonic() + MIGRATION_TIMEOUT
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:  # a concurrent switch fails without waiting
            if not is_locked(error) or monotonic() > until:
                raise
            sleep(0.005)


def _taken(connection: sqlite3.Connection, path: Path) -> int:
    """The last step that a database has applied; 0 for an empty one."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if not tables:
        return 0
    if "steps" not in tables:
        raise DamagedDatabase(f"{path} is not a Digit Duel database. Nothing was changed.")
    (taken,) = connection.execute("SELECT max(number) FROM steps").fetchone()
    if not isinstance(taken, int):
        raise DamagedDatabase(f"{path} does not say which version wrote it. Nothing was changed.")
    return taken


def _copy(path: Path, to: Path) -> None:
    """Copy what is committed to a new file, completely or not at all."""
    draft = to.with_name(f"{to.name}.draft")
    draft.unlink(missing_ok=True)
    os.close(private(str(draft), os.O_CREAT | os.O_RDWR))
    with closing(connect(path)) as source, closing(connect(draft)) as target:
        source.backup(target)
    os.replace(draft, to)
    sync_folder(to.parent)


def _statements(sql: str) -> Iterator[str]:
    """The statements of a step, one by one, because executescript would commit the transaction first."""
    statement = ""
    for part in sql.split(";")[:-1]:
        statement += part + ";"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
