"""What is old is deleted by a clock that changes of the machine's time cannot advance: G1, E4."""

from __future__ import annotations

import pytest
from tests.web.store.samples import NOW, event, open_game, with_store

from digit_duel.web.play.ended import retention
from digit_duel.web.play.ended.retention import Retention
from digit_duel.web.settings import Settings
from digit_duel.web.store import Store, sql_store
from digit_duel.web.store.sql_store import in_batches

DAY = 24 * 3600
YEARS = 2 * 365 * DAY


class Clocks:
    """The machine's time and the time that passes, each as a test wants it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall, self.passed = NOW / 1000, 0.0
        monkeypatch.setattr(retention, "time", lambda: self.wall)
        monkeypatch.setattr(retention, "monotonic", lambda: self.passed)

    def go_on(self, seconds: float) -> None:
        """Let time pass on both."""
        self.wall += seconds
        self.passed += seconds


def test_a_start_with_the_clock_two_years_ahead_deletes_nothing(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks = Clocks(monkeypatch)

    async def scenario(store: Store) -> None:
        await Retention(Settings(), store).sweep()
        await open_game(store, "g")
        clocks.wall += YEARS
        wrong = Retention(Settings(), store)
        await wrong.sweep()
        clocks.go_on(DAY / 4)
        await wrong.sweep()
        assert await store.versions(["g"]) == {"g": 1}
        clocks.wall -= YEARS  # the operator has noticed
        right = Retention(Settings(), store)
        await right.sweep()
        assert await store.versions(["g"]) == {"g": 1}
        clocks.go_on(DAY + 60)
        await right.sweep()
        assert await store.versions(["g"]) == {}, "a day has passed, and nobody joined"

    with_store(address, scenario)


def test_long_games_are_deleted_in_small_transactions() -> None:
    """Deleting two hundred games of 2,000 events at once held all moves up for five seconds."""
    sizes = {"a": 1500, "b": 400, "c": 200, "d": 5000, "e": 1, "f": 1999, "g": 1}
    assert list(in_batches(sizes, 2000)) == [["a", "b"], ["c"], ["d"], ["e", "f"], ["g"]]
    assert list(in_batches({}, 2000)) == []


def test_all_that_is_old_is_deleted_however_many_transactions_it_takes(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_store, "SWEPT_AT_ONCE", 4)

    async def scenario(store: Store) -> None:
        for number in range(10):
            await open_game(store, f"g{number}", at=NOW + number)
            await store.append(f"g{number}", event(2, at=NOW + number))
            await store.add_session(f"s{number}", "anna", NOW + number)
        before = NOW + 7
        assert await store.sweep({"unused": before, "sessions": before}) == {"unused": 7, "sessions": 7}
        assert list(await store.versions([f"g{number}" for number in range(10)])) == ["g7", "g8", "g9"]

    with_store(address, scenario)


def test_a_server_that_was_off_catches_up_at_twice_the_speed(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks = Clocks(monkeypatch)

    async def scenario(store: Store) -> None:
        await Retention(Settings(), store).sweep()
        await open_game(store, "g")
        clocks.wall += 2 * DAY  # off
        after = Retention(Settings(), store)
        await after.sweep()
        clocks.go_on(DAY / 2 - 60)
        await after.sweep()
        assert await store.versions(["g"]) == {"g": 1}
        clocks.go_on(120)
        await after.sweep()
        assert await store.versions(["g"]) == {}

    with_store(address, scenario)
