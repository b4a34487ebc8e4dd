"""Power cuts: what may be left of a folder when the power goes, and whether that is enough.

What is left is chosen at random among all that may be. Of a file, what was there when it was last synced; of
each later write any sectors, in any combination; of each later truncation all or nothing. A name is made or
gone for sure once its folder was synced. The bytes beside a write in the same sector stay as they are: SQLite
counts on that, and on nothing more.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from tests.web.store.recording_disk import DATABASE, LATER, Operation, Script, append, planned
from tests.web.store.samples import opened

from digit_duel.web.store import Conflict, DamagedDatabase, NewerDatabase, Store, Unavailable

SECTOR = 512
COPY = f"{DATABASE}.before-{LATER.number}"  # what a migration must leave


class Lost(Exception):
    """What a power cut must never do, and did; with the files that it left."""

    def __init__(self, told: str, files: Mapping[str, bytes] | None = None) -> None:
        super().__init__(told)
        self.files = files or {}


@dataclass(slots=True)
class Disk:
    """A model of the disk: what is synced, what is not, and what was acknowledged so far."""

    safe: dict[int, bytearray] = field(default_factory=dict)
    loose: dict[int, list[Operation]] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)  # the safe ones
    loose_names: dict[str, list[int | None]] = field(default_factory=dict)
    begun: Counter[str] = field(default_factory=Counter)  # the last version of each game
    told: Counter[str] = field(default_factory=Counter)

    def do(self, operation: Operation) -> None:
        """Take the next operation."""
        match operation.kind:
            case "mark":
                what, game, version = operation.data.decode().split()
                (self.begun if what == "begun" else self.told)[game] = int(version)
            case "create":
                self.safe[operation.file], self.loose[operation.file] = bytearray(), []
                self._name(operation.name, operation.file)
            case "unlink":
                self._name(operation.name, None)
            case "rename":
                old, new = operation.name.split("/")
                self._name(new, self._file(old))
                self._name(old, None)
            case "write" | "size":
                self.loose[operation.file].append(operation)
            case "sync":
                self.safe[operation.file] = self._whole(operation.file)
                self.loose[operation.file] = []
            case "folder":
                everything = {name: self._file(name) for name in (*self.names, *self.loose_names)}
                self.names = {name: file for name, file in everything.items() if file is not None}
                self.loose_names = {}
            case other:
                raise ValueError(other)

    def cut(self, rng: Random) -> dict[str, bytes]:
        """The files that a power cut may leave now."""
        names: dict[str, int | None] = {**self.names}
        for name, changes in self.loose_names.items():
            files = [self.names.get(name), *changes]
            names[name] = rng.choice((files[0], files[-1], rng.choice(files)))
        return {name: bytes(self._left(file, rng)) for name, file in names.items() if file is not None}

    def uncut(self) -> dict[str, bytes]:
        """The files as they are when the power stays."""
        names = {name: self._file(name) for name in (*self.names, *self.loose_names)}
        return {name: bytes(self._whole(file)) for name, file in names.items() if file is not None}

    def _left(self, file: int, rng: Random) -> bytearray:
        left = bytearray(self.safe[file])
        share = rng.choice((0, 1, rng.random()))  # nothing and everything are what happens most
        for operation in self.loose[file]:
            torn = operation.kind == "write" and rng.random() < 0.5
            for part in _sectors(operation) if torn else (operation,):
                if rng.random() < share:
                    _apply(left, part)
        return left

    def _whole(self, file: int) -> bytearray:
        whole = bytearray(self.safe[file])
        for operation in self.loose[file]:
            _apply(whole, operation)
        return whole

    def _name(self, name: str, file: int | None) -> None:
        self.loose_names.setdefault(name, []).append(file)

    def _file(self, name: str) -> int | None:
        return self.loose_names[name][-1] if name in self.loose_names else self.names.get(name)


def _apply(file: bytearray, operation: Operation) -> None:
    file.extend(bytes(max(0, operation.at - len(file))))
    if operation.kind == "size":
        del file[operation.at :]
    else:
        file[operation.at : operation.at + len(operation.data)] = operation.data


def _sectors(write: Operation) -> Iterator[Operation]:
    """The parts of a write that the disk takes one by one."""
    at, end = write.at, write.at + len(write.data)
    while at < end:
        until = min(end, (at // SECTOR + 1) * SECTOR)
        yield replace(write, at=at, data=write.data[at - write.at : until - write.at])
        at = until


async def cut_everywhere(
    operations: Sequence[Operation], script: Script, folder: Path, seed: str
) -> AsyncGenerator[Lost | None, None]:
    """Cut the power once after every operation, and say each time what was lost."""
    disk = Disk()
    for number, operation in enumerate(operations):
        disk.do(operation)
        if operation.data.startswith(b"begun "):
            continue  # neither the disk nor what was acknowledged has changed
        rng = Random(f"{seed}/{number}")
        files = disk.cut(rng)
        lay_out(folder, files, rng)
        try:
            await check(folder, script, disk.begun, disk.told)
        except Lost as lost:
            yield Lost(f"Cut after operation {number} ({operation.kind} {operation.name}): {lost}", files)
        else:
            yield None


def lay_out(folder: Path, files: Mapping[str, bytes], rng: Random) -> None:
    """Put files in place of what is in a folder; the index in shared memory is missing, or nonsense."""
    for old in folder.iterdir():
        old.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    if rng.random() < 0.5:
        (folder / f"{DATABASE}-shm").write_bytes(rng.randbytes(32_768))


async def check(folder: Path, script: Script, begun: Counter[str], told: Counter[str]) -> None:
    """The database opens, holds all that was acknowledged and nothing by halves, and goes on; or Lost."""
    path = folder / DATABASE
    try:
        try:
            await _check_database(path, script, begun, told)
        except NewerDatabase:  # it was migrated, and everything told before
            _check_migrated(path, script, told)
            await _check_database(folder / COPY, script, begun, told)
    except (Conflict, DamagedDatabase, NewerDatabase, Unavailable, sqlite3.Error) as error:
        raise Lost(f"{type(error).__name__}: {error}") from error


async def _check_database(path: Path, script: Script, begun: Counter[str], told: Counter[str]) -> None:
    async with opened(str(path)) as store:
        versions = await store.versions(script.names)
        for game in script.names:
            last = versions.get(game, 0)
            if not told[game] <= last <= begun[game]:
                raise Lost(f"{game} is at {last}; {told[game]} were acknowledged and {begun[game]} begun.")
            await _check_game(store, game, last)
        first = script.names[0]
        await append(store, first, versions.get(first, 0) + 1)
        await _check_game(store, first, versions.get(first, 0) + 1)
    _check_file(path)


async def _check_game(store: Store, game: str, last: int) -> None:
    if await store.log(game) != [planned(game, version) for version in range(1, last + 1)]:
        raise Lost(f"{game} at {last} has other events than were written.")
    if await store.seats(game) != {seat: f"person {seat + 2}" for seat in (0, 1) if last >= seat + 2}:
        raise Lost(f"{game} at {last} has other seats than were taken.")


def _check_migrated(path: Path, script: Script, told: Counter[str]) -> None:
    _check_file(path)
    with closing(sqlite3.connect(path)) as link:
        bodies = link.execute("SELECT game, version, body FROM events ORDER BY game, version").fetchall()
        noted = link.execute("SELECT game FROM notes ORDER BY game").fetchall()
    games = [(game, version) for game in script.names for version in range(1, told[game] + 1)]
    if bodies != [(game, version, planned(game, version).body) for game, version in games]:
        raise Lost("The migrated database has other events than were written.")
    if noted != [(game,) for game in script.names]:
        raise Lost("The database is migrated by halves.")


def _check_file(path: Path) -> None:
    with closing(sqlite3.connect(path)) as link:
        found = link.execute("PRAGMA integrity_check").fetchall()
        found += link.execute("PRAGMA foreign_key_check").fetchall()
    if found != [("ok",)]:
        raise Lost(f"The database is damaged: {found}.")
