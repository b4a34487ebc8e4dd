"""Rate limits, and limits on how many things a key may hold at a time."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, IPv6Network, ip_address
from time import monotonic

from digit_duel.web.replies import Code, Refusal

_MOST_KEYS = 50_000
_PREFIX = 64  # bits of an IPv6 address that identify one customer of a provider


def _nothing() -> None:
    """Do nothing."""


def network(address: str) -> str:
    """The network of an address: for IPv6 its /64, all of which one customer controls."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found, _PREFIX), strict=False))


class Credit:
    """A token bucket for each key."""

    def __init__(self, rate: float, burst: float, refused: Callable[[], None] = _nothing) -> None:
        """Set the tokens per second, the most a bucket holds, and what to call at each refusal."""
        self._rate, self._burst, self._refused = rate, burst, refused
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def spend(self, key: Hashable, cost: float = 1.0) -> None:
        """Take tokens, or raise Refusal with the seconds to wait; a cost is capped at a full bucket."""
        cost = min(cost, self._burst)
        left, now = self._now(key)
        if left < cost:
            self._keep(key, left, now)
            self._refused()
            wait = max(1, round((cost - left) / self._rate))
            raise Refusal(Code.RATE_LIMITED, f"Too many requests: please wait {wait} s.", retry=wait)
        self._keep(key, left - cost, now)

    def charge(self, key: Hashable, cost: float) -> None:
        """Take tokens for work already done; the balance may go below zero, and delays the next request."""
        left, now = self._now(key)
        self._keep(key, max(left - cost, -self._burst), now)

    def wait(self, key: Hashable) -> float:
        """The seconds until there is a token."""
        left, _ = self._now(key)
        return max(0.0, (1.0 - left) / self._rate)

    def _now(self, key: Hashable) -> tuple[float, float]:
        """A key's tokens, and the time."""
        now = monotonic()
        left, at = self._left.get(key, (self._burst, now))
        return min(self._burst, left + (now - at) * self._rate), now

    def _keep(self, key: Hashable, left: float, now: float) -> None:
        self._left[key] = (left, now)
        self._left.move_to_end(key)
        while len(self._left) > _MOST_KEYS:
            self._left.popitem(last=False)


class Places:
    """A limit on how many places each key may hold at a time."""

    def __init__(self, most: int, refused: Callable[[], None] = _nothing) -> None:
        self._most, self._refused = most, refused
        self._taken: Counter[Hashable] = Counter()

    def full(self, key: Hashable) -> bool:
        """Whether a key holds all the places it may."""
        return self._taken[key] >= self._most

    @contextmanager
    def take(self, key: Hashable) -> Iterator[None]:
        """Hold one place, or raise Refusal."""
        if self.full(key):
            self._refused()
            raise Refusal(
                Code.RATE_LIMITED, "You have too many open connections. Close one and try again.", retry=5
            )
        self._taken[key] += 1
        try:
            yield
        finally:
            self._taken[key] -= 1
            if not self._taken[key]:
                del self._taken[key]
