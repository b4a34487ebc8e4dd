"""Startup checks: the database is reachable and up to date, and the keys match its games."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from random import uniform

from msgspec import DecodeError

from digit_duel.web.logs import log
from digit_duel.web.play.events import Opened, decode
from digit_duel.web.server_key import ServerKeys, key_path
from digit_duel.web.settings import Settings
from digit_duel.web.store import Store, Unavailable
from digit_duel.web.store.opening import open_store, sqlite_path

_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 10.0  # seconds between attempts
_PAGE = 100  # games; checking their keys takes about a millisecond
_NAMED = 3  # games without a key; the command check names all
_FINAL = ("unreachable", "read_only")  # for a file, waiting does not help


class CannotServe(Exception):
    """The server cannot start, or ended unexpectedly; the message says why."""


def prepare(settings: Settings) -> None:
    """Migrate the database and check the key, waiting until the database is up; raise CannotServe."""
    asyncio.run(_until_available(settings, lambda: _attempt(settings)))


async def start(settings: Settings, store: Store, keys: ServerKeys) -> None:
    """Open the store and load the keys, as prepare() does; another ASGI server calls only this."""

    async def attempt() -> None:
        try:
            await store.start()
            await _load(keys, store)
        except BaseException:
            await store.stop()
            raise

    await _until_available(settings, attempt)


async def _until_available(settings: Settings, attempt: Callable[[], Awaitable[None]]) -> None:
    """Repeat an attempt until the database is up, or raise CannotServe if waiting does not help."""
    pause = _FIRST_PAUSE
    while True:
        try:
            await attempt()
            return
        except Unavailable as wrong:
            if sqlite_path(settings.database) is not None and wrong.reason in _FINAL:
                raise CannotServe(str(wrong)) from None
            wait = pause * uniform(0.75, 1.25)  # so that servers started together retry at different times
            log.warning("waiting_for_database", reason=wrong.reason, why=str(wrong), seconds=round(wait, 1))
        await asyncio.sleep(wait)
        pause = min(2 * pause, _LONGEST_PAUSE)


async def _attempt(settings: Settings) -> None:
    store = open_store(settings.database)
    try:
        await store.start()
        await _load(ServerKeys(key_path(settings)), store)
    finally:
        await store.stop()


async def _load(keys: ServerKeys, store: Store) -> None:
    """Create the key for a new database; a database with games needs the key that dealt them."""
    if not keys.path.exists() and await store.openings("", 1):
        raise CannotServe(
            f"the database holds games, but their key {keys.path} is missing: without it they cannot go on. "
            "Copy it back from your backup, or say where it is (key_file)."
        )
    keys.load()
    await _check_keys(keys, store)


async def _check_keys(keys: ServerKeys, store: Store) -> None:
    """Raise CannotServe if no key matches any game."""
    any_game = False
    async for game, seal in _seals(store):
        if keys.of(game, seal) is not None:
            return
        any_game = True
    if any_game:
        raise CannotServe(
            "the key does not match the games in the database. "
            "Copy the right one back from your backup, or say where it is (key_file)."
        )


async def report_missing_keys(store: Store, keys: ServerKeys) -> None:
    """Log how many games no key matches, such as those of an old key that is no longer in the file."""
    missing = [game async for game, seal in _seals(store) if keys.of(game, seal) is None]
    if missing:
        log.error("missing_key", games=len(missing), file=str(keys.path), first=missing[:_NAMED])


async def _seals(store: Store) -> AsyncIterator[tuple[str, str]]:
    """Every game and the seal of its deal, without games that cannot be read."""
    last = ""
    while page := await store.openings(last, _PAGE):
        for game, body in page.items():
            with suppress(DecodeError, ValueError):  # damaged: refused when somebody asks for it
                if isinstance(opened := decode(body), Opened):
                    yield game, opened.seal
        last = game
