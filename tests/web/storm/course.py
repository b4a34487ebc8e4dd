"""One stress run: build the site, play and cause failures, calm down, and check the result."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import median

import httpx
from tests.web.checker import check, read_log
from tests.web.storm.faults import Faults
from tests.web.storm.floods import Flood
from tests.web.storm.players import Pair, Said
from tests.web.storm.site import Site, Unit

START = 240.0  # seconds in which servers must be ready, on a machine that may be very busy
CALM = 180.0  # seconds in which everybody must come to the end of their game
QUIET = 20.0  # seconds until idle connections are closed
GROWTH = 1.15, 12.0  # memory may grow by this factor and so many megabytes
SPARE = 10  # descriptors


@dataclass(slots=True)
class Report:
    """The result of a storm."""

    moves: int = 0
    repeats: int = 0
    games: int = 0
    flood: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    memory: tuple[float, float] = (0.0, 0.0)  # megabytes, in the middle and at the end
    descriptors: tuple[int, int] = (0, 0)  # before and after
    wrong: list[str] = field(default_factory=list)


class Storm:
    """A site, its players, and the floods against it."""

    def __init__(self, seed: int, pairs: int, floods: int) -> None:
        self.site, self.said, self.report = Site(), Said(), Report()
        self.pairs = [Pair(self.site.port, at, self.said) for at in range(pairs)]
        self.floods = [Flood(self.site.port, at, self.said) for at in range(floods)]
        self.faults = Faults(self.site, seed)
        self._memory: list[float] = []

    def run(self, seconds: float) -> Report:
        """Run for this long, and return the report."""
        try:
            asyncio.run(self._run(seconds))
            self._judge()
        finally:
            self.site.remove()
        return self.report

    async def _run(self, seconds: float) -> None:
        try:
            await self._rage(seconds)
        finally:
            for unit in self.site.units:  # the threads that wait for them would otherwise never end
                unit.ended = True
                unit.signal(signal.SIGTERM)

    async def _rage(self, seconds: float) -> None:
        site, survivor = self.site, self.site.units[1]
        units = [asyncio.create_task(unit.run()) for unit in site.units]
        keeper = asyncio.create_task(site.keep_postgres())
        await asyncio.gather(*map(_ready, site.units))
        before = survivor.descriptors
        playing = [asyncio.create_task(pair.play()) for pair in self.pairs]
        trouble = [asyncio.create_task(work) for work in self._trouble()]
        end = time.monotonic() + seconds
        while time.monotonic() < end and not any(task.done() for task in (*playing, *trouble, keeper)):
            await asyncio.sleep(min(5.0, max(0.1, end - time.monotonic())))
            self._memory.append(survivor.memory)
        for task in trouble:
            task.cancel()
        for result in await asyncio.gather(*trouble, return_exceptions=True):
            if isinstance(result, Exception):
                self.report.wrong.append(f"a fault could not be made: {result!r}")
        await self._heal()
        for pair in self.pairs:
            pair.stopping = True
        try:
            async with asyncio.timeout(CALM):
                await asyncio.gather(*playing)
        except TimeoutError:
            self.report.wrong.append("some games did not come to their end")
        await asyncio.sleep(QUIET)
        self.report.memory = (median(self._memory[len(self._memory) // 2 :][:5]), survivor.memory)
        self.report.descriptors = (before, survivor.descriptors)
        for unit in site.units:
            unit.ended = True
            unit.signal(signal.SIGTERM)
        await asyncio.gather(*units)
        keeper.cancel()
        with suppress(asyncio.CancelledError):
            await keeper

    def _trouble(self) -> list[Coroutine[object, object, None]]:
        return [self.faults.run(), self._choose_games(), *(flood.run() for flood in self.floods)]

    async def _choose_games(self) -> None:
        """Let the floods be about games that are being played."""
        while True:
            await asyncio.sleep(2)
            for flood in self.floods:
                players = flood.rng.choice(self.pairs).players
                if players:
                    flood.game = players[-1].replica.game

    async def _heal(self) -> None:
        """Undo a fault that was cut short."""
        site = self.site
        for unit in site.units:
            unit.clock.write_text("0")
            unit.signal(signal.SIGCONT)
        with suppress(OSError):
            site.postgres.thaw()
        (site.disk / "filler").unlink(missing_ok=True)
        site.postgres_wanted = True
        if site.nginx.process is None or site.nginx.process.poll() is not None:
            await asyncio.to_thread(site.nginx.start)
        try:
            await asyncio.gather(*map(_ready, site.units))
        except TimeoutError:
            raise RuntimeError(f"the site does not get well again:\n{site.state()}") from None

    def _judge(self) -> None:
        report, site = self.report, self.site
        players = [player for pair in self.pairs for player in pair.players]
        acks = [ack for player in players for ack in player.acks]
        report.moves, report.games = len(acks), len(players) // 2
        report.repeats = sum(player.repeats for player in players)
        report.flood = sum(flood.sent for flood in self.floods)
        report.faults, report.statuses = self.faults.done, self.said.statuses
        report.wrong += self.said.wrong[:20]
        for unit in site.units:
            report.wrong += [*unit.wrong, *_log_mistakes(unit)]
        try:
            check(read_log(site.database), acks, [player.replica for player in players])
        except (AssertionError, LookupError) as lost:
            report.wrong.append(f"lost or doubled: {lost!r}")
        config = str(site.folder / "duel.toml")
        done = subprocess.run(
            [sys.executable, "-m", "digit_duel", "check", "--config", config],
            capture_output=True, text=True, check=False, env=os.environ,
        )  # fmt: skip
        if done.returncode:
            report.wrong.append(done.stderr.strip())
        middle, last = report.memory
        if last > GROWTH[0] * middle + GROWTH[1]:
            report.wrong.append(f"memory grew from {middle:.0f} to {last:.0f} MB")
        if report.descriptors[1] > report.descriptors[0] + SPARE:
            report.wrong.append(f"descriptors grew from {report.descriptors[0]} to {report.descriptors[1]}")


async def _ready(unit: Unit) -> None:
    """Come back when a server is ready."""
    async with httpx.AsyncClient(trust_env=False, timeout=10) as client, asyncio.timeout(START):
        while True:
            with suppress(httpx.HTTPError):
                if (await client.get(f"http://127.0.0.1:{unit.port}/readyz")).status_code == 200:
                    return
            await asyncio.sleep(0.2)


def _log_mistakes(unit: Unit) -> list[str]:
    """Lines that are not JSON, and mistakes of the program."""
    found = []
    for line in unit.log.read_text().splitlines():
        try:
            if json.loads(line)["message"] == "unforeseen":
                found.append(f"logged: {line[:300]}")
        except (ValueError, KeyError):
            found.append(f"not JSON: {line[:100]}")
    return found[:10]
