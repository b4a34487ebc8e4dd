"""Health, readiness and metrics."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from hmac import compare_digest
from types import FrameType
from typing import TypeAlias

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from digit_duel.web.http.context import Services
from digit_duel.web.store import DamagedDatabase, Unavailable

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]
_HERE = ("127.0.0.1", "::1")


@contextmanager
def on_stop_signal(stop: Callable[[], None]) -> Iterator[None]:
    """Call stop in the running loop as soon as a signal asks the process to end.

    Servers wait for open event streams before they tell the application to shut down; the streams end
    when stop is called.
    """
    if threading.current_thread() is not threading.main_thread():  # only the main thread gets signals
        yield
        return
    loop = asyncio.get_running_loop()
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def handle(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop)
        server = handlers[signal.Signals(number)]
        if callable(server):
            server(number, frame)

    replaced = [number for number, server in handlers.items() if callable(server)]
    for number in replaced:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number in replaced:
            signal.signal(number, handlers[number])


def health(services: Services) -> Endpoint:
    """Whether the process answers at all."""

    async def answer(request: Request) -> Response:
        return PlainTextResponse("ok\n")

    return answer


def ready(services: Services) -> Endpoint:
    """Whether the database answers, and the server has not been asked to stop."""

    async def answer(request: Request) -> Response:
        if services.game_service.subscriptions.closing:
            return PlainTextResponse("stopping\n", 503)
        try:
            await services.game_service.store.versions(["-"])
        except (Unavailable, DamagedDatabase):
            return PlainTextResponse("no database\n", 503)
        return PlainTextResponse("ready\n")

    return answer


class _Counts:
    """Counts of this process; no label names a game or a person."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def collect(self) -> Iterator[Metric]:
        """The present figures."""
        events = CounterMetricFamily("digit_duel_events", "Events committed", labels=["kind"])
        for kind, count in self._services.game_service.counts.items():
            events.add_metric([kind], count)
        yield events
        connections = GaugeMetricFamily("digit_duel_connections", "Sockets and streams that are open")
        connections.add_metric([], len(self._services.game_service.subscriptions))
        yield connections
        in_memory = GaugeMetricFamily("digit_duel_tables", "Games kept in memory")
        in_memory.add_metric([], len(self._services.game_service))
        yield in_memory


def metrics(services: Services) -> Endpoint:
    """Metrics for Prometheus, for callers on this machine or with the operator's token."""
    registry = CollectorRegistry()
    registry.register(_Counts(services))

    async def answer(request: Request) -> Response:
        local = request.client is not None and request.client.host in _HERE
        token = services.settings.metrics_token
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        allowed = (
            compare_digest(given.encode(), token.encode())
            if token
            else (local and "x-forwarded-for" not in request.headers)
        )
        if not allowed:
            return PlainTextResponse("Not found.\n", 404)
        return Response(generate_latest(registry), media_type="text/plain; version=0.0.4; charset=utf-8")

    return answer
