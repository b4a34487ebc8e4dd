"""Floods by strangers: requests, sockets, pings, tiny chunks, unread streams and slow heads."""

from __future__ import annotations

import asyncio
import re
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from random import Random

from tests.web.storm.players import Said

GAP = 0.004  # seconds between requests of one flood: the machine must have time for the players
PATHS = ("/", "/api/catalogue", "/api/me", "/api/games/{game}", "/api/games/{game}/past", "/nothing")
PING = b"\x89\x80" + bytes(4)  # with a mask of zeros and nothing in it
CHUNK = b"1\r\n \r\n"
_STATUS = re.compile(rb"HTTP/1\.1 (\d+)[^\r]*\r\n(.*?)\r\n\r\n(.*)", re.DOTALL)


class Flood:
    """One address that floods the site."""

    def __init__(self, port: int, number: int, said: Said) -> None:
        self.port, self.said = port, said
        self.address = f"127.0.2.{number + 1}"
        self.rng = Random(number)
        self.game = "x" * 12
        self.sent = 0

    async def run(self) -> None:
        """Do one thing after the other."""
        while True:
            kind = self.rng.choice(
                (
                    self._requests,
                    self._requests,
                    self._sockets,
                    self._pings,
                    self._chunks,
                    self._streams,
                    self._slow,
                )
            )
            with suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                await kind()
            await asyncio.sleep(0.2)

    async def _dial(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        async with asyncio.timeout(5):
            return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0))

    def _head(self, method: str, path: str, *more: str) -> bytes:
        lines = [f"{method} {path.format(game=self.game)} HTTP/1.1", "Host: localhost", *more]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    async def _requests(self) -> None:
        for _ in range(300):
            reader, writer = await self._dial()
            try:
                if self.rng.random() < 0.2:
                    body = b'{"bearer":true}'
                    kind = ("Content-Type: application/json", f"Content-Length: {len(body)}")
                    writer.write(self._head("POST", "/api/sessions", *kind, "Connection: close") + body)
                else:
                    writer.write(self._head("GET", self.rng.choice(PATHS), "Connection: close"))
                self.sent += 1
                async with asyncio.timeout(20):
                    answer = _STATUS.match(await reader.read())
                if answer is not None:
                    self.said.note("flood", int(answer[1]), answer[3])
            finally:
                writer.close()
            await asyncio.sleep(GAP)

    async def _sockets(self) -> None:
        """Invalid messages."""

        def message() -> bytes:
            payload = self.rng.randbytes(self.rng.randrange(100))
            return bytes((0x81, 0x80 | len(payload), 0, 0, 0, 0)) + payload

        await self._send_on(self._handshake(), message)

    async def _pings(self) -> None:
        """A hundred pings at a time, which no application sees."""
        await self._send_on(self._handshake(), lambda: 100 * PING)

    async def _chunks(self) -> None:
        """A body that comes byte by byte."""
        kind = ("Content-Type: application/json", "Transfer-Encoding: chunked")
        await self._send_on(self._head("POST", "/api/sessions", *kind), lambda: 100 * CHUNK)

    def _handshake(self) -> bytes:
        key = b64encode(self.rng.randbytes(16)).decode()
        upgrade = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13")
        asked = (*upgrade, f"Sec-WebSocket-Key: {key}", "Origin: http://localhost")
        return self._head("GET", "/api/games/{game}/socket", *asked)

    async def _send_on(self, head: bytes, more: Callable[[], bytes]) -> None:
        """Open a connection and send one thing after the other, until the site hangs up."""
        _, writer = await self._dial()
        try:
            writer.write(head)
            for _ in range(500):
                self.sent += 1
                writer.write(more())
                await writer.drain()
                await asyncio.sleep(GAP)
        finally:
            writer.close()

    async def _streams(self) -> None:
        """Streams that are not read."""
        lines = [await self._dial() for _ in range(30)]
        try:
            for _, writer in lines:
                self.sent += 1
                writer.write(self._head("GET", "/api/games/{game}/events"))
            await asyncio.sleep(5)
        finally:
            for _, writer in lines:
                writer.close()

    async def _slow(self) -> None:
        """Requests that never end."""
        lines = [await self._dial() for _ in range(20)]
        try:
            for _, writer in lines:
                self.sent += 1
                writer.write(b"GET / HTTP/1.1\r\nHost: ")
            await asyncio.sleep(5)
        finally:
            for _, writer in lines:
                writer.close()
