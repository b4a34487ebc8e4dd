"""Rate limits and limits on how much one key may hold at a time."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from time import monotonic

from digit_duel.web.replies import Code, Refusal

_MOST_KEYS = 50_000


class Credit:
    """A token bucket for each key."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def spend(self, key: Hashable, cost: float = 1.0) -> None:
        """Take one token, or raise Refusal with the seconds to wait."""
        now = monotonic()
        left, at = self._left.pop(key, (self._burst, now))
        left = min(self._burst, left + (now - at) * self._rate)
        if left < cost:
            self._left[key] = (left, now)
            wait = max(1, round((cost - left) / self._rate))
            raise Refusal(Code.RATE_LIMITED, f"That was too much at once: please wait {wait} s.", retry=wait)
        self._left[key] = (left - cost, now)
        while len(self._left) > _MOST_KEYS:
            self._left.popitem(last=False)


class Places:
    """A limit on how many places each key may hold at a time."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: Counter[Hashable] = Counter()

    @contextmanager
    def take(self, key: Hashable) -> Iterator[None]:
        """Hold one place, or raise Refusal."""
        if self._taken[key] >= self._most:
            raise Refusal(Code.RATE_LIMITED, "Too many connections are open from here.", retry=5)
        self._taken[key] += 1
        try:
            yield
        finally:
            self._taken[key] -= 1
            if not self._taken[key]:
                del self._taken[key]
