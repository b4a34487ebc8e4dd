"""Deletes old data, by a clock that a wrong system time cannot hurry.

The cutoff is the time of the last sweep plus twice the time that this server has seen pass since it started;
twice, so that a server that was off catches up. If the system clock is two years ahead, nothing is deleted
because of that; what was due anyway goes a little sooner.
"""

from __future__ import annotations

from time import monotonic, time

from digit_duel.web.logs import log
from digit_duel.web.settings import Settings
from digit_duel.web.store import Store

_CATCHING_UP = 2  # times the speed of the monotonic clock
_SUSPICIOUS = 24 * 3600 * 1000  # milliseconds between the last sweep and the system clock


class Retention:
    """Deletes what is older than the settings allow."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings, self._store = settings, store
        self._from: int | None = None  # the last sweep before this server started
        self._began = 0.0

    async def sweep(self) -> None:
        """Delete what is too old now."""
        now, settings = await self._time(), self._settings
        kept = {
            "unused": settings.keep_unused,
            "abandoned": settings.keep_abandoned,
            "over": settings.keep_over,
            "sessions": settings.keep_sessions,
        }
        swept = await self._store.sweep({kind: now - 1000 * seconds for kind, seconds in kept.items()})
        await self._store.set_swept(now)
        if any(swept.values()):
            log.info("swept", **swept)

    async def _time(self) -> int:
        """The time that counts as now for judging age, in milliseconds."""
        wall = round(1000 * time())
        if self._from is None:
            self._from, self._began = await self._store.swept() or wall, monotonic()
            if abs(wall - self._from) > _SUSPICIOUS:
                log.warning("clock", ahead_of_last_sweep_hours=(wall - self._from) // 3_600_000)
        return min(wall, self._from + round(1000 * _CATCHING_UP * (monotonic() - self._began)))
