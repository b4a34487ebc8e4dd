"""A WebSocket over TLS for tests that are not coroutines.

The synchronous client of websockets reads and writes one TLS connection in two threads at once. OpenSSL does
not allow that, and before Python 3.13 nothing prevents it: now and then a handshake is never sent.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Coroutine, Mapping
from contextlib import AbstractContextManager
from functools import cache
from threading import Thread
from typing import Any, TypeVar

from tests.web.server import TIMEOUT
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

T = TypeVar("T")


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """An event loop in a thread of its own, which also answers pings between two calls."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, daemon=True).start()
    return loop


def _run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, TIMEOUT), _loop()).result()


class TlsSocket(AbstractContextManager["TlsSocket"]):
    """One connection; raises what the handshake raises."""

    def __init__(
        self, url: str, trust: ssl.SSLContext, headers: Mapping[str, str], origin: str | None = None
    ) -> None:
        async def dial() -> ClientConnection:
            return await connect(
                url, ssl=trust, additional_headers=headers, proxy=None, open_timeout=TIMEOUT,
                origin=None if origin is None else Origin(origin),
            )  # fmt: skip

        self._connection = _run(dial())

    def send(self, text: str) -> None:
        """Send one message."""
        _run(self._connection.send(text))

    def receive(self) -> str | bytes:
        """The next message."""
        return _run(self._connection.recv())

    def __exit__(self, *failure: object) -> None:
        _run(self._connection.close())
