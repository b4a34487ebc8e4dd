"""Sessions, seats, codes, lists and what is swept away, on both databases."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from tests.web.store.samples import DAY, NOW, event, listed, open_game, opened, with_store

from digit_duel.web.store import Conflict, Listed, Revoked, Status, Store, TakenSeat, sql_store


def test_a_session_that_has_ended_writes_nothing(address: str) -> None:
    async def scenario(store: Store) -> None:
        await store.add_session("token", "anna", NOW)
        assert await store.person("token") == "anna"
        assert await store.person("other") is None
        await store.append("g", event(1), opens=listed("g"), session="token")
        await store.append("g", event(2, 0, "a"), session="token", takes=TakenSeat(0, "anna"))
        await store.end_session("token")
        await store.end_session("token")  # twice is no mistake
        assert await store.person("token") is None
        with pytest.raises(Revoked):
            await store.append("g", event(3, 0, "b"), session="token")
        with pytest.raises(Revoked):
            await store.append("g", event(3, 0, "b"), session="token", takes=TakenSeat(1, "anna"))
        with pytest.raises(Revoked):
            await store.append("h", event(1), session="token", opens=listed("h"))
        assert await store.versions(["g", "h"]) == {"g": 2}
        assert await store.seats("g") == {0: "anna"}
        await store.append("g", event(3, 0, "b"))

    with_store(address, scenario)


def test_a_session_that_ends_on_one_server_has_ended_on_the_other(address: str) -> None:
    async def scenario(one: Store) -> None:
        async with opened(address) as other:
            await one.add_session("token", "anna", NOW)
            assert await other.person("token") == "anna"
            await open_game(other, "g")
            await other.append("g", event(2), session="token")
            await one.end_session("token")
            assert await other.person("token") is None
            with pytest.raises(Revoked):
                await other.append("g", event(3), session="token")

    with_store(address, scenario)


def test_a_token_stands_for_one_person_only(address: str) -> None:
    async def scenario(store: Store) -> None:
        await store.add_session("token", "anna", NOW)
        with pytest.raises(Conflict):
            await store.add_session("token", "ben", NOW)
        assert await store.person("token") == "anna"

    with_store(address, scenario)


def test_a_seat_is_taken_with_its_event_or_not_at_all(address: str) -> None:
    async def scenario(store: Store) -> None:
        await open_game(store, "g")
        await store.append("g", event(2, 0, "a"), takes=TakenSeat(0, "anna"))
        with pytest.raises(Conflict):
            await store.append("g", event(3, 0, "b"), takes=TakenSeat(0, "ben"))
        with pytest.raises(Conflict):
            await store.append("g", event(9, 1, "b"), takes=TakenSeat(1, "ben"))
        with pytest.raises(Conflict):
            await store.append("g", event(3, 0, "a"), takes=TakenSeat(1, "ben"))
        assert await store.seats("g") == {0: "anna"}
        await store.append("g", event(3, 1, "b"), takes=TakenSeat(1, "ben"))
        assert await store.seats("g") == {0: "anna", 1: "ben"}
        assert await store.seats("none") == {}

    with_store(address, scenario)


def test_of_two_people_who_take_one_seat_at_once_one_gets_it_every_time(address: str) -> None:
    async def scenario(one: Store) -> None:
        async with opened(address) as other:

            async def both(game: str) -> Sequence[object]:
                return await asyncio.gather(
                    one.append(game, event(2, 1, "ben"), takes=TakenSeat(1, "ben")),
                    other.append(game, event(2, 1, "cleo"), takes=TakenSeat(1, "cleo")),
                    return_exceptions=True,
                )

            for hundred in range(10):  # a thousand at once may wait too long on a busy machine
                games = [f"game-{hundred}-{n}" for n in range(100)]
                await asyncio.gather(*(open_game(one, game) for game in games))
                told = await asyncio.gather(*(both(game) for game in games))
                for game, (bens, cleos) in zip(games, told, strict=True):
                    assert {type(bens), type(cleos)} == {type(None), Conflict}
                    winner = "ben" if bens is None else "cleo"
                    assert await one.seats(game) == {1: winner}
                    assert await other.log(game) == [event(1), event(2, 1, winner)]

    with_store(address, scenario)


def test_a_code_works_once_and_until_it_expires(address: str) -> None:
    async def scenario(store: Store) -> None:
        await store.add_session("annas", "anna", NOW)
        await store.add_code("code", "annas", NOW + 600)
        tokens = [f"token {number}" for number in range(20)]
        worked = await asyncio.gather(*(store.use_code("code", token, NOW + 600) for token in tokens))
        assert sorted(worked) == [False] * 19 + [True]
        people = [await store.person(token) for token in tokens]
        assert people == ["anna" if works else None for works in worked]
        assert not await store.use_code("never", "other", NOW)
        await store.add_code("late", "annas", NOW + 600)
        assert not await store.use_code("late", "other", NOW + 601)
        assert await store.person("other") is None

    with_store(address, scenario)


def test_a_new_code_takes_the_place_of_the_old_one(address: str) -> None:
    async def scenario(store: Store) -> None:
        await store.add_session("bens", "ben", NOW)
        await store.add_session("annas", "anna", NOW)
        await store.add_code("of ben", "bens", NOW + 600)
        await store.add_code("old", "annas", NOW + 600)
        await store.add_code("new", "annas", NOW + 700)
        assert not await store.use_code("old", "t1", NOW)
        assert await store.use_code("new", "t2", NOW)
        assert await store.use_code("of ben", "t3", NOW)
        assert [await store.person(token) for token in ("t1", "t2", "t3")] == [None, "anna", "ben"]

    with_store(address, scenario)


def test_whoever_has_left_gets_no_session_and_no_code(address: str) -> None:
    async def scenario(store: Store) -> None:
        await store.add_session("here", "anna", NOW)
        await store.add_session("there", "anna", NOW)
        await store.add_code("code", "there", NOW + 600)
        assert sorted(await store.leave("anna", "", NOW)) == ["here", "there"]
        with pytest.raises(Revoked):  # a request that began before
            await store.add_code("later", "there", NOW + 600)
        with pytest.raises(Revoked):
            await store.add_session("again", "anna", NOW)
        assert not await store.use_code("code", "t1", NOW)
        assert not await store.use_code("later", "t2", NOW)
        assert [await store.person(token) for token in ("here", "there", "again")] == [None] * 3

    with_store(address, scenario)


def test_a_session_can_end_with_its_persons_codes_or_without(address: str) -> None:
    async def scenario(store: Store) -> None:
        for codes, works in ((False, True), (True, False)):
            await store.add_session("token", "anna", NOW)
            await store.add_code("code", "token", NOW + 600)
            await store.end_session("token", NOW, codes)
            assert await store.use_code("code", f"after {codes}", NOW) == works

    with_store(address, scenario)


def test_a_persons_games_are_those_they_opened_or_play_in_the_last_changed_first(address: str) -> None:
    async def scenario(store: Store) -> None:
        await open_game(store, "first", "anna", NOW)
        await open_game(store, "bens", "ben", NOW + 10)
        await open_game(store, "cleos", "cleo", NOW + 20)
        await open_game(store, "second", "anna", NOW + 30)
        await store.append("bens", event(2, 1, at=NOW + 40), takes=TakenSeat(1, "anna"))
        await store.append(
            "first", event(2, 0, at=NOW + 50), takes=TakenSeat(0, "anna"), status=Status(over=True)
        )
        assert await store.games_of("anna", 10) == [
            Listed("first", "classic", "anna", 2, True, NOW, NOW + 50),
            Listed("bens", "classic", "ben", 2, False, NOW + 10, NOW + 40),
            Listed("second", "classic", "anna", 1, False, NOW + 30, NOW + 30),
        ]
        assert [game.id for game in await store.games_of("anna", 2)] == ["first", "bens"]
        assert await store.open_games_of("anna") == 1
        assert await store.open_games_of("ben") == 1
        assert await store.open_games_of("nobody") == 0
        await store.append("first", event(3, 0, at=NOW + 60))  # a move is taken back: it goes on
        assert await store.open_games_of("anna") == 2

    with_store(address, scenario)


def test_a_sweep_deletes_what_is_old_and_nothing_else(address: str) -> None:
    async def scenario(store: Store) -> None:
        await store.add_session("old", "anna", NOW - 9 * DAY)
        await store.add_session("new", "anna", NOW)
        await store.add_session("used", "anna", NOW - 9 * DAY)
        for game, at, version, over in [
            ("unused-old", NOW - 9 * DAY, 1, False),
            ("waited-old", NOW - 9 * DAY, 2, False),
            ("unused-new", NOW, 1, False),
            ("played-old", NOW - 9 * DAY, 3, False),
            ("over-old", NOW - 9 * DAY, 4, True),
            ("cancelled-old", NOW - 9 * DAY, 3, True),
            ("over-new", NOW, 3, True),
        ]:
            await open_game(store, game, at=at)
            for number in range(2, version + 1):
                await store.append(game, event(number, at=at), status=Status(over and number == version))
        await store.append("waited-old", event(3, at=NOW - 9 * DAY), takes=TakenSeat(0, "anna"))
        await open_game(store, "gone", at=NOW - 9 * DAY)
        await store.append("gone", event(2, at=NOW - 9 * DAY), takes=TakenSeat(0, "anna"))
        await store.append("played-old", event(4, at=NOW), session="used")
        before = {"unused": NOW - DAY, "over": NOW - 2 * DAY, "sessions": NOW - 3 * DAY}
        assert await store.sweep(before) == {"unused": 3, "over": 1, "sessions": 1}
        left = ["waited-old", "unused-new", "played-old", "over-new"]
        assert set(await store.versions([*left, "unused-old", "gone", "over-old", "cancelled-old"])) == set(
            left
        )
        assert await store.seats("gone") == {}
        assert await store.log("gone") == []
        assert await store.person("old") is None
        assert await store.person("new") == "anna"
        assert await store.person("used") == "anna"
        assert await store.sweep({"unused": 0, "over": 0}) == {"unused": 0, "over": 0}
        await open_game(store, "gone")  # the name is free again
        assert await store.sweep({"abandoned": NOW - DAY}) == {"abandoned": 1}
        assert set(await store.versions(left)) == {"unused-new", "played-old", "over-new"}

    with_store(address, scenario)


def test_a_long_sweep_lets_other_writes_through(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes 25 transactions, and no write waits for more than two of them."""
    monkeypatch.setattr(sql_store, "SWEPT_AT_ONCE", 10)

    async def scenario(store: Store) -> None:
        await asyncio.gather(*(open_game(store, f"old-{n}", at=NOW - 9 * DAY) for n in range(250)))
        await open_game(store, "g")
        sweeping = asyncio.create_task(store.sweep({"unused": NOW - DAY}))
        written = 1
        while not sweeping.done():
            written += 1
            await store.append("g", event(written))
        assert (await sweeping)["unused"] == 250
        assert written > 12
        assert await store.versions(["g"]) == {"g": written}

    with_store(address, scenario)
