"""Who is connected to the other servers that share the database.

Each server holds a lease and writes down which seats are connected to it. When a server dies its lease runs
out, and nobody counts as connected to it any more.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from time import monotonic, time

from digit_duel.core.game import Pair, Seat
from digit_duel.web.store import Store

_LEASE = 15.0  # seconds without a renewal until a server counts as gone
_RENEWAL = 5.0  # seconds between renewals
NOBODY: Pair[bool] = (False, False)


class Presence:
    """This server's part in it: what it has written, and what the others wrote."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._server = secrets.token_hex(8)
        self._renewed = float("-inf")
        self._written: dict[str, frozenset[Seat]] = {}

    async def publish(self, connected: Mapping[str, Collection[Seat]]) -> None:
        """Write down which seats of which games are connected to this server, as far as that has changed."""
        if monotonic() - self._renewed > _RENEWAL:
            now = round(1000 * time())
            if not await self._store.renew_lease(self._server, now + round(1000 * _LEASE), now):
                self._written = {}  # another server has cleared it away
            self._renewed = monotonic()
        seats = {game_id: frozenset(held) for game_id, held in connected.items() if held}
        changed = {
            game_id: seats.get(game_id, frozenset())
            for game_id in self._written.keys() | seats.keys()
            if seats.get(game_id) != self._written.get(game_id)
        }
        if changed:
            await self._store.set_presence(self._server, changed)
        self._written = seats

    async def elsewhere(self, games: Sequence[str]) -> dict[str, Pair[bool]]:
        """Which seats of these games are connected to other servers."""
        found = await self._store.presence_elsewhere(self._server, games, round(1000 * time()))
        return {game_id: ((game_id, 0) in found, (game_id, 1) in found) for game_id in games}

    async def stop(self) -> None:
        """Say that nobody is connected here any more."""
        await self._store.drop_server(self._server)
