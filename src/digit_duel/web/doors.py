"""Connections with an end: whoever takes too long to ask or to read, or asks for too much, is let go."""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from contextlib import suppress
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

REQUEST_WITHIN = 10.0  # seconds, from the first byte or the open line to the last byte of a request
LONGEST_HEAD = 16_384  # bytes of request line and headers


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
    """uvicorn's protocol, which waits for ever to say goodbye to somebody who does not read."""

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()

    def send_receive_event_to_app(self) -> None:
        with suppress(InvalidState):  # crooked text with a close right behind it: the close will do
            super().send_receive_event_to_app()
