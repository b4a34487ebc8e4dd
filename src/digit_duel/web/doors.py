"""Connections with an end: whoever takes too long to ask or to read, or asks for too much, is let go."""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.http11 import Request

from digit_duel.web.stream import WIRE

REQUEST_WITHIN = 10.0  # seconds, from the first byte or the open line to the last byte of a request
LONGEST_HEAD = 16_384  # bytes of request line and headers
MOST_UNREAD = 16  # messages of one socket that wait for the one before


class BoundedHttp(HttpToolsProtocol):
    """uvicorn's protocol, which has no limit of its own for slow or long heads."""

    _late: TimerHandle | None = None
    _head: int | None = 0  # bytes so far; None while a body is read

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._head is not None:
            self._head += len(data)
            if self._head > LONGEST_HEAD:
                self.send_400_response("The request is too long.")
                return
        super().data_received(data)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._expect()

    def on_headers_complete(self) -> None:
        self._head = None
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._head = 0
        self._arrived()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._arrived()
        super().handle_websocket_upgrade()

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


class BoundedSocket(WebSocketsSansIOProtocol):
    """uvicorn's protocol, which waits for ever to say goodbye to somebody who does not read.

    It is also the short way out: a Wire, which an application finds in its scope.
    """

    drained: Callable[[], None] | None = None
    _leaving = False  # a write is due

    @property
    def ready(self) -> bool:
        """Whether what is told now goes out now."""
        return self.writable.is_set()

    def tell(self, message: bytes) -> None:
        """Send a text; all that is told in one turn of the loop leaves in one write."""
        with suppress(InvalidState):  # the line is being closed: nobody listens any more
            self.conn.send_text(message)
            if not self._leaving:
                self._leaving = True
                self.loop.call_soon(self._leave)

    def _leave(self) -> None:
        self._leaving = False
        if not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()))

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.drained is not None:
            self.drained()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:  # by a crooked handshake
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[WIRE] = self

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()

    def send_receive_event_to_app(self) -> None:
        # uvicorn stops reading after every message, which is two calls to the system: let it think it has.
        early = not self.read_paused and self.queue.qsize() < MOST_UNREAD
        self.read_paused = self.read_paused or early
        with suppress(InvalidState):  # crooked text with a close right behind it: the close will do
            super().send_receive_event_to_app()
        self.read_paused = self.read_paused and not early
