"""Games and events to store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from digit_duel.web.store import Event, Listed, Store
from digit_duel.web.store.opening import open_store

R = TypeVar("R")
NOW = 1_700_000_000_000
DAY = 86_400_000


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[Store]:
    """A store that is running."""
    store = open_store(address)
    await store.start()
    try:
        yield store
    finally:
        await store.stop()


def with_store(address: str, scenario: Callable[[Store], Awaitable[R]]) -> R:
    """Run a scenario with a store, and return its result."""

    async def play() -> R:
        async with opened(address) as store:
            return await scenario(store)

    return asyncio.run(play())


def event(version: int, seat: int | None = None, client: str | None = None, at: int = NOW) -> Event:
    """An event with a body and digest of its own."""
    mark = f"{version}/{seat}/{client}"
    return Event(version, seat, client, f'{{"mark":"{mark} ♠"}}', f"digest of {mark}", at)


def listed(game: str, owner: str = "anna", at: int = NOW) -> Listed:
    """A game that is being opened."""
    return Listed(game, "classic", owner, 0, False, at, at)


async def open_game(store: Store, game: str, owner: str = "anna", at: int = NOW) -> None:
    """Open a game."""
    await store.append(game, event(1, at=at), opens=listed(game, owner, at))
