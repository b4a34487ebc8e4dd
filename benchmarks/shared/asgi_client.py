"""Sends requests to an ASGI application in the same process, with next to no costs of its own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.types import ASGIApp, Message

SOCKET = "WS"  # in place of a method


@dataclass(frozen=True, slots=True)
class Ask:
    """One request, socket or stream."""

    method: str
    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None

    @property
    def is_line(self) -> bool:
        """Whether the answer goes on until somebody hangs up."""
        return self.method == SOCKET or self.target.partition("?")[0].endswith("/events")


@dataclass(slots=True)
class Heard:
    """What came back."""

    status: int = 0
    data: bytes = b""

    @property
    def body(self) -> dict[str, Any]:
        """The JSON of an answer."""
        found: dict[str, Any] = json.loads(self.data)
        return found


async def send(app: ASGIApp, ask: Ask) -> Heard:
    """Send a request and hear the whole answer; of a socket or a stream the first view."""
    heard, enough = Heard(), asyncio.Event()
    inbox: asyncio.Queue[Message] = asyncio.Queue()
    if ask.method == SOCKET:
        inbox.put_nowait({"type": "websocket.connect"})
    else:
        sent = b"" if ask.body is None else json.dumps(ask.body).encode()
        inbox.put_nowait({"type": "http.request", "body": sent, "more_body": False})

    async def hear(message: Message) -> None:
        kind = message["type"]
        heard.status = message.get("status", 101 if kind == "websocket.accept" else heard.status)
        told = message.get("body") or (message.get("text") or "").encode()
        heard.data += told
        if told and ask.is_line:
            enough.set()

    talk = asyncio.ensure_future(app(_scope(ask), inbox.get, hear))
    if ask.is_line:
        waiting = asyncio.ensure_future(enough.wait())
        await asyncio.wait((talk, waiting), return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        kind = "websocket.disconnect" if ask.method == SOCKET else "http.disconnect"
        inbox.put_nowait({"type": kind, "code": 1001})
    await talk
    return heard


def _scope(ask: Ask) -> dict[str, Any]:
    path, _, query = ask.target.partition("?")
    socket = ask.method == SOCKET
    headers = {"host": "localhost", **({} if ask.body is None else {"content-type": "application/json"})}
    return {
        "type": "websocket" if socket else "http",
        **({} if socket else {"method": ask.method}),
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "scheme": "ws" if socket else "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), text.encode()) for name, text in {**headers, **ask.headers}.items()],
        "client": ("127.0.0.1", 50_000),
        "server": ("localhost", 80),
        "extensions": {"websocket.http.response": {}},
        "subprotocols": [],
        "state": {},
    }
