"""Saved games: one small file per game, synced before the next prompt and locked during play."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from digit_duel.core.files import home_folder, private, write_whole
from digit_duel.core.record import FORMAT, BadRecord, NewerFormat, Record, read_record

SUFFIX = ".duel"
MAX_BYTES = 1_000_000
CHECKSUM = "Check"  # the header that holds it


class InUse(Exception):
    """Another process is playing this game; the text names it."""


class Unreadable(Exception):
    """A save that cannot be resumed, and why; the file is not changed."""


def folder() -> Path:
    """The folder of saved games."""
    return home_folder("state")


@dataclass(frozen=True, slots=True)
class Save:
    """The file of one game."""

    path: Path

    def write(self, record: Record) -> None:
        """Replace the save with a newer one; raises OSError and keeps the old one on failure."""
        headers = {
            "Format": str(FORMAT),
            **{k: v for k, v in record.headers.items() if k not in ("Format", CHECKSUM)},
        }
        unchecked = replace(record, headers=headers)
        text = replace(unchecked, headers={**headers, CHECKSUM: _checksum(unchecked)}).text()
        write_whole(self.path, text.encode())

    def read(self) -> Record:
        """The saved game; raises Unreadable."""
        text = read_bounded(self.path)
        try:
            record = read_record(text)
        except NewerFormat as newer:
            raise Unreadable("was saved by a newer version of Digit Duel") from newer
        except BadRecord as bad:
            raise Unreadable(f"is damaged: {bad}") from bad
        headers = {k: v for k, v in record.headers.items() if k != CHECKSUM}
        unchecked = replace(record, headers=headers, places=())
        if record.headers.get(CHECKSUM) != _checksum(unchecked):
            raise Unreadable("was changed by another program")
        return unchecked

    @property
    def saved_at(self) -> float:
        """When the game was saved last, in seconds since 1970; 0 if it is gone."""
        try:
            return self.path.lstat().st_mtime
        except OSError:
            return 0.0

    def holder(self) -> str:
        """Who plays the game now, such as "process 17"; nothing if nobody does."""
        try:
            file = open(self._lock_file, "r+b", buffering=0)  # noqa: SIM115  # closed below
        except OSError:  # nobody has locked it
            return ""
        with file:
            return "" if _try_lock(file, shared=True) else _named(file)

    @property
    def _lock_file(self) -> Path:
        return self.path.with_suffix(".lock")

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the game for this process; raises InUse. The system releases the lock if the process dies."""
        path = self._lock_file
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            file = open(path, "a+b", buffering=0, opener=private)  # noqa: SIM115  # closed below
        except OSError:  # without write access the save cannot change, so no lock is needed
            yield
            return
        with file:
            if not _try_lock(file):
                raise InUse(_named(file))
            if not is_same_file(path, file):  # its last holder removed it after we had opened it
                raise InUse("another process")
            with suppress(OSError):  # on a full disk the lock works, but does not name its holder
                file.truncate(0)
                file.write(f"{os.getpid()}\n".encode())
            try:
                yield
            finally:
                with suppress(OSError):  # Windows keeps an open file; the next holder reuses it
                    path.unlink()


def new_save() -> Save:
    """A save with a new name that sorts by time."""
    import secrets
    import time

    # Microseconds, because quick games of a match begin within the same second.
    now = time.time_ns()
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now // 10**9))
    return Save(folder() / f"{stamp}-{now // 1000 % 10**6:06}-{secrets.token_hex(3)}{SUFFIX}")


def all_saves() -> list[Save]:
    """Every saved game, the one saved last first."""
    try:
        paths = [path for path in folder().iterdir() if path.suffix == SUFFIX]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from error
    saves = [Save(path) for path in paths]
    # The name breaks ties: games of a match that were saved within one tick of the clock.
    return sorted(saves, key=lambda save: (save.saved_at, save.path.name), reverse=True)


def read_bounded(path: Path) -> str:
    """The text of an ordinary file that is not too large; raises Unreadable."""
    try:
        if not path.is_file():
            raise Unreadable("is not a file" if path.exists() else "does not exist")
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise Unreadable(f"is larger than {MAX_BYTES} bytes")
    try:
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise Unreadable(f"is damaged: byte {error.start + 1} is not UTF-8") from error


def is_same_file(path: Path, file: IO[bytes]) -> bool:
    """Whether an open file still has this name."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        return False


def _checksum(record: Record) -> str:
    from zlib import crc32

    return f"{crc32(record.text().encode()):08x}"


def _named(file: IO[bytes]) -> str:
    """Who holds a lock, as the file says."""
    file.seek(0)
    holder = file.read(20).decode("ascii", "replace").strip()
    return f"process {holder}" if holder else "another process"


def _try_lock(file: IO[bytes], shared: bool = False) -> bool:
    """Whether the lock could be taken, shared or alone; it ends when the file is closed."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
