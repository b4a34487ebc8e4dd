"""Raw bytes on the wire, valid or not: HTTP and RFC 6455 frames by hand."""

from __future__ import annotations

import json
import os
import socket
import struct
import time
from base64 import b64encode
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

PAUSE = 0.05  # seconds between pieces
TEXT, BINARY, CLOSE, PING, PONG, CONTINUED = 1, 2, 8, 9, 10, 0
Headers = Iterable[tuple[str, str]]


def dial(port: int, seconds: float = 60.0) -> socket.socket:
    """A connection to a server of this machine."""
    line = socket.create_connection(("127.0.0.1", port), timeout=seconds)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return line


def exchange(port: int, *data: bytes) -> bytes:
    """Send pieces of bytes, and return the response, or what came before the server closed."""
    with dial(port) as line:
        with suppress(BrokenPipeError, ConnectionResetError):  # it may have heard enough before the end
            for number, piece in enumerate(data):
                time.sleep(PAUSE if number else 0)
                line.sendall(piece)
        found = b""
        with suppress(ConnectionResetError):
            while not _whole(found) and (more := line.recv(65536)):
                found += more
    return found


def _whole(answer: bytes) -> bool:
    head, blank, body = answer.partition(b"\r\n\r\n")
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return bool(blank) and len(body) >= int(line.partition(b":")[2])
    return False


def request(method: str, path: str, headers: Headers = (), body: bytes = b"") -> bytes:
    """A request as bytes, with the given headers and no others but the host and the length."""
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
    names = {line.partition(":")[0].lower() for line in lines[1:]}
    lines += [] if "host" in names else ["Host: localhost"]
    lines += [f"Content-Length: {len(body)}"] if body and "content-length" not in names else []
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def status(answer: bytes) -> int:
    """The status of an answer; 0 if the server hung up without one."""
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def content(answer: bytes) -> Any:
    """The JSON of an answer."""
    return json.loads(answer.partition(b"\r\n\r\n")[2])


def frame(
    opcode: int,
    payload: bytes,
    *,
    fin: bool = True,
    masked: bool = True,
    reserved: int = 0,
    length: int | None = None,
) -> bytes:
    """Build one frame, including any that the standard forbids."""
    size = len(payload) if length is None else length
    head = bytes([fin << 7 | reserved << 4 | opcode])
    flag = masked << 7
    if size < 126:
        head += bytes([flag | size])
    elif size < 1 << 16:
        head += bytes([flag | 126]) + struct.pack(">H", size)
    else:
        head += bytes([flag | 127]) + struct.pack(">Q", size)
    if not masked:
        return head + payload
    mask = os.urandom(4)
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


def replies_in(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The replies to commands in a message of the server: beside a view, or one alone."""
    if message["type"] == "reply":
        return [message]
    found: list[dict[str, Any]] = message.get("replies", [])
    return found


class RawSocket:
    """A WebSocket client that can break every rule."""

    def __init__(self, port: int, path: str, headers: Headers = (), *, receive: int | None = None) -> None:
        """Shakes hands, or does not: see status."""
        self.line = dial(port)
        if receive is not None:
            self.line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        key = b64encode(os.urandom(16)).decode()
        wanted = [
            ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", key), *headers,
        ]  # fmt: skip
        self.line.sendall(request("GET", path, wanted))
        self._left = b""
        while b"\r\n\r\n" not in self._left and (more := self.line.recv(65536)):
            self._left += more
        self.status = status(self._left)
        self.head, _, self._left = self._left.partition(b"\r\n\r\n")

    def __enter__(self) -> RawSocket:
        return self

    def __exit__(self, *_: object) -> None:
        self.line.close()

    def send(self, data: bytes) -> None:
        """Bytes as they are; a server that hung up already is no surprise."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self.line.sendall(data)

    def say(self, message: Any) -> None:
        """A message as JSON."""
        self.send(frame(TEXT, json.dumps(message).encode()))

    def read(self) -> tuple[int, bytes] | None:
        """The next frame; None when the server has hung up."""
        head = self._take(2)
        if head is None:
            return None
        size = head[1] & 127
        if size >= 126:
            long = self._take(2 if size == 126 else 8)
            if long is None:
                return None
            size = int.from_bytes(long, "big")
        payload = self._take(size)
        return None if payload is None else (head[0] & 15, payload)

    def _take(self, size: int) -> bytes | None:
        with suppress(ConnectionResetError):
            while len(self._left) < size:
                more = self.line.recv(65536)
                if not more:
                    return None
                self._left += more
            found, self._left = self._left[:size], self._left[size:]
            return found
        return None

    def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message of some kinds; others are let go."""
        while (found := self.read()) is not None:
            if found[0] == TEXT and (message := json.loads(found[1]))["type"] in kinds:
                heard: dict[str, Any] = message
                return heard
            assert found[0] != CLOSE, found
        raise EOFError("the server hung up")

    def end(self) -> int | None:
        """The code with which the server closes; None if it hangs up without a word."""
        while (found := self.read()) is not None:
            if found[0] == CLOSE:
                return int.from_bytes(found[1][:2], "big")
        return None
