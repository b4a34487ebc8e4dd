"""All limits of one process on what a person or an address may do.

Where several servers share a database, each is told how many there are, and allows its share.
"""

from __future__ import annotations

import asyncio
from functools import partial

from digit_duel.web.http.limits.connections import descriptor_limit
from digit_duel.web.http.limits.rate_limits import Credit, Places
from digit_duel.web.http.limits.refusals import count_refusal
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.settings import Settings

_MOST_DELAYED = 200  # refusals of one address that are sent late at a time
_FOLLOWERS = 0.8  # of all descriptors may be sockets and streams
_FLOOD = 100.0  # units that a flood of frames costs
_SILENT_BYTES = 1024.0  # that cost as much to take in as a small request
_BYTES = 16_384.0  # of an answer that cost as much as a small request


class Limits:
    """Credits and places, by the name under which a refusal is counted."""

    def __init__(self, settings: Settings) -> None:
        self._delay = settings.refusal_delay
        share = 1 / max(1, settings.servers)

        def credit(reason: str, rate: float, burst: float) -> Credit:
            return Credit(rate * share, max(1.0, burst * share), partial(count_refusal, reason))

        def places(reason: str, most: int) -> Places:
            return Places(max(1, round(most * share)), partial(count_refusal, reason))

        # By address. A unit is the work of one small request.
        self.requests = credit("requests", settings.asks_per_second, 5 * settings.asks_per_second)
        self.opens = credit("opens", settings.opens_per_minute / 60, 2 * settings.opens_per_minute)
        self.events = credit("events", settings.events_per_second, 100 * settings.events_per_second)
        self.views = credit("views", settings.views_per_second, 5 * settings.views_per_second)
        self.messages = credit("messages", settings.messages_per_second, 5 * settings.messages_per_second)
        self.probes = credit("probes", settings.probes_per_second, 5 * settings.probes_per_second)
        self.sockets = places("sockets", settings.sockets_per_address)
        # By person.
        self.person = credit("person", settings.asks_per_person, 5 * settings.asks_per_person)
        self.commands = credit("commands", settings.moves_per_second, 5 * settings.moves_per_second)
        self.own_sockets = places("own_sockets", settings.sockets_per_person)
        self._delayed = Places(_MOST_DELAYED)
        # Together. Some descriptors are needed for files, for the database and to refuse.
        self.most_followers = max(1, round(_FOLLOWERS * descriptor_limit()))
        self.most_strangers = max(1, round(self.most_followers * (1 - settings.reserved_for_players)))

    def check_room(self, open_now: int, player: bool) -> None:
        """Refuse another socket or stream when too many are open: strangers first, players last."""
        if open_now >= (self.most_followers if player else self.most_strangers):
            count_refusal("full" if player else "full_for_strangers")
            raise Refusal(Code.BUSY_RETRY, "The server is full. Please try again in a moment.", retry=5)

    def sent(self, address: str, size: int) -> None:
        """Charge an address for the bytes of an answer."""
        self.requests.charge(address, size / _BYTES)

    async def next_view(self, address: str) -> None:
        """Wait until an address may be sent another view; views that come meanwhile are left out."""
        if wait := self.views.wait(address):
            await asyncio.sleep(wait)
        self.views.charge(address, 1)

    async def next_message(self, address: str) -> None:
        """Wait until the sockets of an address may be heard again."""
        if wait := self.messages.wait(address):
            await asyncio.sleep(wait)
        self.messages.charge(address, 1)

    def flooded(self, address: str) -> None:
        """Count a socket that was flooded with frames of no message, and charge its address."""
        count_refusal("frames")
        self.requests.charge(address, _FLOOD)

    def received(self, address: str, size: int) -> None:
        """Charge an address for what it sent over a socket that was no message."""
        self.requests.charge(address, max(0, size) / _SILENT_BYTES)

    async def delay(self, address: str) -> None:
        """Hold a refusal back, so that asking again at once does not pay."""
        if self._delay and not self._delayed.full(address):
            with self._delayed.take(address):
                await asyncio.sleep(self._delay)
