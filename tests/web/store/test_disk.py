"""A disk that is full, fails or is locked costs nothing but time (SAFETY F4, F5, F6, F7)."""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import psycopg
import pytest
from tests.disks import fill
from tests.web.store.samples import event, open_game, with_store

from digit_duel.web.store import DamagedDatabase, Store, Unavailable, sql_store, sqlite, writer

MODULE = [sys.executable, "-m", "tests.web.store.failing_disk"]


def test_on_a_full_disk_writes_are_refused_until_there_is_space(small_disk: Path) -> None:
    async def scenario(store: Store) -> None:
        await open_game(store, "g")
        last, refused = 1, 0
        while refused < 10:
            filler = fill(small_disk)
            games = [f"game-{last}-{refused}-{n}" for n in range(20)]
            moved, *opened = await asyncio.gather(
                store.append("g", event(last + 1, 0, f"c{last + 1}")),
                *(open_game(store, game) for game in games),
                return_exceptions=True,
            )
            assert {type(one) for one in (moved, *opened)} <= {type(None), Unavailable}
            written = {game for game, told in zip(games, opened, strict=True) if told is None}
            assert (await store.versions(games)).keys() == written  # each as it was told
            last, refused = (last + 1, refused) if moved is None else (last, refused + 1)
            assert await store.versions(["g"]) == {"g": last}
            assert [one.version for one in await store.log("g")] == list(range(1, last + 1))
        filler.unlink()
        for version in range(last + 1, last + 30):
            await store.append("g", event(version, 0, f"c{version}"))
        assert [one.version for one in await store.log("g")] == list(range(1, last + 30))

    with_store(str(small_disk / "duel.sqlite3"), scenario)
    log = with_store(str(small_disk / "duel.sqlite3"), lambda store: store.log("g"))
    assert log[1:] == [event(version, 0, f"c{version}") for version in range(2, len(log) + 1)]


@pytest.fixture(scope="module")
def failing_disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that lets calls to the disk fail."""
    library = tmp_path_factory.mktemp("disk") / "failing_disk.so"
    source = Path(__file__).with_name("failing_disk.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


@pytest.fixture
def quick_folder() -> Iterator[Path]:
    """A folder in memory, where there is one: the failures are the same and syncing takes no time."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


@pytest.mark.slow
@pytest.mark.parametrize(("error", "short"), [(errno.ENOSPC, 1), (errno.EIO, 0)])
def test_a_failure_of_any_disk_call_loses_nothing_acknowledged(
    failing_disk: Path, quick_folder: Path, error: int, short: int
) -> None:
    """F5, R15."""
    done = subprocess.run(
        [*MODULE, str(failing_disk), str(quick_folder), str(error), str(short)],
        env={**os.environ, "LD_PRELOAD": str(failing_disk)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 60  # at least three calls a move


@pytest.fixture
def lock(address: str) -> Iterator[str]:
    """Keep the database locked from another connection while the test runs."""
    with_store(address, lambda store: open_game(store, "g"))
    if address.startswith("postgresql"):
        with psycopg.connect(address) as holder:
            holder.execute("SELECT * FROM digit_duel.games FOR UPDATE")
            yield address
    else:
        with closing(sqlite3.connect(address, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield address


@pytest.mark.slow
def test_a_database_that_stays_locked_is_unavailable_after_five_seconds_and_can_be_read(lock: str) -> None:
    """F6."""

    async def scenario(store: Store) -> None:
        begun = monotonic()
        waiting = asyncio.create_task(store.append("g", event(2)))
        await asyncio.sleep(2)
        later = asyncio.create_task(store.append("g", event(2, 0, "later")))
        assert await store.log("g") == [event(1)]  # reading waits for nobody
        assert not waiting.done()
        with pytest.raises(Unavailable):
            await waiting
        assert monotonic() - begun > 4.5
        with pytest.raises(Unavailable):
            await later

    with_store(lock, scenario)


def test_a_write_waits_for_a_lock_that_is_released_in_time(tmp_path: Path) -> None:
    async def scenario(store: Store) -> None:
        await open_game(store, "g")
        with closing(sqlite3.connect(tmp_path / "duel.sqlite3", isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            waiting = [asyncio.create_task(store.append("g", event(version))) for version in (2, 3, 4)]
            await asyncio.sleep(0.4)
            assert not any(task.done() for task in waiting)
            holder.execute("ROLLBACK")
        await asyncio.gather(*waiting)
        assert await store.versions(["g"]) == {"g": 4}

    with_store(str(tmp_path / "duel.sqlite3"), scenario)


def test_a_write_waits_for_a_sqlite_lock_only_as_long_as_promised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_store, "WRITE_TIMEOUT", 0.3)

    async def scenario(store: Store) -> None:
        await open_game(store, "g")
        with closing(sqlite3.connect(tmp_path / "duel.sqlite3", isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            begun = monotonic()
            told = await asyncio.gather(
                *(store.append("g", event(2, 0, f"c{n}")) for n in range(50)), return_exceptions=True
            )
            assert {type(one) for one in told} == {Unavailable}
            assert 0.25 < monotonic() - begun < 0.5 * 50 * 0.3, "they wait together, and not one by one"
        await store.append("g", event(2))

    with_store(str(tmp_path / "duel.sqlite3"), scenario)


def test_a_failed_commit_fails_every_request_of_the_batch_and_writes_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(store: Store) -> None:
        await open_game(store, "g")
        really = sqlite.SqliteConnection.do

        def fails(link: sqlite.SqliteConnection, sql: str, values: tuple[object, ...]) -> int:
            if sql == "COMMIT":
                raise Unavailable("The disk is on fire.")
            return really(link, sql, values)

        with monkeypatch.context() as patch:
            patch.setattr(sqlite.SqliteConnection, "do", fails)
            told = await asyncio.gather(
                store.append("g", event(2, 0, "a")),
                store.append("g", event(2, 1, "b")),  # would be a conflict, had the first been written
                store.add_session("token", "anna", 0),
                open_game(store, "h"),
                return_exceptions=True,
            )
        assert [str(one) for one in told] == ["The disk is on fire."] * 4
        assert await store.versions(["g", "h"]) == {"g": 1}
        assert await store.person("token") is None
        await store.append("g", event(2, 1, "b"))

    with_store(str(tmp_path / "duel.sqlite3"), scenario)


def test_writes_are_refused_at_once_when_too_many_are_waiting(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MOST_WAITING", 30)

    async def scenario(store: Store) -> None:
        told = await asyncio.gather(
            *(open_game(store, f"game-{n}") for n in range(50)), return_exceptions=True
        )
        assert [type(one) for one in told] == [type(None)] * 30 + [Unavailable] * 20
        await open_game(store, "later")
        assert len(await store.versions([f"game-{n}" for n in range(50)])) == 30

    with_store(address, scenario)


def test_the_write_ahead_log_stays_short_during_long_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "LONGEST_WAL", 200_000)
    path, ahead = tmp_path / "duel.sqlite3", tmp_path / "duel.sqlite3-wal"

    async def scenario(store: Store) -> None:
        await open_game(store, "g")
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM events").fetchall()
            for version in range(2, 100):
                await store.append("g", event(version))
            assert ahead.stat().st_size > 400_000  # what the reader sees cannot be tidied away
        await store.append("g", event(100))
        await store.append("g", event(101))
        async with asyncio.timeout(60):
            while ahead.stat().st_size >= 200_000:
                await asyncio.sleep(0.01)
        for version in range(102, 250):
            await store.append("g", event(version))
            assert ahead.stat().st_size < 300_000

    with_store(str(path), scenario)


@pytest.mark.parametrize("content", [b"not a database " * 100, b"SQLite format 3\0" + b"\xff" * 4080])
def test_a_file_that_is_not_a_database_is_refused_and_not_changed(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "duel.sqlite3"
    path.write_bytes(content)
    with pytest.raises(DamagedDatabase):
        with_store(str(path), lambda store: store.log("g"))
    assert path.read_bytes() == content


def test_the_database_of_another_program_is_refused_and_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "duel.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name)")
    content = path.read_bytes()
    with pytest.raises(DamagedDatabase, match=r"is not a Digit Duel database. Nothing was changed"):
        with_store(str(path), lambda store: store.log("g"))
    assert path.read_bytes() == content


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"No such file or directory: .*/nowhere/duel.sqlite3"):
        with_store(str(tmp_path / "nowhere" / "duel.sqlite3"), lambda store: store.log("g"))
