"""Flips the bytes of a small database one after another, and uses each through the store."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

from tests.web.store.samples import NOW, event, open_game, opened

from digit_duel.web.store import (
    Conflict,
    DamagedDatabase,
    NewerDatabase,
    Revoked,
    Store,
    TakenSeat,
    Unavailable,
)

GAMES = ("g", "h", "i")
LAST = 6


async def fill(store: Store) -> None:
    """Three short games."""
    await store.add_session("token", "anna", NOW)
    await store.add_code("code", "token", NOW)
    for game in GAMES:
        await open_game(store, game)
        for version in range(2, LAST + 1):
            taken = TakenSeat(version - 2, f"person {version}") if version < 4 else None
            await store.append(game, event(version, version % 2, f"c{version}"), session="token", takes=taken)


async def _use(store: Store) -> str:
    """Ask for everything and write to every game; whether what was answered is what was written."""
    same = True
    for game in GAMES:
        log = await store.log(game)
        assert [one.version for one in log] in ([], list(range(1, len(log) + 1)))
        same &= log[1:] == [event(v, v % 2, f"c{v}") for v in range(2, LAST + 1)]
        same &= await store.seats(game) == {0: "person 2", 1: "person 3"}
    same &= await store.versions(GAMES) == dict.fromkeys(GAMES, LAST)
    same &= sorted(game.id for game in await store.games_of("anna", 9)) == list(GAMES)
    same &= await store.person("token") == "anna"
    for game in GAMES:
        new = event(LAST + 1, 0, "new")
        await store.append(game, new, session="token")
        assert (await store.log(game))[-1] == new  # what is acknowledged can be read
    same &= await store.use_code("code", "another", NOW)
    return "harmless" if same else "answered otherwise"


async def _all(path: Path, start: int, step: int) -> Counter[str]:
    whole = path.read_bytes()
    told: Counter[str] = Counter()
    for place in range(start, len(whole), step):
        for ending in ("-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
        path.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << place % 8)]) + whole[place + 1 :])
        try:
            async with opened(str(path)) as store:
                told[await _use(store)] += 1
        except (Conflict, DamagedDatabase, NewerDatabase, Revoked, Unavailable) as error:
            told[type(error).__name__] += 1
    return told


def flip(path: str, start: int, step: int) -> None:
    """Flip a bit in every step-th byte, and write down what came of it; run where a crash harms nobody."""
    told = asyncio.run(_all(Path(path), start, step))
    Path(f"{path}.told").write_text("\n".join(f"{what}:{number}" for what, number in told.items()))
