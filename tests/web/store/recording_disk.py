"""Plays games while recording_disk.c, preloaded, records every call to the disk; reads the recording back.

Python -m tests.web.store.recording_disk LIBRARY FOLDER NOTES SCRIPT plays a script in an empty folder.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

from tests.web.store.samples import NOW, listed, opened

from digit_duel.web.store import Event, Store, TakenSeat, migrations, sqlite, sqlite_file
from digit_duel.web.store.migrations import MigrationStep

ROOT = Path(__file__).parents[3]
SOURCE = Path(__file__).with_suffix(".c")
DATABASE = "duel.sqlite3"
LATER = MigrationStep(
    migrations.steps("sqlite")[-1].number + 1,
    "CREATE TABLE notes (game TEXT); INSERT INTO notes SELECT id FROM games;",
)
_ENTRY = struct.Struct("8sQQQ")


@dataclass(frozen=True, slots=True)
class Script:
    """What is played: some games side by side, in several sittings."""

    games: int
    last: int  # version of every game
    sittings: int = 1  # the store is closed in between
    stores: int = 1  # that share the file
    checkpoint: int = 1000  # pages of the write-ahead log that are enough to move them to the file
    longest: int = sqlite.LONGEST_WAL
    synchronous: str = "FULL"
    ending: str = "closed"  # or killed, or migrated by a later version

    @classmethod
    def drawn(cls, rng: Random) -> Script:
        """Any script with up to about a hundred events."""
        games = rng.randint(1, 12)
        return cls(
            games,
            rng.randint(3, max(6, 100 // games)),
            rng.randint(1, 3),
            rng.randint(1, 2),
            rng.choice((5, 20, 100, 1000)),
            rng.choice((20_000, 200_000, sqlite.LONGEST_WAL)),
            ending=rng.choice(("closed", "killed", "migrated")),
        )

    @property
    def names(self) -> list[str]:
        """The games."""
        return [f"game-{number:02}" for number in range(self.games)]


def planned(game: str, version: int) -> Event:
    """The event that a game has at a version; some are long."""
    body = f'{{"mark":"{game}/{version} ♠","more":"{"x" * (version * 89 % 900)}"}}'
    seat = None if version == 1 else version % 2
    return Event(version, seat, f"{game}.{version}", body, f"digest of {game}/{version}", NOW + version)


async def append(store: Store, game: str, version: int) -> None:
    """Write what is planned; the second and the third event also take a seat."""
    await store.append(
        game,
        planned(game, version),
        opens=listed(game) if version == 1 else None,
        takes=TakenSeat(version - 2, f"person {version}") if version in (2, 3) else None,
    )


async def _play(disk: ctypes.CDLL, path: Path, script: Script) -> None:
    async def bring(store: Store, game: str, versions: range) -> None:
        for version in versions:
            disk.mark(f"begun {game} {version}".encode())
            await append(store, game, version)
            disk.mark(f"told {game} {version}".encode())

    ends = [script.last * sitting // script.sittings for sitting in range(script.sittings + 1)]
    for before, last in pairwise(ends):
        async with AsyncExitStack() as stack:
            stores = [await stack.enter_async_context(opened(str(path))) for _ in range(script.stores)]
            versions = range(before + 1, last + 1)
            await asyncio.gather(
                *(bring(stores[n % script.stores], game, versions) for n, game in enumerate(script.names))
            )
            if script.ending == "killed" and last == script.last:
                disk.leave()
    if script.ending == "migrated":
        sqlite_file.migrate(path, [*migrations.steps("sqlite"), LATER])


def play(library: str, folder: str, notes: str, script: Script) -> None:
    """Play a script, and have all written down that it does to a folder."""
    really = sqlite_file.connect

    def connect(path: Path, *, busy: float = sqlite_file.BUSY) -> sqlite3.Connection:
        link = really(path, busy=busy)
        link.execute(f"PRAGMA wal_autocheckpoint={script.checkpoint}")
        if script.synchronous != "FULL":
            link.execute(f"PRAGMA synchronous={script.synchronous}")
        return link

    disk = ctypes.CDLL(library)
    disk.record(folder.encode(), notes.encode())
    with ExitStack() as stack:
        for module in (sqlite, sqlite_file):
            stack.enter_context(patch.object(module, "connect", connect))
        stack.enter_context(patch.object(sqlite, "LONGEST_WAL", script.longest))
        asyncio.run(_play(disk, Path(folder) / DATABASE, script))


@dataclass(frozen=True, slots=True)
class Operation:
    """A call to the disk, or a mark between two."""

    kind: str  # create, write, size, sync, unlink, rename, folder (which was synced) or mark
    file: int = 0  # one number for each file that ever was
    name: str = ""  # that the file was created with; or the name unlinked; or the old/new one
    at: int = 0
    data: bytes = b""


def compiled(folder: Path) -> Path:
    """The library to preload."""
    library = folder / "recording_disk.so"
    options = ("-shared", "-fPIC", "-O1", "-ldl", "-pthread")
    subprocess.run(["cc", "-o", str(library), str(SOURCE), *options], check=True, timeout=60)
    return library


def quick_folder() -> TemporaryDirectory[str]:
    """A folder in memory, where there is one: the calls are the same and syncing takes no time."""
    memory = Path("/dev/shm")
    return TemporaryDirectory(dir=memory if memory.is_dir() else None)


def record(library: Path, script: Script, folder: Path) -> list[Operation]:
    """Play a script in an empty folder, by a process of its own, and return all that it did there."""
    with quick_folder() as place:
        notes = Path(place) / "notes"
        values = (str(library), str(folder.resolve()), str(notes), json.dumps(asdict(script)))
        subprocess.run(
            [sys.executable, "-m", "tests.web.store.recording_disk", *values],
            env={**os.environ, "LD_PRELOAD": str(library), "COVERAGE_PROCESS_START": ""},
            cwd=ROOT,
            check=True,
            timeout=120,
        )
        return list(_read(notes.read_bytes()))


def _read(notes: bytes) -> Iterator[Operation]:
    files: dict[int, tuple[int, str]] = {}  # by inode, which is used again after a file has gone
    at = created = 0
    while at < len(notes):
        kind, inode, offset, length = _ENTRY.unpack_from(notes, at)
        at += _ENTRY.size + length
        what, data = kind.rstrip(b"\0").decode(), notes[at - length : at]
        if what == "create":
            created += 1
            files[inode] = created, data.decode()
        if what in ("mark", "folder"):
            operation = Operation(what, data=data)
        elif what in ("unlink", "rename"):
            operation = Operation(what, name=data.decode())
        else:
            number, name = files[inode]
            operation = Operation(what, number, name, offset, data if what == "write" else b"")
        if not operation.name.endswith("-shm"):  # it is written through memory, and means nothing after a cut
            yield operation


def told_too_early(operations: Sequence[Operation]) -> list[str]:
    """The events that were acknowledged before a sync followed the write that holds them."""
    unsynced: dict[str, int | None] = {}  # the file that each event was written to, when it was
    early = []
    for operation in operations:
        if operation.kind == "mark":
            what, game, version = operation.data.decode().split()
            if what == "begun":
                unsynced[f"{game}/{version}"] = None
            elif f"{game}/{version}" in unsynced:
                early.append(f"{game}/{version}")
        elif operation.kind == "write":
            for event, file in unsynced.items():
                if file is None and f'"{event} ♠"'.encode() in operation.data:
                    unsynced[event] = operation.file
        elif operation.kind == "sync":
            unsynced = {event: file for event, file in unsynced.items() if file != operation.file}
    return early


if __name__ == "__main__":
    play(sys.argv[1], sys.argv[2], sys.argv[3], Script(**json.loads(sys.argv[4])))
