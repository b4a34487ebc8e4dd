"""Games on disk: one small file a game, on disk before the next prompt, locked while it is played."""

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
LARGEST = 1_000_000
CHECK = "Check"


class InUse(Exception):
    """Another process is playing this game."""


class Unreadable(Exception):
    """A save that cannot be gone on with, and why; the file is left as it is."""


def folder() -> Path:
    """Where this person's games are kept."""
    return home_folder("state")


@dataclass(frozen=True, slots=True)
class Save:
    """One game's file."""

    path: Path

    def write(self, record: Record) -> None:
        """Put the game on disk, whole or not at all; OSError if that cannot be done."""
        headers = {
            "Format": str(FORMAT),
            **{k: v for k, v in record.headers.items() if k not in ("Format", CHECK)},
        }
        bare = replace(record, headers=headers)
        text = replace(bare, headers={**headers, CHECK: _check(bare)}).text()
        write_whole(self.path, text.encode())

    def read(self) -> Record:
        """The game as it was saved, or Unreadable."""
        text = read_bounded(self.path)
        try:
            record = read_record(text)
        except NewerFormat as newer:
            raise Unreadable("was saved by a newer version of Digit Duel") from newer
        except BadRecord as bad:
            raise Unreadable(f"is damaged: {bad}") from bad
        found = record.headers.get(CHECK)
        bare = replace(record, headers={k: v for k, v in record.headers.items() if k != CHECK}, places=())
        if found is None or found != _check(bare):
            raise Unreadable("was changed by something else than Digit Duel")
        return bare

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the game for this process, or InUse with who holds it; the system lets go of it if we die."""
        path = self.path.with_suffix(".lock")
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            file = open(path, "a+b", buffering=0, opener=private)  # noqa: SIM115  # closed below
        except OSError:  # where nothing can be written there is nothing to lock
            yield
            return
        with file:
            if not _locked(file):
                file.seek(0)
                holder = file.read(20).decode("ascii", "replace").strip()
                raise InUse(f"process {holder}" if holder else "another process")
            if not is_at(path, file):  # its last holder unlinked it after we had opened it
                raise InUse("another process")
            with suppress(OSError):  # a full disk: the lock holds, it only does not say whose it is
                file.truncate(0)
                file.write(f"{os.getpid()}\n".encode())
            try:
                yield
            finally:
                with suppress(OSError):  # Windows keeps an open file; the next one takes it over
                    path.unlink()


def new_save() -> Save:
    """A file name that no other game has."""
    import secrets
    import time

    # The name sorts by time, and quick games of a match begin within the same second.
    now = time.time_ns()
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now // 10**9))
    return Save(folder() / f"{stamp}-{now // 1000 % 10**6:06}-{secrets.token_hex(3)}{SUFFIX}")


def all_saves() -> list[Save]:
    """Every game kept, newest first."""
    try:
        paths = [path for path in folder().iterdir() if path.suffix == SUFFIX]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from error
    return [Save(path) for path in sorted(paths, key=lambda path: path.name, reverse=True)]


def read_bounded(path: Path) -> str:
    """The text of an ordinary file of bearable size, or Unreadable."""
    try:
        if not path.is_file():
            raise Unreadable("is not a file" if path.exists() else "does not exist")
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from error
    if len(data) > LARGEST:
        raise Unreadable(f"is larger than {LARGEST} bytes")
    try:
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise Unreadable(f"is damaged: byte {error.start + 1} is not text") from error


def _check(record: Record) -> str:
    from zlib import crc32

    return f"{crc32(record.text().encode()):08x}"


def is_at(path: Path, file: IO[bytes]) -> bool:
    """Whether the file that was opened and locked is still the one with this name."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        return False


def _locked(file: IO[bytes]) -> bool:
    """Whether the lock could be taken; it goes with the process."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
