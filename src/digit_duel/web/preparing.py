"""What must be there before a server can serve: its database, up to date, and the key to its games."""

from __future__ import annotations

import asyncio
from random import uniform

from digit_duel.web.logs import log
from digit_duel.web.play.fold import DamagedLog, fold
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.server_key import ServerKeys, key_path
from digit_duel.web.settings import Settings
from digit_duel.web.store import DamagedDatabase, Store, Unavailable
from digit_duel.web.store.opening import open_store

_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 10.0  # seconds between attempts
_FINAL = ("unreachable", "read_only")  # of a file: waiting will not help


class CannotServe(Exception):
    """A sentence that says why the server cannot start, or has ended."""


def prepare(settings: Settings) -> None:
    """Migrate the database and check the key, however long it takes to reach the database; or CannotServe."""
    asyncio.run(_prepare(settings))


async def _prepare(settings: Settings) -> None:
    pause = _FIRST_PAUSE
    while True:
        try:
            await _attempt(settings)
            return
        except Unavailable as wrong:
            if "://" not in settings.database and wrong.reason in _FINAL:
                raise CannotServe(str(wrong)) from None
            wait = pause * uniform(0.75, 1.25)  # servers that were started together come at different times
            log.warning("waiting_for_database", reason=wrong.reason, why=str(wrong), seconds=round(wait, 1))
        await asyncio.sleep(wait)
        pause = min(2 * pause, _LONGEST_PAUSE)


async def _attempt(settings: Settings) -> None:
    store = open_store(settings.database)
    try:
        await store.start()
        await _check_key(settings, store)
    finally:
        await store.stop()


async def _check_key(settings: Settings, store: Store) -> None:
    """Make the key of a new database; one with games needs the key that they were dealt with."""
    path = key_path(settings)
    if not path.exists() and await store.any_game() is not None:
        raise CannotServe(
            f"there are games in the database, but their key {path} is missing: they could not go on. "
            "Copy it back from your backup, or say where it is (key_file)."
        )
    await check_key(ServerKeys(path), store)


async def check_key(keys: ServerKeys, store: Store) -> None:
    """Compare the keys with the seal of some game, or raise CannotServe."""
    game = await store.any_game()
    if game is None:
        return
    try:
        opening = fold(OnlineGame(game), "", (await store.log(game))[:1]).opening
    except (DamagedDatabase, DamagedLog):
        return  # this game is refused when somebody asks for it, and the others are served
    if keys.of(game, opening.seal) is None:
        raise CannotServe(
            "the key is not the one that the games in the database were dealt with. "
            "Copy the right one back from your backup, or say where it is (key_file)."
        )
