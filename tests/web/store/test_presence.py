"""Who is connected to which server, and when none was running, on SQLite and PostgreSQL."""

from __future__ import annotations

import pytest
from tests.web.store.samples import with_store

from digit_duel.core.game import Seat
from digit_duel.web.play.connected import presence
from digit_duel.web.play.connected.presence import Presence
from digit_duel.web.store import Store

BOTH = frozenset(Seat)
FIRST = frozenset([Seat.FIRST])


def test_a_seat_was_last_seen_when_it_left_or_when_its_server_died(address: str) -> None:
    async def scenario(store: Store) -> None:
        await store.add_server("one", 1_000, 2_000)
        await store.add_server("other", 1_000, 5_000)
        await store.set_presence("one", {"g": [0, 1], "h": [1]}, 1_100)
        await store.set_presence("other", {"g": [0]}, 1_100)
        # While a server lives the end of its lease is in the future: its seats are connected.
        assert await store.last_seen("other", ["g", "h", "i"]) == {
            ("g", 0): 2_000,
            ("g", 1): 2_000,
            ("h", 1): 2_000,
        }
        assert await store.last_seen("one", ["g", "h"]) == {("g", 0): 5_000}
        await store.renew_lease("one", 3_000)
        await store.set_presence("one", {"g": [1]}, 2_200)
        assert await store.last_seen("other", ["g", "h"]) == {
            ("g", 0): 2_200,
            ("g", 1): 3_000,
            ("h", 1): 3_000,
        }
        assert await store.last_seen("one", ["g"]) == {("g", 0): 5_000}, "it is still connected to the other"
        await store.set_presence("one", {"h": []}, 2_300)
        assert (await store.last_seen("other", ["h"])) == {("h", 1): 2_300}
        await store.set_presence("one", {"h": [1]}, 2_400)
        assert (await store.last_seen("other", ["h"])) == {("h", 1): 3_000}, "and is back again"
        await store.end_server("one", 2_500)
        assert await store.last_seen("other", ["g", "h"]) == {
            ("g", 0): 2_200,
            ("g", 1): 2_500,
            ("h", 1): 2_500,
        }

    with_store(address, scenario)


def test_an_outage_lasts_from_the_last_lease_until_a_server_starts(address: str) -> None:
    day = 24 * 3600 * 1000

    async def scenario(store: Store) -> None:
        await store.add_server("first", 1_000, 16_000)
        await store.add_server("second", 2_000, 17_000)  # the first one lives
        assert await store.outages() == []
        await store.end_server("second", 3_000)
        await store.add_server("third", 20_000, 35_000)  # the first one was killed
        assert await store.outages() == [(16_000, 20_000)]
        await store.end_server("third", 30_000)
        await store.add_server("fourth", 40_000, 55_000)
        assert sorted(await store.outages()) == [(16_000, 20_000), (30_000, 40_000)]
        await store.add_server("much later", 32 * day, 32 * day + 15_000)
        assert await store.outages() == []  # the last lease is forgotten with all that is older than a month

    with_store(address, scenario)


def test_a_server_whose_lease_expired_registers_again_and_the_gap_is_an_outage(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_000.0
    for clock in ("monotonic", "time"):
        monkeypatch.setattr(presence, clock, lambda: now)

    async def scenario(store: Store) -> None:
        nonlocal now
        one, other = Presence(store), Presence(store)
        assert await one.publish({"g": BOTH, "h": frozenset()})
        assert await other.publish({})
        assert await other.last_seen(["g", "h"]) == {"g": (1_015_000, 1_015_000), "h": (0, 0)}
        assert other.is_here(1_015_000)
        now += 14
        assert not await one.publish({"g": FIRST})
        assert not await other.publish({})
        now += 10
        assert not await other.publish({})
        assert await other.last_seen(["g"]) == {"g": (1_029_000, 1_014_000)}
        assert other.is_here(1_029_000)
        now += 100  # both stood still, or the database did
        assert await other.last_seen(["g"]) == {"g": (1_029_000, 1_014_000)}
        assert not other.is_here(1_029_000)
        assert await one.publish({"g": FIRST})
        assert await other.publish({})
        assert await other.last_seen(["g"]) == {"g": (1_139_000, 1_014_000)}
        # Of the 124 seconds since the beginning 85 are the outage: from 1,039 to 1,124.
        assert one.waited(1_000_000) == other.waited(1_000_000) == 39
        assert one.waited(1_100_000) == 0
        assert one.waited(1_130_000) == 0
        await one.stop()
        assert await other.last_seen(["g"]) == {"g": (1_124_000, 1_014_000)}

    with_store(address, scenario)
