"""Atomic file writes, and the folders for this user's files."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Literal


def write_whole(path: Path, data: bytes, *, shared: bool = False) -> None:
    """Replace a file atomically: a crash leaves the old content or the new; raises OSError on failure.

    Only its owner may read it, unless it is meant to be shared: then the umask decides.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o777 if shared else 0o700)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(draft, "wb", opener=None if shared else private) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException as why:
        with suppress(OSError):
            draft.unlink()
        if isinstance(why, OSError):
            why.filename = str(path)  # the draft's name would tell the user nothing
        raise
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Sync a folder, so that a new file name survives a power cut; Windows cannot."""
    if sys.platform == "win32":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def private(path: str, flags: int) -> int:
    """An opener for files that only their owner may read."""
    return os.open(path, flags, 0o600)


def home_folder(kind: Literal["state", "cache"]) -> Path:
    """The folder for this user's games (state), or for files that can be rebuilt (cache)."""
    if home := os.environ.get("DIGIT_DUEL_HOME"):
        return Path(home) if kind == "state" else Path(home) / "cache"
    if sys.platform == "win32":
        local = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "digit-duel"
        return local if kind == "state" else local / "cache"
    if sys.platform == "darwin":
        library = {"state": "Application Support", "cache": "Caches"}[kind]
        return Path.home() / "Library" / library / "digit-duel"
    if kind == "state":
        base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "digit-duel"
