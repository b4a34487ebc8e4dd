"""The token that identifies this person to a server, in a file that nobody else can read."""

from __future__ import annotations

import json
import os
import stat
import sys
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from digit_duel.cli.errors import Problem
from digit_duel.core.files import home_folder, write_whole

_MAX_BYTES = 1000


def path_of(server: str) -> Path:
    """The token file of a server: one each, so that two games at once do not collide."""
    return home_folder("state") / f"online-{blake2b(server.encode(), digest_size=8).hexdigest()}.token"


def load(server: str) -> str | None:
    """The token for a server, None if there is none yet; raises Problem if others could have read it."""
    path = path_of(server)
    try:
        with open(path, "rb") as file:
            _check_private(path, os.fstat(file.fileno()))
            found = json.loads(file.read(_MAX_BYTES))
        if found["server"] != server or not isinstance(found["token"], str):
            raise ValueError
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Problem(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError) as wrong:
        raise Problem(f"{path} is damaged. Delete it to start a new session on the server.") from wrong
    token: str = found["token"]
    return token


def save(server: str, token: str) -> None:
    """Save a token; without it the next start begins a new session."""
    with suppress(OSError):
        write_whole(path_of(server), json.dumps({"server": server, "token": token}).encode())


def delete(server: str) -> None:
    """Delete a token that the server no longer accepts."""
    with suppress(OSError):
        path_of(server).unlink()


def _check_private(path: Path, found: os.stat_result) -> None:
    """Refuse a token that others may have seen."""
    if sys.platform == "win32":
        return
    if found.st_uid != os.getuid():
        raise Problem(f"{path} belongs to somebody else.")
    if stat.S_IMODE(found.st_mode) & 0o077:
        raise Problem(f"{path} can be read by others. Delete it, or make it private: chmod 600 {path}")
