"""Limits on connections as such: descriptors, connections of one address, what a slow reader holds."""

from __future__ import annotations

import asyncio
import resource
from contextlib import ExitStack

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from digit_duel.web.http.rate_limits import Places, network
from digit_duel.web.replies import Refusal

_MOST_DESCRIPTORS = 1 << 20  # some systems allow a thousand times as many, which nobody needs
_UNSENT = 8192  # bytes that wait in a connection's buffer until the next view waits, too


def raise_descriptor_limit() -> int:
    """Raise the soft limit of file descriptors to the hard one, and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return soft


def descriptor_limit() -> int:
    """How many files and connections this process may have open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft


def limited_protocol(places: Places) -> type[H11Protocol]:
    """HTTP as uvicorn speaks it, with a limit on the connections of one address, kept alive or not.

    A connection that becomes a WebSocket gives its place back: sockets are counted by themselves.
    """

    class LimitedProtocol(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn
            self._place = ExitStack()
            self._refused = False
            peer = transport.get_extra_info("peername")
            try:
                self._place.enter_context(places.take(network(peer[0]) if peer else ""))
            except Refusal:
                self._refused = True
                transport.abort()
                return
            transport.set_write_buffer_limits(high=_UNSENT)
            super().connection_made(transport)
            # uvicorn's own timer starts with the first answer: who never asks would stay for ever.
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )

        def connection_lost(self, exc: Exception | None) -> None:
            self._place.close()
            if not self._refused:
                super().connection_lost(exc)

        def handle_websocket_upgrade(self, event: h11.Request) -> None:
            self._place.close()
            super().handle_websocket_upgrade(event)

    return LimitedProtocol
