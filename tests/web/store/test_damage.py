"""Damage to a database is detected or harmless, and never stops the server (SAFETY F14, R16)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from tests.web.store.flips import fill, flip
from tests.web.store.samples import event, open_game, with_store
from tests.web.store.workers import processes

from digit_duel.web.store import DamagedDatabase, Store


@pytest.fixture
def small_database() -> Iterator[Path]:
    """Some fifty kilobytes, in memory where that can be, for syncing takes long."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        path = Path(folder) / "duel.sqlite3"
        with_store(str(path), fill)
        yield path


@pytest.mark.parametrize(
    ("start", "step"), [(0, 251), pytest.param(1, 41, marks=pytest.mark.campaign)], ids=["some", "many"]
)
def test_whichever_bit_is_flipped_the_store_answers_or_says_that_it_cannot(
    small_database: Path, start: int, step: int
) -> None:
    size = small_database.stat().st_size
    process = processes.Process(target=flip, args=(str(small_database), start, step))
    process.start()
    process.join(100)
    assert process.exitcode == 0
    lines = Path(f"{small_database}.told").read_text().splitlines()
    told = {what: int(number) for what, _, number in (line.partition(":") for line in lines)}
    assert sum(told.values()) == len(range(start, size, step))
    assert told["harmless"] > 10  # most of the file is empty
    assert told["DamagedDatabase"] > 3


def test_a_game_that_cannot_be_read_does_not_affect_the_others(address: str) -> None:
    async def scenario(store: Store) -> None:
        for game in ("good", "bad"):
            await open_game(store, game)
            for version in (2, 3, 4):
                await store.append(game, event(version))
        statement = "DELETE FROM {}events WHERE game = 'bad' AND version = 3"
        if address.startswith("postgresql"):
            with psycopg.connect(address) as connection:
                connection.execute(statement.format("digit_duel."))
        else:
            with closing(sqlite3.connect(address)) as file:
                file.execute(statement.format(""))
                file.commit()
        with pytest.raises(DamagedDatabase, match="lacks version 3"):
            await store.log("bad")
        assert [one.version for one in await store.log("bad", after=3)] == [4]
        await store.append("good", event(5))
        assert [one.version for one in await store.log("good")] == [1, 2, 3, 4, 5]

    with_store(address, scenario)


def test_a_log_without_its_last_events_is_damaged(tmp_path: Path) -> None:
    address = str(tmp_path / "duel.sqlite3")

    async def scenario(store: Store) -> None:
        await open_game(store, "g")
        await store.append("g", event(2))
        with closing(sqlite3.connect(address)) as file:
            file.execute("DELETE FROM events WHERE version = 2")
            file.commit()
        with pytest.raises(DamagedDatabase, match="ends at version 1 of 2"):
            await store.log("g")
        with closing(sqlite3.connect(address)) as file:
            file.execute("DELETE FROM events")
            file.commit()
        with pytest.raises(DamagedDatabase, match="lacks version 1"):
            await store.log("g")

    with_store(address, scenario)
