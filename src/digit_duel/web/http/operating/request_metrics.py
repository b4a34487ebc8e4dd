"""Middleware that counts the requests of a route and measures the time until each is answered."""

from __future__ import annotations

from time import perf_counter

from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from digit_duel.web.metrics import REQUEST_SECONDS, REQUESTS

_FAILED = 500
_STATUS = {"websocket.accept": 101, "websocket.close": 403}  # closed before it was accepted


def measured(route: str) -> list[Middleware]:
    """The middleware for a route; its path template is the label."""
    return [Middleware(_Measured, route=route)]


class _Measured:
    """Counts a request when its answer begins: a stream or a socket may last for hours."""

    def __init__(self, app: ASGIApp, route: str) -> None:
        self._app, self._route = app, route

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        began, answered = perf_counter(), False
        method = scope.get("method", "WEBSOCKET")

        def count(status: int) -> None:
            nonlocal answered
            if not answered:
                answered = True
                REQUESTS.labels(method, self._route, status).inc()
                REQUEST_SECONDS.labels(method, self._route).observe(perf_counter() - began)

        async def send_counted(message: Message) -> None:
            if status := message.get("status", _STATUS.get(message["type"])):
                count(status)
            await send(message)

        try:
            await self._app(scope, receive, send_counted)
        except Exception:
            count(_FAILED)
            raise
