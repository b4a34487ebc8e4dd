"""Credit and places: SAFETY E1 and E4, without a server."""

from __future__ import annotations

from contextlib import suppress

import pytest

from digit_duel.web.http.limits import rate_limits
from digit_duel.web.http.limits.rate_limits import Credit, Places
from digit_duel.web.replies import Code, Refusal


class Clock:
    """A clock that the test advances."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr(rate_limits, "monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def spent(credit: Credit, key: str, times: int) -> int:
    """How many of so many were granted."""
    granted = 0
    with suppress(Refusal):
        for _ in range(times):
            credit.spend(key)
            granted += 1
    return granted


def test_a_burst_is_granted_and_then_the_rate(clock: Clock) -> None:
    """E1: 10 at once, then 2 a second."""
    credit = Credit(2, 10)
    assert spent(credit, "a", 50) == 10
    clock.now += 3
    assert spent(credit, "a", 50) == 6
    clock.now += 1000
    assert spent(credit, "a", 50) == 10, "credit does not pile up"


def test_every_key_has_its_own_credit(clock: Clock) -> None:
    """E1: a flood uses up nobody else's credit."""
    credit = Credit(1, 5)
    assert [spent(credit, key, 20) for key in "ab"] == [5, 5]


def test_the_wait_that_is_named_is_long_enough(clock: Clock) -> None:
    credit = Credit(0.5, 1)
    credit.spend("a")
    with pytest.raises(Refusal) as refusal:
        credit.spend("a")
    assert refusal.value.code is Code.RATE_LIMITED
    assert refusal.value.retry == 2
    clock.now += refusal.value.retry
    credit.spend("a")


def test_a_wait_is_a_whole_second_at_least(clock: Clock) -> None:
    credit = Credit(1000, 1)
    credit.spend("a")
    with pytest.raises(Refusal) as refusal:
        credit.spend("a")
    assert refusal.value.retry == 1


def test_a_million_addresses_take_bounded_memory(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """E4: those who asked last are remembered."""
    monkeypatch.setattr(rate_limits, "_MOST_KEYS", 100)
    credit = Credit(1, 1)
    for number in range(10_000):
        credit.spend(number)
    assert len(credit._left) == 100
    with pytest.raises(Refusal):
        credit.spend(9_999)


def test_places_are_given_back() -> None:
    """E4."""
    places = Places(2)
    with places.take("a"), places.take("b"):
        with places.take("a"), pytest.raises(Refusal) as refusal, places.take("a"):
            raise AssertionError
        assert refusal.value.code is Code.RATE_LIMITED
        with places.take("a"):
            pass
    assert not places._taken


def test_a_place_is_given_back_after_an_error() -> None:
    places = Places(1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), places.take("a"):
            raise ZeroDivisionError
    assert not places._taken
