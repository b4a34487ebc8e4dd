"""Connections with an end: whoever takes too long to ask or to read, or asks for too much, is let go."""

from __future__ import annotations

from asyncio import Future, TimerHandle, Transport, get_running_loop
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State
from websockets.utils import apply_mask

from digit_duel.web.http.stream import WIRE

REQUEST_WITHIN = 10.0  # seconds, from the first byte or the open line to the last byte of a request
LONGEST_HEAD = 16_384  # bytes of request line and headers
MOST_UNREAD = 16  # messages of one socket that wait for the one before
_PING, _PONG = b"\x89\x00", 0x8A


class BoundedHttp(HttpToolsProtocol):
    """uvicorn's protocol, which has no limit of its own for slow or long heads."""

    _late: TimerHandle | None = None
    _head: int | None = 0  # bytes so far; None while a body is read
    _heads = 0  # that were read to their end
    deaf = False  # what else comes of this request is not for us

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        head, heads = self._head, self._heads
        super().data_received(data)
        if head is not None and self._heads == heads and not self.deaf:  # all of it belongs to a head
            self._head = head + len(data)
            if self._head > LONGEST_HEAD:
                self.send_400_response("The request is too long.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._expect()

    def on_headers_complete(self) -> None:
        self._head = None
        self._heads += 1
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > LONGEST_HEAD:
            self.deaf = True
            self.send_400_response("The request is too long.")
        else:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if not self.deaf:
            super().on_body(body)

    def on_message_complete(self) -> None:
        self._head = 0
        self._arrived()
        if not self.deaf:
            super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._arrived()
        if not self.deaf:
            super().handle_websocket_upgrade()
            self.parser = None  # type: ignore[assignment]  # which holds us: garbage is looked for too seldom

    def _expect(self) -> None:
        """Begin to wait for a whole request."""
        if self._late is None:
            self._late = self.loop.call_later(REQUEST_WITHIN, self._give_up)

    def _arrived(self) -> None:
        late, self._late = self._late, None
        if late is not None:
            late.cancel()

    def _give_up(self) -> Any:
        self._late = None
        if not self.transport.is_closing():
            self.transport.abort()


class _Inbox:
    """What came and was not yet taken, for one reader; asyncio.Queue is for many, at twice the price."""

    def __init__(self) -> None:
        self._messages: deque[Any] = deque()
        self._awaited: Future[None] | None = None

    def qsize(self) -> int:
        return len(self._messages)

    def empty(self) -> bool:
        return not self._messages

    def put_nowait(self, message: Any) -> None:
        self._messages.append(message)
        if self._awaited is not None and not self._awaited.done():
            self._awaited.set_result(None)

    async def get(self) -> Any:
        while not self._messages:
            self._awaited = get_running_loop().create_future()
            try:
                await self._awaited
            finally:
                self._awaited = None
        return self._messages.popleft()


def _head(length: int) -> bytes:
    """What stands before a server's text (RFC 6455, 5.2); the library takes five times as long to say so."""
    if length < 126:
        return bytes((0x81, length))
    return (
        b"\x81\x7e" + length.to_bytes(2, "big")
        if length < 1 << 16
        else b"\x81\x7f" + length.to_bytes(8, "big")
    )


def _whole_text(data: bytes) -> bytes | None:
    """What a client says in one whole frame that came alone; None for anything else."""
    if len(data) < 8 or data[0] != 0x81:
        return None
    size, start = data[1] - 0x80, 6
    if size == 127:
        return None  # a length of eight bytes follows
    if size == 126:
        size, start = int.from_bytes(data[2:4], "big"), 8
    return apply_mask(data[start:], data[start - 4 : start]) if len(data) == start + size else None


def _is_sign(data: bytes) -> bool:
    """Whether this is one whole frame of the protocol's own: a goodbye, a ping or a pong."""
    return len(data) >= 6 and data[0] in (0x88, 0x89, _PONG) and 126 > data[1] - 0x80 == len(data) - 6


class BoundedSocket(WebSocketsSansIOProtocol):
    """uvicorn's protocol, which waits for ever to say goodbye to somebody who does not read.

    It is also the short way out: a Wire, which an application finds in its scope. And the short way in: a
    whole text that comes alone is taken as it is; the library has all else,
    and all that follows on anything in pieces.
    """

    drained: Callable[[], None] | None = None
    _leaving: tuple[bytes, ...] = ()  # what was told and not yet written
    _short = True  # the library is not in the middle of something
    _heard = 0.0  # when there was a sign of life
    _asked = False  # for one, since

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.queue = _Inbox()  # type: ignore[assignment]  # as far as uvicorn asks for more than that

    @property
    def ready(self) -> bool:
        """Whether what is told now goes out now."""
        return self.writable.is_set() and not self.transport.is_closing()

    def tell(self, message: bytes) -> None:
        """Send a text; all that is told in one turn of the loop leaves in one write."""
        if not self._leaving:
            self.loop.call_soon(self._leave)
        self._leaving += (_head(len(message)), message)

    def _leave(self) -> None:
        frames, self._leaving = self._leaving, ()
        if frames and self.conn.state is State.OPEN and not self.transport.is_closing():
            self.transport.write(b"".join(frames))

    async def send(self, message: ASGISendEvent) -> None:
        self._leave()  # what was told before is heard before, most of all before a goodbye
        await super().send(message)

    def shutdown(self) -> None:
        self._leave()
        super().shutdown()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.drained is not None:
            self.drained()

    def data_received(self, data: bytes) -> None:
        if not self.handshake_complete:
            self._short = self._short and not self.handshake_initiated
        elif self._short and self.conn.state is State.OPEN:
            text = _whole_text(data)
            if text is not None and self._took(text):
                return
            self._short = text is not None or _is_sign(data)
            if self._short and data[0] == _PONG:
                self._lives()
                return
        super().data_received(data)

    def _lives(self) -> None:
        """Take note of a sign of life: something whole, from somebody who reads."""
        if self.ready:
            self._heard, self._asked = self.loop.time(), False

    def _took(self, text: bytes) -> bool:
        """Whether a text could be handed on at once; all else is the library's."""
        if self.close_sent or self.read_paused or len(text) > self.config.ws_max_size:
            return False
        if self.queue.qsize() >= MOST_UNREAD:
            return False
        try:
            self.queue.put_nowait({"type": "websocket.receive", "text": text.decode()})
        except UnicodeDecodeError:
            return False
        self._lives()
        return True

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:  # by a crooked handshake
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[WIRE] = self

    async def run_asgi(self) -> None:
        try:
            await super().run_asgi()
        finally:
            self.scope["extensions"].pop(WIRE, None)  # else we would hold ourselves

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.conn.parser.close()  # which holds the library's part of us

    def handle_pong(self, event: Frame) -> None:
        self._lives()

    def send_keepalive_ping(self) -> None:
        # uvicorn asks everybody all the time; most are heard of anyway, for the page asks, too.
        if self.close_sent or self.transport.is_closing():
            return
        wait = self.ping_interval or 0.0
        quiet = self.loop.time() - self._heard
        if quiet < wait:
            wait -= quiet
        elif self._asked:
            self.keepalive_timeout()
            return
        else:
            self._asked = True
            self.transport.write(_PING)
        self.ping_timer = self.loop.call_later(wait, self.send_keepalive_ping)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()

    def send_receive_event_to_app(self) -> None:
        # uvicorn stops reading after every message, which is two calls to the system: let it think it has.
        self._lives()
        early = not self.read_paused and self.queue.qsize() < MOST_UNREAD
        self.read_paused = self.read_paused or early
        with suppress(InvalidState):  # crooked text with a close right behind it: the close will do
            super().send_receive_event_to_app()
        self.read_paused = self.read_paused and not early
