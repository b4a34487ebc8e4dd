"""The health and readiness endpoints."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TypeAlias

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from digit_duel.web.http.context import Services
from digit_duel.web.logs import log
from digit_duel.web.store import DamagedDatabase, Store, Unavailable

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]
_PROBE_TIMEOUT = 3.0  # seconds
_PROBE_PAUSE = 1.0  # seconds for which a result is reused


def health(services: Services) -> Endpoint:
    """Make the endpoint that shows whether the process responds."""

    async def answer(request: Request) -> Response:
        return PlainTextResponse("ok\n")

    return answer


def ready(services: Services) -> Endpoint:
    """Make the endpoint that shows whether the database accepts writes and the server is not stopping."""
    probe = _Probe(services.game_service.store)

    async def answer(request: Request) -> Response:
        if services.game_service.subscriptions.closing:
            return PlainTextResponse("stopping\n", 503)
        wrong = await probe.trouble()
        if wrong is not None:
            return PlainTextResponse(f"no database: {wrong}\n", 503, {"Retry-After": "1"})
        return PlainTextResponse("ready\n")

    return answer


class _Probe:
    """Tries a write to the database, at most once a second."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = asyncio.Lock()
        self._at = float("-inf")
        self._trouble: str | None = None

    async def trouble(self) -> str | None:
        """Why the database accepts no write; None if it does."""
        async with self._lock:
            if monotonic() - self._at > _PROBE_PAUSE:
                self._trouble = await self._try()
                self._at = monotonic()
            return self._trouble

    async def _try(self) -> str | None:
        try:
            async with asyncio.timeout(_PROBE_TIMEOUT):
                await self._store.probe()
        except Unavailable as wrong:
            return wrong.reason
        except TimeoutError:
            log.warning("not_ready", reason="timeout")
            return "timeout"
        except DamagedDatabase:
            return "damaged"
        return None
