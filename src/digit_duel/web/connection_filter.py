"""A filter between each connection and the ASGI server, for floods that the application would never see.

uvicorn itself handles the pings and empty fragments of a WebSocket, and decodes chunked bodies; it limits
neither. A megabyte of pings, or of chunks of one byte, would block the event loop for a second before the
application could count it. So the filter refuses chunked bodies, and stops reading from a WebSocket that has
sent too many bytes besides the messages that the application has read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Any, TypeAlias, cast

from digit_duel.web.http.limits.refusals import count_refusal

_UNSENT = 16_384  # bytes buffered for a client that does not read, besides one view; the default is 64 KiB
_PER_SECOND = 64.0  # bytes outside of messages; the answer to one of the server's pings takes 10
_CHUNKED = b"\ntransfer-encoding:"  # no JSON body contains such a line, so it is a header
_LENGTH_REQUIRED = (
    b"HTTP/1.1 411 Length Required\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
    b"Send the body in one piece, with its Content-Length.\n"
)


def _nothing() -> None:
    """Do nothing."""


class ConnectionFilter(asyncio.Protocol):
    """Passes everything on to the protocol of a connection, except for chunked bodies and floods."""

    def __init__(self, protocol: asyncio.BaseProtocol, all_filters: Filters, at_once: int) -> None:
        self._protocol = cast(asyncio.Protocol, protocol)
        self._all_filters = all_filters
        self._peer = ("", 0)
        self._is_websocket = False
        self._last = b""  # the end of earlier data, where a header may have begun
        # How many bytes outside of messages may still arrive, as of a time; they become more with time.
        self._at_once, self._left, self._at = at_once, float(at_once), monotonic()
        self.outside_messages = 0  # bytes
        self.flooded = False
        self.on_flood: Callable[[], None] = _nothing  # called once; nothing is passed on after it

    def message_read(self, size: int) -> None:
        """Record that the application read a message of this many bytes."""
        self._left += size
        self.outside_messages -= size

    def switch_to(self, protocol: asyncio.BaseProtocol) -> None:
        """Pass data to another protocol from now on: the connection became a WebSocket."""
        self._protocol = cast(asyncio.Protocol, protocol)
        self._is_websocket = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Lower the limit above which a protocol is told to pause writing."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(_UNSENT)
        if (peer := transport.get_extra_info("peername")) is not None:  # None if the client has disconnected
            self._peer = (str(peer[0]), int(peer[1]))
            self._all_filters[self._peer] = self
        self._protocol.connection_made(cast(asyncio.Transport, _FilteredTransport(self._transport, self)))

    def data_received(self, data: bytes) -> None:
        """Pass data on; refuse chunked bodies, and stop reading from a client that floods."""
        if self._is_websocket:
            self._frames_received(data)
        elif _CHUNKED in (seen := self._last + data.lower()):
            count_refusal("chunked")
            self._transport.write(_LENGTH_REQUIRED)
            self._transport.close()
        else:
            self._last = seen[1 - len(_CHUNKED) :]
            self._protocol.data_received(data)

    def _frames_received(self, data: bytes) -> None:
        now = monotonic()
        self._left = min(self._at_once, self._left + (now - self._at) * _PER_SECOND) - len(data)
        self._at = now
        self.outside_messages += len(data)
        if self._left < 0:
            self._transport.pause_reading()
            if not self.flooded:
                self.flooded = True
                self.on_flood()
        else:
            self._protocol.data_received(data)

    def eof_received(self) -> bool | None:
        """Pass the event on."""
        return self._protocol.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection, and pass the event on."""
        if self._all_filters.get(self._peer) is self:  # the client's port may be reused already
            del self._all_filters[self._peer]
        self._protocol.connection_lost(exc)

    def pause_writing(self) -> None:
        """Pass the event on."""
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        """Pass the event on."""
        self._protocol.resume_writing()


Filters: TypeAlias = dict[tuple[str, int], ConnectionFilter]  # by the client's address and port


class _FilteredTransport:
    """A transport whose set_protocol replaces the protocol behind the filter, not the filter itself."""

    def __init__(self, transport: asyncio.Transport, owner: ConnectionFilter) -> None:
        self._transport = transport
        self.set_protocol = owner.switch_to

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
