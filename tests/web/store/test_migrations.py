"""Migrations: once, completely or not at all, with a copy of the old file (G3, G4, G5)."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from tests.web.store.samples import event, open_game, with_store
from tests.web.store.steps import BROKEN, LATER, LATER_STILL, NEWEST, migrate, migrate_and_die, migrate_far
from tests.web.store.workers import processes

from digit_duel.web.store import NewerDatabase, Unavailable, migrations
from digit_duel.web.store.opening import open_store


def ask(address: str, sql: str) -> list[tuple[object, ...]]:
    if address.startswith("postgresql"):
        with psycopg.connect(address, options="-c search_path=digit_duel") as connection:
            return connection.execute(sql).fetchall()
    with closing(sqlite3.connect(address)) as file:
        return file.execute(sql).fetchall()


def applied(address: str) -> int:
    """The last step that a database has taken; it must have taken all before that, and each once."""
    numbers = [number for (number,) in ask(address, "SELECT number FROM steps ORDER BY number")]
    assert numbers == list(range(1, len(numbers) + 1))
    return len(numbers)


def test_an_empty_database_takes_every_step_once(address: str) -> None:
    migrate(address, LATER)
    migrate(address, LATER)
    assert applied(address) == NEWEST + 1
    migrate(address, LATER, LATER_STILL)
    assert applied(address) == NEWEST + 2
    assert ask(address, "SELECT game, note, author FROM notes") == []


def test_an_old_database_keeps_its_games(address: str) -> None:
    with_store(address, lambda store: open_game(store, "g"))
    migrate(address, LATER, LATER_STILL)
    assert ask(address, "SELECT game, note, author FROM notes") == [("g", ";", None)]
    assert ask(address, "SELECT id, version FROM games") == [("g", 1)]


def test_a_migration_copies_an_old_file_but_not_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "duel.sqlite3"
    with_store(str(path), lambda store: open_game(store, "g"))
    assert [file.name for file in tmp_path.iterdir()] == ["duel.sqlite3"]
    migrate(str(path), LATER, LATER_STILL)
    copy = tmp_path / f"duel.sqlite3.before-{NEWEST + 2}"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["duel.sqlite3", copy.name]
    assert copy.stat().st_mode & 0o777 == 0o600
    assert applied(str(copy)) == NEWEST
    assert with_store(str(copy), lambda store: store.log("g")) == [event(1)]  # it can be gone back to


def test_the_copy_includes_the_write_ahead_log(tmp_path: Path) -> None:
    path = tmp_path / "duel.sqlite3"

    async def scenario() -> None:
        store = open_store(str(path))
        await store.start()
        await open_game(store, "g")
        await store.append("g", event(2))
        migrate(str(path), LATER)  # while another worker, still of the old version, plays on
        await store.append("g", event(3))
        await store.stop()

    asyncio.run(scenario())
    assert ask(f"{path}.before-{NEWEST + 1}", "SELECT version FROM games") == [(2,)]
    assert ask(str(path), "SELECT version FROM games") == [(3,)]


def test_a_newer_database_is_refused_with_the_reason_and_not_changed(address: str) -> None:
    """G4."""
    migrate(address, LATER, LATER_STILL)
    before = None if address.startswith("postgresql") else Path(address).read_bytes()
    with pytest.raises(NewerDatabase) as refusal:
        with_store(address, lambda store: open_game(store, "g"))
    assert str(refusal.value) == (
        f"A newer version of Digit Duel wrote this database (its step is {NEWEST + 2}; this version knows "
        f"{NEWEST}). Nothing was changed. Please update Digit Duel."
    )
    if before is not None:
        assert Path(address).read_bytes() == before
    assert ask(address, "SELECT count(*) FROM games") == [(0,)]


def test_a_step_that_fails_leaves_everything_as_it_was(address: str) -> None:
    migrate(address, LATER)
    with pytest.raises(Exception, match="nowhere"):
        migrate(address, LATER, BROKEN)
    assert applied(address) == NEWEST + 1
    with pytest.raises(Exception, match="half"):
        ask(address, "SELECT * FROM half")
    migrate(address, LATER, LATER_STILL)  # and the way forward is open


@pytest.mark.parametrize("times", [1, 2, 3, 4, 5, 6])
def test_a_migration_that_is_killed_changes_nothing(address: str, times: int) -> None:
    process = processes.Process(target=migrate_and_die, args=(address, times))
    process.start()
    process.join(20)
    assert process.exitcode == 137
    with pytest.raises((sqlite3.OperationalError, psycopg.errors.UndefinedTable), match="steps"):
        ask(address, "SELECT number FROM steps")
    migrate(address, LATER, LATER_STILL)
    assert applied(address) == NEWEST + 2


def test_an_old_database_is_unchanged_if_its_migration_is_killed(address: str) -> None:
    with_store(address, lambda store: open_game(store, "g"))
    process = processes.Process(target=migrate_and_die, args=(address, 2))
    process.start()
    process.join(20)
    assert process.exitcode == 137
    assert applied(address) == NEWEST
    assert with_store(address, lambda store: store.log("g")) == [event(1)]
    migrate(address, LATER, LATER_STILL)
    assert ask(address, "SELECT game FROM notes") == [("g",)]


@pytest.mark.parametrize("begun", [False, True])
def test_of_processes_that_migrate_at_once_one_does_it_and_the_others_wait(address: str, begun: bool) -> None:
    if begun:
        migrate(address)
    workers = [processes.Process(target=migrate_far, args=(address,)) for _ in range(5)]
    for process in workers:
        process.start()
    for process in workers:
        process.join(30)
        assert process.exitcode == 0
    assert applied(address) == NEWEST + 2


def test_both_kinds_of_database_have_the_same_steps() -> None:
    numbers = [step.number for step in migrations.steps("sqlite")]
    assert numbers == [step.number for step in migrations.steps("postgres")]
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_file_that_lost_its_write_ahead_mode_gets_it_back(tmp_path: Path) -> None:
    path = tmp_path / "duel.sqlite3"
    with_store(str(path), lambda store: open_game(store, "g"))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
    assert with_store(str(path), lambda store: store.log("g")) == [event(1)]
    assert ask(str(path), "PRAGMA journal_mode") == [("wal",)]


def test_a_database_that_is_not_there_is_unavailable(new_database: Callable[[], str]) -> None:
    address = new_database().replace("@/duel", "@/nothing")
    with pytest.raises(Unavailable, match="does not exist"):
        with_store(address, lambda store: store.log("g"))


def test_a_sqlite_that_is_too_old_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.34.1")
    with pytest.raises(
        Unavailable, match=r"^SQLite 3\.38 or later is needed, but this Python has 3\.34\.1\.$"
    ):
        with_store(str(tmp_path / "duel.sqlite3"), lambda store: store.log("g"))
    assert list(tmp_path.iterdir()) == []
