"""Plays a game over and over on a disk whose nth call fails, for every n; preloaded with failing_disk.c.

Python -m tests.web.store.failing_disk LIBRARY FOLDER ERROR SHORT prints how many calls were made to fail.
"""

from __future__ import annotations

import asyncio
import ctypes
import sys
from itertools import count
from pathlib import Path

from tests.web.store.samples import event, listed, opened

from digit_duel.web.store import Unavailable

MOVES = 20


async def _game(disk: ctypes.CDLL, path: Path, nth: int, error: int, short: int) -> bool:
    """One game with one failure; whether the failure happened."""
    refused = 0
    async with opened(str(path)) as store:
        disk.fail_at(nth, error, short)
        for version in range(1, MOVES + 1):
            while True:
                try:
                    opens = listed("g") if version == 1 else None
                    await store.append("g", event(version, 0, f"c{version}"), opens=opens)
                    break
                except Unavailable:
                    refused += 1
                    # What was refused is not there, and what was taken is.
                    assert [one.version for one in await store.log("g")] == list(range(1, version))
        happened = bool(disk.fails_left() <= 0)
        disk.fail_at(0, 0, 0)
        assert refused <= 1
    async with opened(str(path)) as store:
        assert await store.log("g") == [event(version, 0, f"c{version}") for version in range(1, MOVES + 1)]
    return happened


async def _sweep(library: str, folder: Path, error: int, short: int) -> int:
    disk = ctypes.CDLL(library)
    for nth in count(1):
        if not await _game(disk, folder / f"{nth}.sqlite3", nth, error, short):
            return nth - 1
    raise AssertionError


if __name__ == "__main__":
    sys.stdout.write(
        f"{asyncio.run(_sweep(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])))}\n"
    )
