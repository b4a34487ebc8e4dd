"""The server's event loop, which puts a filter in front of every connection's protocol.

uvicorn creates the protocols and has no option for what comes before them, but it listens through the loop's
create_server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import uvloop

from digit_duel.web.connection_filter import ConnectionFilter, Filters


class ServerLoop(uvloop.Loop):
    """An event loop that puts a filter between each accepted connection and its protocol."""

    def __init__(self, bytes_at_once: int) -> None:
        """Set how many bytes a WebSocket client may send before the server has read a message of them."""
        super().__init__()
        self.filters: Filters = {}
        self._bytes_at_once = bytes_at_once

    async def create_server(
        self, protocol_factory: Callable[[], asyncio.BaseProtocol], *args: Any, **options: Any
    ) -> Any:
        """Listen, with a filter in front of each protocol."""

        def filtered() -> ConnectionFilter:
            return ConnectionFilter(protocol_factory(), self.filters, self._bytes_at_once)

        return await super().create_server(filtered, *args, **options)


def filter_of(client: tuple[str, int] | None) -> ConnectionFilter | None:
    """The filter of a client's connection; None under another ASGI server's event loop."""
    loop = asyncio.get_running_loop()
    return loop.filters.get(client) if isinstance(loop, ServerLoop) and client is not None else None
