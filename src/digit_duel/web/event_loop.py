"""The event loop of a server, whose connections keep little of what their clients do not read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import uvloop

from digit_duel.web.lines import Line, Lines


class ServerLoop(uvloop.Loop):
    """An event loop that puts a line between every connection it accepts and its protocol."""

    def __init__(self, bytes_at_once: int) -> None:
        """With how many bytes may come over a WebSocket before a message of them is read."""
        super().__init__()
        self.lines: Lines = {}
        self._bytes_at_once = bytes_at_once

    async def create_server(
        self, protocol_factory: Callable[[], asyncio.BaseProtocol], *args: Any, **options: Any
    ) -> Any:
        """Listen as usual."""

        def line() -> Line:
            return Line(protocol_factory(), self.lines, self._bytes_at_once)

        return await super().create_server(line, *args, **options)


def line_of(client: tuple[str, int] | None) -> Line | None:
    """The line of a client's connection; None if another program than ours accepted it."""
    loop = asyncio.get_running_loop()
    return loop.lines.get(client) if isinstance(loop, ServerLoop) and client is not None else None
