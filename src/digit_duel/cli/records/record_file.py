"""The record file of --record: add games to it without changing anything else in it."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO
from urllib.parse import quote_from_bytes, unquote_to_bytes

from digit_duel.cli.records.save_file import CHECKSUM, is_same_file
from digit_duel.core.files import sync_folder, write_whole
from digit_duel.core.record import Record

RECORD_FILE = "Record"  # the header of a save that names the record file
_SAVE_HEADERS = ("Format", CHECKSUM, RECORD_FILE)
_EMPTY_LINE = b"\n"  # between two records


def with_file(record: Record, path: Path | None) -> Record:
    """A game to be saved, with the name of its record file in a header."""
    if path is None:
        return record
    # A header is one printable line, but the name of a file can be any bytes.
    name = quote_from_bytes(os.fsencode(path), safe="/\\: ")
    return replace(record, headers={**record.headers, RECORD_FILE: name})


def file_of(record: Record) -> Path | None:
    """The record file that a save names."""
    name = record.headers.get(RECORD_FILE)
    return None if name is None else Path(os.fsdecode(unquote_to_bytes(name)))


def without_save_headers(record: Record) -> Record:
    """A saved game without the headers that only its save needs."""
    headers = {key: value for key, value in record.headers.items() if key not in _SAVE_HEADERS}
    return replace(record, headers=headers)


def add(path: Path, record: Record, left: Record | None = None) -> None:
    """Add a game to a file, in place of an earlier record of the same game; raises OSError."""
    with _locked(path) as file:
        size = file.tell()
        file.write((_EMPTY_LINE if size else b"") + without_save_headers(record).text().encode())
        file.flush()
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            os.fsync(file.fileno())
            if left is not None:
                with suppress(OSError):  # the game is written; a stale earlier record is harmless
                    _remove(path.resolve(), without_save_headers(left).text().encode(), size)
    sync_folder(path.resolve().parent)


def _remove(path: Path, text: bytes, end: int) -> None:
    """Remove a record from the first bytes of a file, if it is there unchanged."""
    data = path.read_bytes()
    at = (_EMPTY_LINE * 2 + data[:end]).find(_EMPTY_LINE * 2 + text)  # after an empty line, or at the start
    if at < 0:
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    write_whole(path, data[:at] + data[at + len(text) :].removeprefix(_EMPTY_LINE))
    path.chmod(mode)


@contextmanager
def _locked(path: Path) -> Iterator[IO[bytes]]:
    """The file opened for appending, while other programs that append to it wait."""
    while True:
        with open(path, "ab") as file:
            _wait_for_lock(file)
            if is_same_file(path, file):  # else another program has replaced it
                yield file
                return


def _wait_for_lock(file: IO[bytes]) -> None:
    if sys.platform != "win32":
        import fcntl

        with suppress(OSError):  # some file systems have no locks
            fcntl.flock(file, fcntl.LOCK_EX)
