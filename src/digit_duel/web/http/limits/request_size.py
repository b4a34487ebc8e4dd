"""Middleware for limits that ASGI servers lack: the size of the head, the size and duration of the body."""

from __future__ import annotations

import asyncio

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from digit_duel.web.replies import Code, Refusal

LARGEST_HEAD = 16_384  # bytes of target and headers
BODY_TIMEOUT = 10.0  # seconds for a whole body to arrive


class RequestLimits:
    """Refuses a request whose head or body is too large, or whose body takes too long to arrive.

    Reading a body beyond its limits raises Refusal. The server, or the proxy in front of it, limits the time
    that a client takes to send the head.
    """

    def __init__(self, app: ASGIApp, largest_body: int) -> None:
        self._app, self._largest_body = app, largest_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on within its limits."""
        if scope["type"] == "http":
            if _head_size(scope) > LARGEST_HEAD:
                await PlainTextResponse("The request is too long.\n", 431)(scope, receive, send)
                return
            receive = _LimitedBody(receive, self._largest_body).receive
        elif scope["type"] == "websocket" and _head_size(scope) > LARGEST_HEAD:
            await send({"type": "websocket.close"})
            return
        await self._app(scope, receive, send)


def _head_size(scope: Scope) -> int:
    target = len(scope["raw_path"]) + len(scope["query_string"])
    return target + sum(len(name) + len(value) for name, value in scope["headers"])


class _LimitedBody:
    """The body of one request; its time limit starts with the first attempt to read it."""

    def __init__(self, receive: Receive, largest: int) -> None:
        self._receive, self._left = receive, largest
        self._largest = largest
        self._deadline: float | None = None
        self._whole = False

    async def receive(self) -> Message:
        """Receive the next message, or raise Refusal."""
        if self._whole:
            return await self._receive()
        if self._deadline is None:
            self._deadline = asyncio.get_running_loop().time() + BODY_TIMEOUT
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError:
            raise Refusal(Code.BAD_REQUEST, "The body took too long to arrive.") from None
        self._whole = not message.get("more_body", False)
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise Refusal(Code.TOO_LARGE, f"This is too large: at most {self._largest} bytes are allowed.")
        return message
