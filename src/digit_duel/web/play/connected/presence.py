"""Shares which seats are connected to which server, and records outages.

Each server holds a lease in the shared database and records which seats are connected to it, and when they
disconnected. When a server dies its lease expires, and its connections no longer count. A server that starts
while no lease is valid ends an outage; the duration of an outage counts against nobody.

Leases end by the wall clock. When it jumps ahead, the leases of other servers look expired until they are
renewed, but nobody counts as away for that reason.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from time import monotonic, time

from digit_duel.core.game import Pair, Seat
from digit_duel.web.play.connected.clock_jumps import ClockJumps
from digit_duel.web.store import Conflict, Store

_LEASE = 15.0  # seconds without a renewal until a server counts as gone
_RENEWAL = 5.0  # seconds between renewals
NEVER: Pair[int] = (0, 0)


class Presence:
    """This server's lease and connections, and its view of the other servers."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._server = ""
        self._renewed = float("-inf")
        self._written: Mapping[str, frozenset[Seat]] = {}
        self._outages: Sequence[tuple[int, int]] = ()
        self._jumps = ClockJumps()

    async def publish(self, connected: Mapping[str, frozenset[Seat]]) -> bool:
        """Renew the lease if that is due, and write the changes in who is connected.

        Return whether this server just started or its lease had expired: an outage may have ended.
        """
        began, now = monotonic(), round(1000 * time())
        jumped = self._jumps.observe(began, now)
        new, due = began > self._renewed + _LEASE, jumped or began > self._renewed + _RENEWAL
        if due and not new:
            # A server whose clock is far ahead may have deleted this one's row.
            new = not await self._store.renew_lease(self._server, now + round(1000 * _LEASE))
        if new:
            self._server, self._written = secrets.token_hex(8), {}
            await self._store.add_server(self._server, now, now + round(1000 * _LEASE))
            self._outages = await self._store.outages()
        if new or due:
            self._renewed = began
        seats = {game_id: held for game_id, held in connected.items() if held}
        changed = {
            game_id: seats.get(game_id, frozenset())
            for game_id in self._written.keys() | seats.keys()
            if seats.get(game_id) != self._written.get(game_id)
        }
        if changed:
            try:
                await self._store.set_presence(self._server, changed, now)
            except Conflict:
                self._renewed = float("-inf")  # the row is gone: register again next time
                return new
        self._written = seats
        return new

    async def last_seen(self, games: Sequence[str]) -> dict[str, Pair[int]]:
        """When the seats of these games were last connected, in milliseconds.

        The time is in the future for a seat that is connected to another server. Connections to this server
        do not count.
        """
        found = await self._store.last_seen(self._server, games)
        return {game_id: (found.get((game_id, 0), 0), found.get((game_id, 1), 0)) for game_id in games}

    def is_here(self, last_seen: int) -> bool:
        """Whether a seat with this time is connected to another server."""
        return last_seen >= round(1000 * time())

    def waited(self, since: int) -> float:
        """The seconds since a wall-clock time in milliseconds, not counting outages and jumps."""
        now = round(1000 * time())
        not_counted = (*self._outages, *self._jumps.skipped)
        return max(0, now - since - sum(max(0, end - max(begin, since)) for begin, end in not_counted)) / 1000

    async def stop(self) -> None:
        """Record that nobody is connected to this server any more."""
        await self._store.end_server(self._server, round(1000 * time()))
