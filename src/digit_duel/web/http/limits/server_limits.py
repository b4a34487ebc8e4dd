"""All limits of one process on what a person or an address may do.

If several servers share a database, each knows how many there are and allows its share.
"""

from __future__ import annotations

import asyncio
from functools import partial

from digit_duel.web.http.limits.descriptors import descriptor_limit
from digit_duel.web.http.limits.rate_limits import Credit, Places
from digit_duel.web.http.limits.refusals import count_refusal
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.settings import Settings

_MOST_DELAYED = 200  # refusals to one address that are delayed at the same time
_FOLLOWERS = 0.8  # the share of all descriptors that sockets and streams may use
_FLOOD = 100.0  # the cost of a flood of frames, in small requests
_OUTSIDE_MESSAGES = 1024.0  # receiving this many outside of messages costs as much as a small request
_BYTES = 16_384.0  # sending this many costs as much as a small request


class Limits:
    """The rate limits and concurrency limits; each counts its refusals under a name."""

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
        # All clients together. Files, the database and refusals need descriptors too.
        self.most_followers = max(1, round(_FOLLOWERS * descriptor_limit()))
        self.most_strangers = max(1, round(self.most_followers * (1 - settings.reserved_for_players)))

    def check_room(self, open_now: int, player: bool) -> None:
        """Refuse another socket or stream when too many are open: watchers first, players last."""
        if open_now >= (self.most_followers if player else self.most_strangers):
            count_refusal("full" if player else "full_for_strangers")
            raise Refusal(Code.BUSY_RETRY, "The server is full. Please try again in a moment.", retry=5)

    def sent(self, address: str, size: int) -> None:
        """Charge an address for the bytes of an answer."""
        self.requests.charge(address, size / _BYTES)

    async def next_view(self, address: str) -> None:
        """Wait until an address may be sent another view; meanwhile, intermediate views are skipped."""
        if wait := self.views.wait(address):
            await asyncio.sleep(wait)
        self.views.charge(address, 1)

    async def next_message(self, address: str) -> None:
        """Wait until another message from an address may be read."""
        if wait := self.messages.wait(address):
            await asyncio.sleep(wait)
        self.messages.charge(address, 1)

    def flooded(self, address: str) -> None:
        """Count a socket that was flooded with bytes outside of messages, and charge its address."""
        count_refusal("frames")
        self.requests.charge(address, _FLOOD)

    def received_outside_messages(self, address: str, size: int) -> None:
        """Charge an address for bytes that it sent over a socket outside of messages."""
        self.requests.charge(address, max(0, size) / _OUTSIDE_MESSAGES)

    async def delay(self, address: str) -> None:
        """Delay a refusal, so that retrying at once gains nothing."""
        if self._delay and not self._delayed.full(address):
            with self._delayed.take(address):
                await asyncio.sleep(self._delay)
