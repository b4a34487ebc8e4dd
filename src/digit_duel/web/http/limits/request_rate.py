"""Middleware that charges every request and its answer to the client's address."""

from __future__ import annotations

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from digit_duel.web.http.context import address
from digit_duel.web.http.limits.server_limits import Limits
from digit_duel.web.http.responses import refused
from digit_duel.web.replies import Refusal
from digit_duel.web.settings import Settings

_PROBES = ("/healthz", "/readyz", "/metrics")  # limited separately: no flood blocks the operator
_HEADERS = 500  # reading this many costs as much as a small request


class RequestRate:
    """Refuses, after a delay, requests from an address that has spent its credit."""

    def __init__(self, app: ASGIApp, limits: Limits, settings: Settings) -> None:
        self._app, self._limits, self._settings = app, limits, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on within its limits."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        where = address(HTTPConnection(scope), self._settings)
        credit = self._limits.probes if scope["path"] in _PROBES else self._limits.requests
        try:
            credit.spend(where, 1 + len(scope["headers"]) // _HEADERS)
        except Refusal as refusal:
            await self._limits.delay(where)
            if scope["type"] == "http":
                await refused(refusal)(scope, receive, send)
            else:
                await WebSocket(scope, receive, send).send_denial_response(refused(refusal))
            return
        await self._app(scope, receive, send if scope["path"] in _PROBES else self._charged(where, send))

    def _charged(self, where: str, send: Send) -> Send:
        """Charge for the bytes of an answer; streams have limits of their own."""

        async def charge_and_send(message: Message) -> None:
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                self._limits.sent(where, len(message.get("body", b"")))
            await send(message)

        return charge_and_send
