"""WebSockets and event streams by hand, over plain sockets."""

from __future__ import annotations

import json
import os
import socket
from base64 import b64encode
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

TEXT, CLOSE, PING = 1, 8, 9
_TIMEOUT = 60.0


def dial(url: str, source: str = "127.0.0.1", receive: int | None = None) -> socket.socket:
    """A connection to a server, from one of this machine's own addresses."""
    parts = urlsplit(url)
    line = socket.socket()
    line.settimeout(_TIMEOUT)
    if receive is not None:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
    line.bind((source, 0))
    line.connect((parts.hostname, parts.port))
    return line


def head(path: str, token: str | None, **headers: str) -> bytes:
    """A GET request."""
    lines = [
        f"GET {path} HTTP/1.1",
        "Host: localhost",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    return "\r\n".join([*lines, "", ""]).encode()


class Stream:
    """A game's event stream."""

    def __init__(self, url: str, game: str, token: str | None, receive: int | None = None) -> None:
        self.line = dial(url, receive=receive)
        self.line.sendall(head(f"/api/games/{game}/events", token))

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.line.close()

    def read(self) -> bytes:
        """What comes next; nothing when the server has ended the stream."""
        with suppress(ConnectionResetError):
            return self.line.recv(1 << 16)
        return b""

    def read_to_end(self) -> None:
        """Read until the empty chunk that ends an answer."""
        last = b"\r\n"  # as what was read before ended
        while not last.endswith(b"\r\n0\r\n\r\n"):
            more = self.read()
            if not more:
                return
            last = (last + more)[-16:]


class Socket:
    """A game's WebSocket."""

    def __init__(self, url: str, game: str, token: str | None, source: str = "127.0.0.1") -> None:
        self.line = dial(url, source)
        wanted = {
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": b64encode(os.urandom(16)).decode(),
        }
        self.line.sendall(head(f"/api/games/{game}/socket", token, **wanted))
        self._left = b""
        while b"\r\n\r\n" not in self._left and (more := self.line.recv(1 << 16)):
            self._left += more
        status, _, self._left = self._left.partition(b"\r\n\r\n")
        self.status = int(status.split(b" ", 2)[1])

    def __enter__(self) -> Socket:
        return self

    def __exit__(self, *_: object) -> None:
        self.line.close()

    def say(self, **message: object) -> None:
        """Send a message."""
        data = json.dumps(message).encode()
        assert len(data) < 1 << 16
        size = bytes([128 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
        self.line.sendall(bytes([128 | TEXT]) + size + bytes(4) + data)  # a mask of zeros changes nothing

    def hear(self) -> tuple[int, Any]:
        """The next frame but pings: its kind, and its JSON or close code."""
        while True:
            kind, data = self._frame()
            if kind == TEXT:
                return kind, json.loads(data)
            if kind == CLOSE:
                return kind, int.from_bytes(data[:2], "big")

    def closed(self) -> int:
        """The code with which the server closes, whatever comes before it."""
        while True:
            kind, content = self.hear()
            if kind == CLOSE:
                return int(content)

    def _frame(self) -> tuple[int, bytes]:
        first = self._take(2)
        size = first[1] & 127
        if size >= 126:
            size = int.from_bytes(self._take(2 if size == 126 else 8), "big")
        return first[0] & 15, self._take(size)

    def _take(self, size: int) -> bytes:
        while len(self._left) < size:
            more = self.line.recv(1 << 16)
            if not more:
                raise EOFError("the server hung up")
            self._left += more
        found, self._left = self._left[:size], self._left[size:]
        return found
