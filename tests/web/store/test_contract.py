"""What a store promises, on both databases."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from tests.web.store.samples import NOW, event, listed, open_game, opened, with_store

from digit_duel.web.store import Conflict, Event, Store, Unavailable
from digit_duel.web.store.opening import open_store


def test_a_log_is_read_back_as_it_was_written(address: str) -> None:
    written = [
        Event(1, None, None, '{"do":"open"}', "d1", NOW),
        Event(2, 0, "a-1", '{"name":"Ænna ♥ \\"x\\" %s ?"}', "d2", NOW + 5),
        Event(3, 1, "b-1", "{}", "d3", 0),
        Event(4, None, "timer", '"\'; DROP TABLE events; --"', "d4", 2**53),
    ]

    async def scenario(store: Store) -> None:
        await store.append("g", written[0], opens=listed("g"))
        for one in written[1:]:
            await store.append("g", one)
        assert await store.log("g") == written
        assert await store.log("g", after=2) == written[2:]
        assert await store.log("g", after=4) == []
        assert await store.log("g", after=9) == []
        assert await store.log("another") == []

    with_store(address, scenario)

    async def later(store: Store) -> list[Event]:
        return await store.log("g")

    assert with_store(address, later) == written


@pytest.mark.parametrize("version", [0, 1, 2, 4, 5, -1, 2**31 - 1])
def test_an_event_that_does_not_follow_the_last_one_is_a_conflict(address: str, version: int) -> None:
    async def scenario(store: Store) -> None:
        await open_game(store, "g")
        await store.append("g", event(2, 0, "a"))
        with pytest.raises(Conflict):
            await store.append("g", event(version, 1, "b"))
        assert await store.log("g") == [event(1), event(2, 0, "a")]
        assert await store.versions(["g"]) == {"g": 2}

    with_store(address, scenario)


def test_a_game_is_opened_once_and_never_by_a_later_event(address: str) -> None:
    async def scenario(store: Store) -> None:
        with pytest.raises(Conflict):
            await store.append("g", event(1))
        with pytest.raises(Conflict):
            await store.append("g", event(2), opens=listed("g"))
        await open_game(store, "g")
        with pytest.raises(Conflict):
            await open_game(store, "g", owner="ben")
        with pytest.raises(Conflict):
            await store.append("g", event(2), opens=listed("g", owner="ben"))
        assert [game.owner for game in await store.games_of("anna", 9)] == ["anna"]
        assert await store.games_of("ben", 9) == []

    with_store(address, scenario)


def test_a_clients_id_counts_once_for_each_game_and_seat(address: str) -> None:
    async def scenario(store: Store) -> None:
        await open_game(store, "g")
        await open_game(store, "h")
        await store.append("g", event(2, 0, "x"))
        with pytest.raises(Conflict):
            await store.append("g", event(3, 0, "x"))
        await store.append("g", event(3, 1, "x"))
        await store.append("g", event(4, None, "x"))
        with pytest.raises(Conflict):
            await store.append("g", event(5, None, "x"))
        await store.append("g", event(5, None))
        await store.append("g", event(6, None))
        await store.append("g", event(7, 0))
        await store.append("g", event(8, 0))
        await store.append("h", event(2, 0, "x"))
        assert [one.version for one in await store.log("g")] == [1, 2, 3, 4, 5, 6, 7, 8]

    with_store(address, scenario)


def test_of_two_appends_in_one_batch_with_the_same_id_or_version_the_first_is_written(address: str) -> None:
    async def scenario(store: Store) -> None:
        await open_game(store, "g")
        told = await asyncio.gather(
            store.append("g", event(2, 0, "x")),
            store.append("g", event(2, 1, "y")),
            store.append("g", event(3, 0, "x")),
            store.append("g", event(3, 1, "y")),
            return_exceptions=True,
        )
        assert [type(one) for one in told] == [type(None), Conflict, Conflict, type(None)]
        assert await store.log("g") == [event(1), event(2, 0, "x"), event(3, 1, "y")]

    with_store(address, scenario)


def test_of_a_hundred_appends_of_the_same_version_one_succeeds(address: str) -> None:
    async def scenario(store: Store) -> None:
        await open_game(store, "g")
        for version in range(2, 12):
            told = await asyncio.gather(
                *(store.append("g", event(version, 0, f"{version}.{n}")) for n in range(100)),
                return_exceptions=True,
            )
            assert [type(one) for one in told].count(type(None)) == 1
            assert [type(one) for one in told].count(Conflict) == 99
        assert [one.version for one in await store.log("g")] == list(range(1, 12))

    with_store(address, scenario)


def test_games_that_grow_side_by_side_do_not_mix(address: str) -> None:
    async def scenario(store: Store) -> None:
        async def play(game: str) -> None:
            await open_game(store, game)
            for version in range(2, 22):
                await store.append(game, event(version, version % 2, f"{game}{version}"))

        games = [f"game-{n}" for n in range(100)]
        await asyncio.gather(*(play(game) for game in games))
        assert await store.versions([*games, "none"]) == dict.fromkeys(games, 21)
        for game in games:
            assert (await store.log(game))[1:] == [event(v, v % 2, f"{game}{v}") for v in range(2, 22)]

    with_store(address, scenario)


def test_a_store_is_notified_of_what_others_write_but_not_of_its_own_writes(address: str) -> None:
    async def scenario(one: Store) -> None:
        async with opened(address) as other:
            heard: list[tuple[str, str, int]] = []
            one.listen(lambda game, version: heard.append(("one", game, version)))
            other.listen(lambda game, version: heard.append(("other", game, version)))
            for number, writer in enumerate((one, other)):  # a store looks now and then whether to listen
                version, reader = 1, ("other", "one")[number]
                await open_game(writer, f"try-{reader}")
                while not any(name == reader for name, _, _ in heard):
                    version += 1
                    await writer.append(f"try-{reader}", event(version))
                    await asyncio.sleep(0.05)
            await open_game(one, "g")
            await _until(lambda: ("other", "g", 1) in heard)
            await other.append("g", event(2))
            await _until(lambda: ("one", "g", 2) in heard)
            await asyncio.gather(*(open_game(one, f"game-{n}") for n in range(300)))
            wanted = [("other", f"game-{n}", 1) for n in range(300)]
            await _until(lambda: set(wanted) <= set(heard))
            told = [each for each in heard if not each[1].startswith("try-")]
            assert sorted(told) == sorted([("other", "g", 1), ("one", "g", 2), *wanted])

    with_store(address, scenario)


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.005)


@pytest.mark.parametrize("body", ["lone \ud800 surrogate", "nul \0 byte"])
def test_an_event_that_cannot_be_stored_fails_alone(address: str, body: str) -> None:
    async def scenario(store: Store) -> None:
        await asyncio.gather(*(open_game(store, f"game-{n}") for n in range(20)))
        bad = Event(2, 0, "x", body, "digest", NOW)
        told = await asyncio.gather(
            *(store.append(f"game-{n}", bad if n == 7 else event(2)) for n in range(20)),
            return_exceptions=True,
        )
        assert isinstance(told[7], Exception)
        assert await store.versions(["game-7"]) == {"game-7": 1}
        assert [one for n, one in enumerate(told) if n != 7] == [None] * 19
        assert await store.versions(["game-6", "game-8"]) == {"game-6": 2, "game-8": 2}

    with_store(address, scenario)


def test_a_cancelled_append_does_not_affect_others(address: str) -> None:
    async def scenario(store: Store) -> None:
        await open_game(store, "g")
        impatient = asyncio.create_task(store.append("g", event(2)))
        await asyncio.sleep(0)
        impatient.cancel()
        await asyncio.gather(*(open_game(store, f"game-{n}") for n in range(20)))
        assert (await store.versions(["g"]))["g"] in (1, 2)
        assert len(await store.versions([f"game-{n}" for n in range(20)])) == 20

    with_store(address, scenario)


def test_a_store_finishes_pending_writes_and_then_refuses_new_ones(address: str) -> None:
    async def scenario() -> None:
        store = open_store(address)
        await store.start()
        await open_game(store, "g")
        begun = asyncio.create_task(store.append("g", event(2)))
        await asyncio.sleep(0)
        await store.stop()
        await begun
        with pytest.raises(Unavailable):
            await store.append("g", event(3))
        with pytest.raises(Unavailable):
            await store.log("g")
        await store.stop()  # twice is no mistake
        await store.start()  # and it can be opened again
        assert await store.versions(["g"]) == {"g": 2}
        await store.stop()

    asyncio.run(scenario())


def test_only_its_owner_may_read_the_database_file(tmp_path: Path) -> None:
    path = tmp_path / "duel.sqlite3"
    with_store(str(path), lambda store: store.add_session("hash", "anna", NOW))
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
def test_a_file_is_named_by_path_or_address(tmp_path: Path, form: str) -> None:
    path = tmp_path / "a folder" / "duel.sqlite3"
    path.parent.mkdir()
    with_store(form.format(path), lambda store: open_game(store, "g"))
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT id, version FROM games").fetchall() == [("g", 1)]
    connection.close()


def test_an_address_of_another_kind_is_refused_with_the_reason() -> None:
    with pytest.raises(
        ValueError, match=r"^mysql:// is not supported: use a path, sqlite:///path or postgresql://"
    ):
        open_store("mysql://localhost/duel")


@pytest.mark.parametrize(
    "text", ["host=here password=s3cret", "password = s3cret", "postgresql:/duel:s3cret@here/duel"]
)
def test_a_mistyped_address_is_not_taken_for_a_file_name(text: str) -> None:
    with pytest.raises(ValueError, match=r"^write a PostgreSQL address as postgresql://USER") as refused:
        open_store(text)
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize("password", ["s3cret@more", "s3cret/more", "12/34", "s3cret%more"])
def test_an_unescaped_password_is_refused_and_not_quoted(password: str) -> None:
    """Otherwise a part of it would count as the host, the port or the database, which errors quote."""
    with pytest.raises(ValueError, match=r"write special characters in a password as %XX") as refused:
        open_store(f"postgresql://duel:{password}@here:5432/duel")
    assert not any(part in str(refused.value) for part in ("s3cret", "more", "12", "34"))


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://duel:s3%40cret@here:1,there:2/duel",
        "postgresql://%2Ftmp/duel",
        "postgresql://[::1]:5432/duel",
    ],
)
def test_valid_addresses_are_accepted(address: str) -> None:
    open_store(address)


@pytest.mark.parametrize("text", ["", ".", "/", "sqlite:///"])
def test_an_address_without_a_file_name_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^the database setting names no file"):
        open_store(text)


def test_on_postgres_all_tables_are_in_one_schema(new_database: Callable[[], str]) -> None:
    address = new_database()
    with_store(address, lambda store: open_game(store, "g"))
    with psycopg.connect(address) as connection:
        found = connection.execute("SELECT DISTINCT schemaname FROM pg_tables WHERE tablename = 'games'")
        assert found.fetchall() == [("digit_duel",)]
