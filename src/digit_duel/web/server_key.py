"""The server's secret key, from which the seeds of all deals are derived; kept apart from the database."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from digit_duel.core.files import home_folder
from digit_duel.web.settings import Settings

_LENGTH = 32


class BadKey(Exception):
    """The key cannot be used; the message says why."""


def key_path(settings: Settings) -> Path:
    """The path of the key: beside a database file, or among the program's own files."""
    if settings.key_file is not None:
        return Path(settings.key_file)
    if "://" in settings.database:
        return home_folder("state") / "server.key"
    return Path(settings.database + ".key")


def server_key(settings: Settings) -> bytes:
    """The key; created at the first start, readable by its owner alone."""
    path = key_path(settings)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _read(path)
    with open(made, "wb") as file:
        file.write(secrets.token_bytes(_LENGTH))
        file.flush()
        os.fsync(file.fileno())
    return _read(path)


def _read(path: Path) -> bytes:
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise BadKey(f"{path.name} can be read by others: make it private first (chmod 600).")
    key = path.read_bytes()
    if len(key) != _LENGTH:
        raise BadKey(f"{path.name} is not a key of {_LENGTH} bytes.")
    return key
