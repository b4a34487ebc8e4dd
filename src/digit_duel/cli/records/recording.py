"""The file that a person named for records: games are added to it, and nothing else in it is changed."""

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

from digit_duel.cli.records.saves import CHECK, is_at
from digit_duel.core.files import sync_folder, write_whole
from digit_duel.core.record import Record

ASKED = "Record"  # the header of a save that names the file
_OF_THE_SAVE = ("Format", CHECK, ASKED)
_BETWEEN = b"\n"  # an empty line


def noted(record: Record, path: Path | None) -> Record:
    """A game to be saved, with the file that its record goes to."""
    if path is None:
        return record
    # A header is one printable line, and the name of a file can be any bytes at all.
    name = quote_from_bytes(os.fsencode(path), safe="/\\: ")
    return replace(record, headers={**record.headers, ASKED: name})


def asked(record: Record) -> Path | None:
    """The file that the record of a saved game goes to."""
    name = record.headers.get(ASKED)
    return None if name is None else Path(os.fsdecode(unquote_to_bytes(name)))


def bare(record: Record) -> Record:
    """A saved game without what only its save must know."""
    headers = {key: value for key, value in record.headers.items() if key not in _OF_THE_SAVE}
    return replace(record, headers=headers)


def add(path: Path, record: Record, left: Record | None = None) -> None:
    """Add a game to the file, in place of the same game as it was left before; OSError if it cannot be."""
    with _held(path) as file:
        size = file.tell()
        file.write((_BETWEEN if size else b"") + bare(record).text().encode())
        file.flush()
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            os.fsync(file.fileno())
            if left is not None:
                with suppress(OSError):  # the game is written: its beginning beside it does no harm
                    _take_out(path.resolve(), bare(left).text().encode(), size)
    sync_folder(path.resolve().parent)


def _take_out(path: Path, text: bytes, end: int) -> None:
    """Take a record out of the first so many bytes of a file, if it stands there as it was written."""
    data = path.read_bytes()
    at = (_BETWEEN * 2 + data[:end]).find(_BETWEEN * 2 + text)  # after an empty line, or at the start
    if at < 0:
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    write_whole(path, data[:at] + data[at + len(text) :].removeprefix(_BETWEEN))
    path.chmod(mode)  # whoever could read it can read it still


@contextmanager
def _held(path: Path) -> Iterator[IO[bytes]]:
    """The file, open to be added to, while other programs that add to it wait."""
    while True:
        with open(path, "ab") as file:
            _wait_for(file)
            if is_at(path, file):  # else somebody has put another in its place
                yield file
                return


def _wait_for(file: IO[bytes]) -> None:
    if sys.platform != "win32":
        import fcntl

        with suppress(OSError):  # some file systems have no locks
            fcntl.flock(file, fcntl.LOCK_EX)
