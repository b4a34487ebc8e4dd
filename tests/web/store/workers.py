"""Processes that write to one store and keep a journal of what was acknowledged; quick to start and to kill.

Python -m tests.web.store.workers ADDRESS JOURNAL NAME GAMES LAST does the same from a shell.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess as Process
from pathlib import Path

from tests.web.store.samples import event, open_game, opened

from digit_duel.web.store import Conflict, Event, Store, Unavailable, crash_points

processes = get_context("forkserver")
processes.set_forkserver_preload(
    ["tests.web.store.workers", "tests.web.store.steps", "digit_duel.web.store.sqlite"]
)


def work(address: str, journal: str, name: str, games: int, last: int, together: int = 1) -> None:
    """Bring some games to a version, together with whoever else does, and note each event that was taken."""
    asyncio.run(_work(address, journal, name, games, last, together))


async def _work(address: str, journal: str, name: str, games: int, last: int, together: int) -> None:
    notes = os.open(journal, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
    async with opened(address) as store:
        Path(f"{journal}.{name}").touch()
        while len(list(Path(journal).parent.glob("journal.*"))) < together:
            await asyncio.sleep(0.001)
        await asyncio.gather(*(_play(store, notes, name, f"game-{n:03}", last) for n in range(games)))
    os.close(notes)


async def _play(store: Store, notes: int, name: str, game: str, last: int) -> None:
    version = 0
    while version < last:
        try:
            version = (await store.versions([game])).get(game, 0)
            if version == 0:
                await open_game(store, game)
                version = 1
            while version < last:
                new = version + 1
                await store.append(game, event(new, 0, f"{name}.{new}"))
                version = new
                os.write(notes, f"{game} {version} {name}.{version}\n".encode())
        except Conflict:
            pass  # somebody else was faster, or we were and did not hear of it: look again
        except Unavailable:
            await asyncio.sleep(0.02)


def start(address: str, journal: Path, name: str, games: int, last: int, crash: str = "") -> Process:
    """A worker in a process of its own, which ends at a fault point if one is given."""
    return _started(1, crash, address, str(journal), name, games, last)


def start_together(names: Sequence[str], address: str, journal: Path, games: int, last: int) -> list[Process]:
    """Workers that begin at the same moment."""
    return [_started(len(names), "", address, str(journal), name, games, last) for name in names]


def _started(*values: object) -> Process:
    process = processes.Process(target=_run, args=values)
    process.start()
    return process


def _run(together: int, crash: str, address: str, journal: str, name: str, games: int, last: int) -> None:
    crash_points.arm(crash)
    work(address, journal, name, games, last, together)


def told(journal: Path) -> list[tuple[str, int, str]]:
    """The acknowledgements in the workers' journal."""
    lines = [line.split(" ") for line in journal.read_text().splitlines()] if journal.exists() else []
    return [(game, int(version), client) for game, version, client in lines]


async def check(store: Store, journal: Path, games: int) -> int:
    """Nothing acknowledged is missing, nothing is there twice, no log has a gap; the number of events."""
    logs: dict[str, list[Event]] = {f"game-{n:03}": await store.log(f"game-{n:03}") for n in range(games)}
    for log in logs.values():
        assert [one.version for one in log] == list(range(1, len(log) + 1))
        assert max(Counter(one.client for one in log).values(), default=1) == 1
    acknowledged = told(journal)
    assert max(Counter(acknowledged).values(), default=1) == 1
    for game, version, client in acknowledged:
        assert logs[game][version - 1] == event(version, 0, client)
    return sum(map(len, logs.values()))


if __name__ == "__main__":
    work(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
