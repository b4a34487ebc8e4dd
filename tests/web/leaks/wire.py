"""Requests, streams and sockets without a network: every byte that the server sends, in order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

Complaint = Callable[[BaseException], None]
HOST = "duel.test"


def _scope(kind: str, target: str, headers: Mapping[str, str]) -> dict[str, Any]:
    path, _, query = target.partition("?")
    return {
        "type": kind,
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "scheme": "http" if kind == "http" else "ws",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in {"host": HOST, **headers}.items()],
        "client": ("127.0.0.1", 50_000),
        "server": (HOST, 80),
        "extensions": {"websocket.http.response": {}},
        "subprotocols": [],
        "state": {},
    }


def written(message: Mapping[str, Any]) -> bytes:
    """One message of the server as bytes, nothing left out: status, headers in order, body, close code."""
    parts = [message["type"].encode()]
    for key in sorted(message.keys() - {"type"}):
        value = message[key]
        if key == "headers":
            parts += [name + b": " + text for name, text in value]
        elif isinstance(value, bytes):
            parts.append(key.encode() + b"=" + value)
        else:
            parts.append(f"{key}={value}".encode())
    return b"\n".join(parts)


async def ask(
    app: Any, method: str, target: str, headers: Mapping[str, str], body: bytes, complain: Complaint
) -> list[bytes]:
    """One request, and all messages of its answer; what the server drops is complained about."""
    scope = {**_scope("http", target, headers), "method": method}
    waiting = [{"type": "http.request", "body": body, "more_body": False}]
    told: list[bytes] = []

    async def receive() -> Any:
        if waiting:
            return waiting.pop()
        return await asyncio.get_running_loop().create_future()  # the client waits for its answer

    async def send(message: Any) -> None:
        told.append(written(message))

    try:
        await app(scope, receive, send)
    except Exception as wrong:
        complain(wrong)  # as the web server around it would
    return told


class Line:
    """An open connection: a socket, or a stream of events."""

    def __init__(self, app: Any, method: str, target: str, headers: Mapping[str, str], complain: Complaint):
        self.told: list[bytes] = []
        self._inbox: asyncio.Queue[Any] = asyncio.Queue()
        self.socket = method == "WS"
        self._complain = complain
        scope = _scope("websocket" if self.socket else "http", target, headers)
        if self.socket:
            self._inbox.put_nowait({"type": "websocket.connect"})
        else:
            scope["method"] = method
            self._inbox.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        self._task = asyncio.create_task(app(scope, self._inbox.get, self._send))

    async def _send(self, message: Any) -> None:
        self.told.append(written(message))

    def say(self, text: str) -> None:
        """Send a frame."""
        self._inbox.put_nowait({"type": "websocket.receive", "text": text})

    async def hang_up(self) -> None:
        """Close from our side, and see that the server has noticed."""
        kind = "websocket.disconnect" if self.socket else "http.disconnect"
        self._inbox.put_nowait({"type": kind, "code": 1001})
        try:
            await self._task
        except Exception as wrong:
            self._complain(wrong)


async def settle() -> None:
    """Run the event loop until it is idle."""
    loop: Any = asyncio.get_running_loop()
    await asyncio.sleep(0)
    while loop._ready:  # private, but nothing else shows that a loop is idle
        await asyncio.sleep(0)
