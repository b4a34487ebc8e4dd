"""Backups of a server's games: made while it runs, verified game by game, restored into either database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from digit_duel.core.files import write_whole
from digit_duel.web.play.fair_deals.deals import server_seed
from digit_duel.web.play.fold import DamagedLog, fold
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.server_key import BadKey, ServerKeys, key_path
from digit_duel.web.settings import Settings
from digit_duel.web.store import DamagedDatabase, rows
from digit_duel.web.store.connections import DatabaseConnection
from digit_duel.web.store.opening import sqlite_path
from digit_duel.web.store.portable import CannotCopy, check_version, is_whole, load, save

_GAMES = "SELECT id FROM games WHERE id > ? ORDER BY id LIMIT 500"


@dataclass(slots=True)
class CheckResult:
    """What a check found."""

    games: int = 0
    events: int = 0
    damaged: list[str] = field(default_factory=list)  # ids of games
    keyless: list[str] = field(default_factory=list)  # ids of games that no key fits
    whole: bool = True  # whether SQLite finds the file intact

    @property
    def sound(self) -> bool:
        """Whether the check found nothing wrong."""
        return self.whole and not self.damaged and not self.keyless


class _NoKey(Exception):
    """No key fits a game."""


def key_beside(file: Path) -> Path:
    """The path of a backup's copy of the key; the file may not exist."""
    return file.with_name(f"{file.name}.key")


def back_up(settings: Settings, to: Path, with_key: bool) -> CheckResult:
    """Save the games to a new file and verify it, or raise CannotCopy; the key is copied only on request."""
    keys = _keys(key_path(settings))
    save(settings.database, to)
    if with_key:
        write_whole(key_beside(to), key_path(settings).read_bytes())
    return _check(str(to), keys)


def restore(settings: Settings, file: Path) -> CheckResult:
    """Fill an empty database from an intact backup, or raise CannotCopy."""
    path, copied = key_path(settings), key_beside(file)
    if not path.exists():
        if not copied.exists():
            raise CannotCopy(f"the key is missing: copy it to {path} first (chmod 600).")
        write_whole(path, copied.read_bytes())
    keys = _keys(path)
    found = _check(str(_existing(file)), keys)
    if not found.whole:
        raise CannotCopy(f"{file} is damaged; nothing was restored.")
    if found.games and len(found.keyless) == found.games:
        raise CannotCopy(f"the key {path} is not the one of these games; nothing was restored.")
    load(file, settings.database)
    return _check(settings.database, keys)


def check(settings: Settings, file: Path | None) -> CheckResult:
    """Verify every game of a backup or of the server's database, or raise CannotCopy."""
    if file is None:
        return _check(settings.database, _keys(key_path(settings)))
    beside = key_beside(_existing(file))
    return _check(str(file), _keys(beside if beside.exists() else key_path(settings)))


def _existing(file: Path) -> Path:
    if not file.is_file():
        raise CannotCopy(f"there is no file {file}.")
    return file


def _keys(path: Path) -> ServerKeys:
    if not path.exists():
        raise CannotCopy(f"the key {path} is missing; without it no game can be verified.")
    try:
        keys = ServerKeys(path)
        keys.load()
    except BadKey as wrong:
        raise CannotCopy(str(wrong)) from None
    return keys


def _check(database: str, keys: ServerKeys) -> CheckResult:
    found = CheckResult()
    path = sqlite_path(database)
    if path is not None:
        _existing(path)
    check_version(database)
    if path is not None:
        found.whole = is_whole(path)
    with _reading(database) as connection:
        last = ""
        while games := rows.texts(connection.find(_GAMES, (last,))):
            for game in games:
                found.games += 1
                try:
                    found.events += _check_game(connection, game, keys)
                except _NoKey:
                    found.keyless.append(game)
                except (DamagedLog, DamagedDatabase):
                    found.damaged.append(game)
            last = games[-1]
    return found


def _check_game(connection: DatabaseConnection, game: str, keys: ServerKeys) -> int:
    """Verify a game and count its events, or raise DamagedLog or _NoKey."""
    log = rows.events(connection.find(rows.LOG, (0, game)), 0)
    opened = fold(OnlineGame(game), "", log[:1]).opened
    key = None if opened is None else keys.of(game, opened.seal)
    if key is None:
        raise _NoKey
    fold(OnlineGame(game), server_seed(key, game), log)
    return len(log)


@contextmanager
def _reading(database: str) -> Iterator[DatabaseConnection]:
    """A connection that reads one consistent snapshot of the database."""
    from digit_duel.web.store.postgres_server import PostgresConnection
    from digit_duel.web.store.sqlite import SqliteConnection

    path = sqlite_path(database)
    connection: DatabaseConnection = (
        SqliteConnection(path) if path is not None else PostgresConnection(database)
    )
    with closing(connection):
        connection.do("BEGIN" if path is not None else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", ())
        yield connection
