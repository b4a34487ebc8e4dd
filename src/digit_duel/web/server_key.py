"""The server's secret keys, from which the seeds of all deals are derived; kept apart from the database.

The first key in the file is for new games. Older keys follow, for the games that were dealt with them.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from digit_duel.core.files import home_folder, sync_folder, write_whole
from digit_duel.web.play.fair_deals.deals import deck_seal, server_seed
from digit_duel.web.settings import Settings
from digit_duel.web.store.opening import sqlite_path

_LENGTH = 32
_MOST_KEYS = 64


class BadKey(Exception):
    """The key cannot be used; the message says why."""


def key_path(settings: Settings) -> Path:
    """The path of the key file: next to a database file, or in the program's state folder."""
    if settings.key_file is not None:
        return Path(settings.key_file)
    path = sqlite_path(settings.database)
    return home_folder("state") / "server.key" if path is None else path.with_name(f"{path.name}.key")


class ServerKeys:
    """The keys in a file that only its owner may read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._keys: list[bytes] = []

    def load(self) -> None:
        """Read the keys, or raise BadKey; a file that does not exist is created, with one key."""
        _create(self.path)
        self._keys = _read(self.path)

    @property
    def newest(self) -> bytes:
        """The key for new games."""
        return self._keys[0]

    def of(self, game: str, seal: str) -> bytes | None:
        """The key that a game's deal was sealed with; None if it is not in the file."""
        found = self._find(game, seal)
        if found is None:  # another server may have added a newer key
            self._keys = _read(self.path)
            found = self._find(game, seal)
        return found

    def _find(self, game: str, seal: str) -> bytes | None:
        return next((key for key in self._keys if deck_seal(server_seed(key, game), game) == seal), None)


def rotate(path: Path) -> int:
    """Put a new key first, for servers that start from now on, and return the number of keys."""
    keys = _read(path)
    if len(keys) >= _MOST_KEYS:
        raise BadKey(f"{path.name} already holds {_MOST_KEYS} keys, the most there can be.")
    write_whole(path, secrets.token_bytes(_LENGTH) + b"".join(keys))
    return len(keys) + 1


def _create(path: Path) -> None:
    """Create the file if it does not exist, with all of its content at once: other servers may read it."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        if path.exists():
            return
        write_whole(draft, secrets.token_bytes(_LENGTH))
        os.link(draft, path)
        sync_folder(path.parent)
    except FileExistsError:
        return  # another server was faster
    except OSError as wrong:
        raise BadKey(f"the key {path} cannot be created: {wrong.strerror}.") from None
    finally:
        with suppress(OSError):
            draft.unlink()


def _read(path: Path) -> list[bytes]:
    try:
        if os.name == "posix" and path.stat().st_mode & 0o077:
            raise BadKey(f"{path.name} can be read by other users: make it private first (chmod 600).")
        data = path.read_bytes()
    except OSError as wrong:
        raise BadKey(f"the key {path} cannot be read: {wrong.strerror}.") from None
    if not data or len(data) % _LENGTH:
        raise BadKey(f"{path.name} is not a key file: its size must be a multiple of {_LENGTH} bytes.")
    return [data[at : at + _LENGTH] for at in range(0, len(data), _LENGTH)]
