"""The server's event loop, which wraps every connection in a Line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import uvloop

from digit_duel.web.lines import Line, Lines


class ServerLoop(uvloop.Loop):
    """An event loop that puts a Line between each accepted connection and its protocol."""

    def __init__(self, bytes_at_once: int) -> None:
        """Set how many bytes a WebSocket client may send before the server has read a message of them."""
        super().__init__()
        self.lines: Lines = {}
        self._bytes_at_once = bytes_at_once

    async def create_server(
        self, protocol_factory: Callable[[], asyncio.BaseProtocol], *args: Any, **options: Any
    ) -> Any:
        """Listen, with a Line around each protocol."""

        def line() -> Line:
            return Line(protocol_factory(), self.lines, self._bytes_at_once)

        return await super().create_server(line, *args, **options)


def line_of(client: tuple[str, int] | None) -> Line | None:
    """The Line of a client's connection; None if another server, not ServerLoop, accepted it."""
    loop = asyncio.get_running_loop()
    return loop.lines.get(client) if isinstance(loop, ServerLoop) and client is not None else None
