"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Literal


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file's bytes so that a crash leaves the old ones or the new ones; OSError if it cannot be."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(draft, "wb", opener=private) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Make a new name in a folder survive a power cut, where the system can."""
    if sys.platform == "win32":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def private(path: str, flags: int) -> int:
    """An opener for files that are nobody else's business."""
    return os.open(path, flags, 0o600)


def home_folder(kind: Literal["state", "cache"]) -> Path:
    """Where this person's files of a kind are kept: games, or what can be made again."""
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
