"""The metrics endpoint, for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator
from hmac import compare_digest
from ipaddress import ip_address
from urllib.parse import urlsplit

from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from digit_duel.web.http.context import Services
from digit_duel.web.http.operating.probes import Endpoint
from digit_duel.web.settings import Settings

_HERE = ("127.0.0.1", "::1")


class _Games:
    """Collects the counts that the game service keeps."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def collect(self) -> Iterator[Metric]:
        """The current values."""
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


def metrics_page(services: Services) -> Endpoint:
    """Make the endpoint with all metrics, for callers on this machine or with the operator's token."""
    games = CollectorRegistry()
    games.register(_Games(services))

    async def answer(request: Request) -> Response:
        if not (_is_known_host(request, services.settings) and _is_allowed(request, services.settings)):
            return PlainTextResponse("Not found.\n", 404)
        text = generate_latest(games) + generate_latest(REGISTRY)  # REGISTRY also has memory and descriptors
        return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")

    return answer


def _is_allowed(request: Request, settings: Settings) -> bool:
    """Whether a request has the token or, if none is set, comes directly from this machine."""
    if settings.metrics_token:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        return compare_digest(given.encode(), settings.metrics_token.encode())
    local = request.client is not None and request.client.host in _HERE
    return local and "x-forwarded-for" not in request.headers


def _is_known_host(request: Request, settings: Settings) -> bool:
    """Whether Host is an IP address, a private network name (without a dot) or the public name.

    This prevents DNS rebinding: another site could point its own name at this machine and read the answer.
    """
    host = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
    if "." not in host or host == urlsplit(settings.public_url or "").hostname:
        return True
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
