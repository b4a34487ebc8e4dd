"""Causes failures, one after the other and sometimes two at once."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random

from tests.web.storm.site import Site

YEARS = 2 * 365 * 24 * 3600.0
JUMPS = (3600.0, -3600.0, 24 * 3600.0, YEARS)


class Faults:
    """Failures of one site, chosen by a seed."""

    def __init__(self, site: Site, seed: int) -> None:
        self._site, self._rng = site, Random(seed)
        self.done: Counter[str] = Counter()
        self._kinds: dict[str, Callable[[], Awaitable[None]]] = {
            "server killed": self._kill_server,
            "server stopped by SIGTERM": self._stop_server,
            "server frozen": self._freeze_server,
            "PostgreSQL killed": self._kill_postgres,
            "PostgreSQL frozen": self._freeze_postgres,
            "nginx killed": self._kill_nginx,
            "clock jumped": self._jump,
        }
        if site.has_disk:
            self._kinds["disk full"] = self._fill

    async def run(self) -> None:
        """Let something fail every few seconds; each kind comes as often as the others."""
        while True:
            kinds = list(self._kinds)
            self._rng.shuffle(kinds)
            for kind in kinds:
                await asyncio.sleep(self._rng.uniform(2, 8))
                self.done[kind] += 1
                await self._kinds[kind]()

    async def _kill_server(self) -> None:
        self._site.units[0].signal(signal.SIGKILL)

    async def _stop_server(self) -> None:
        self._site.units[0].signal(signal.SIGTERM)

    async def _freeze_server(self) -> None:
        unit = self._rng.choice(self._site.units)
        unit.signal(signal.SIGSTOP)
        await asyncio.sleep(self._rng.uniform(1, 5))
        unit.signal(signal.SIGCONT)

    async def _kill_postgres(self) -> None:
        """Also with a server that dies meanwhile, and must wait for it."""
        self._site.postgres_wanted = False
        await asyncio.to_thread(self._site.postgres.stop, "immediate")
        if self._rng.random() < 0.5:
            self._site.units[0].signal(signal.SIGKILL)
        await asyncio.sleep(self._rng.uniform(0, 6))
        self._site.postgres_wanted = True

    async def _freeze_postgres(self) -> None:
        if await asyncio.to_thread(self._site.postgres.runs):
            self._site.postgres.freeze()
            await asyncio.sleep(self._rng.uniform(2, 10))
            self._site.postgres.thaw()

    async def _kill_nginx(self) -> None:
        self._site.nginx.kill()
        await asyncio.sleep(self._rng.uniform(0, 3))
        await asyncio.to_thread(self._site.nginx.start)

    async def _jump(self) -> None:
        unit = self._rng.choice(self._site.units)
        unit.clock.write_text(str(self._rng.choice(JUMPS)))
        if self._rng.random() < 0.5:
            self._site.units[0].signal(signal.SIGKILL)  # it starts with the wrong time
        await asyncio.sleep(self._rng.uniform(2, 8))
        unit.clock.write_text("0")

    async def _fill(self) -> None:
        filler = self._site.fill_disk()
        try:
            await asyncio.sleep(self._rng.uniform(2, 6))
        finally:
            filler.unlink()
