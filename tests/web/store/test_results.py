"""Results of games, on both databases: listed in pages, counted, and gone with their game."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.web.store.samples import NOW, event, open_game, with_store
from tests.web.store.test_migrations import ask

from digit_duel.web.store import Ending, Result, Status, Store, Tally, sqlite_file
from digit_duel.web.store.migrations import steps

LATEST = (1 << 62, "")


def result(game: str, ending: Ending, *, at: int, level: str | None = None, name: str = "Ben") -> Result:
    rival = None if level else "ben"
    return Result(game, "anna", at, 0, "classic", "Ænna", name, level, rival, ending)


async def end(store: Store, game: str, *results: Result, at: int = NOW) -> None:
    await open_game(store, game, at=at)
    await store.append(game, event(2, 0, at=at), status=Status(over=True, results=results))


def test_results_are_listed_in_pages_the_last_first(address: str) -> None:
    async def scenario(store: Store) -> None:
        for number, game in enumerate(("a", "b", "c", "d")):
            await end(store, game, result(game, "won", at=NOW + number // 2))  # two end at the same time
        first = await store.results_of("anna", LATEST, 3)
        assert [each.game for each in first] == ["d", "c", "b"]
        assert first[0] == result("d", "won", at=NOW + 1)
        rest = await store.results_of("anna", (first[-1].ended, first[-1].game), 3)
        assert [each.game for each in rest] == ["a"]
        assert await store.results_of("ben", LATEST, 3) == []

    with_store(address, scenario)


def test_results_are_counted_by_game_opponent_and_ending(address: str) -> None:
    async def scenario(store: Store) -> None:
        await end(store, "a", result("a", "won", at=NOW))
        await end(store, "b", result("b", "won", at=NOW + 9))
        await end(store, "c", result("c", "lost", at=NOW + 1, name="Benno"))
        await end(store, "d", result("d", "drawn", at=NOW + 2, level="careful", name="Computer"))
        await end(store, "e", result("e", "over", at=NOW + 3)._replace(seat=None))
        assert set(await store.tallies_of("anna", 9)) == {
            Tally("classic", None, "ben", "Ben", "won", 2, NOW + 9),
            Tally("classic", None, "ben", "Benno", "lost", 1, NOW + 1),
            Tally("classic", "careful", None, "Computer", "drawn", 1, NOW + 2),
        }
        assert await store.tallies_of("anna", 1) == [Tally("classic", None, "ben", "Ben", "won", 1, NOW + 9)]

    with_store(address, scenario)


def test_a_running_game_is_listed_until_it_is_over(address: str) -> None:
    async def scenario(store: Store) -> None:
        await open_game(store, "g")
        assert [row.id for row in await store.running_games_of("anna", 9)] == ["g"]
        await store.append("g", event(2, 0), status=Status(over=True, results=(result("g", "won", at=NOW),)))
        assert await store.running_games_of("anna", 9) == []

    with_store(address, scenario)


def test_a_game_that_is_deleted_takes_its_results_with_it(address: str) -> None:
    async def scenario(store: Store) -> None:
        await end(store, "g", result("g", "won", at=NOW))
        await store.sweep({"over": NOW + 1})
        assert await store.results_of("anna", LATEST, 9) == []

    with_store(address, scenario)


def test_the_results_of_older_games_are_due_once(address: str) -> None:
    async def scenario(store: Store) -> None:
        await open_game(store, "g")
        await store.add_results("g", [result("g", "won", at=NOW)])
        await store.add_results("g", [result("g", "won", at=NOW)])  # another server was as quick
        assert await store.results_of("anna", LATEST, 9) == [result("g", "won", at=NOW)]

    with_store(address, scenario)


def test_games_that_ended_before_the_migration_are_due(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite3"
    sqlite_file.migrate(path, [step for step in steps("sqlite") if step.number < 4])
    with closing(sqlite3.connect(path)) as old, old:
        for game, over in (("ended", 1), ("running", 0)):
            old.execute("INSERT INTO games (id, variant, owner, version, over, opened, changed) VALUES (?, 'classic', 'anna', 0, ?, 0, 0)", (game, over))  # fmt: skip # noqa: E501

    async def scenario(store: Store) -> list[str]:
        due = await store.results_due(9)
        await store.add_results("ended", [])
        assert await store.results_due(9) == []
        return due

    assert with_store(str(path), scenario) == ["ended"]


def test_a_result_is_not_stored_if_its_event_is_refused(address: str) -> None:
    async def scenario(store: Store) -> None:
        await open_game(store, "g")
        with pytest.raises(Exception, match="version"):
            await store.append(
                "g", event(9, 0), status=Status(over=True, results=(result("g", "won", at=NOW),))
            )
        assert await store.results_of("anna", LATEST, 9) == []

    with_store(address, scenario)
    assert ask(address, "SELECT count(*) FROM results") == [(0,)]
