"""The ASGI application."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp

from digit_duel.web.analysis.analyst import Analyst
from digit_duel.web.configuration import read_settings, unknown_variables
from digit_duel.web.http.app_files import AppFiles
from digit_duel.web.http.context import Services
from digit_duel.web.http.dispatch import endpoint
from digit_duel.web.http.event_stream import EventStream
from digit_duel.web.http.game_pages import PATHS as GAME_PATHS
from digit_duel.web.http.game_pages import game_page
from digit_duel.web.http.limits.request_rate import RequestRate
from digit_duel.web.http.limits.request_size import RequestLimits
from digit_duel.web.http.limits.server_limits import Limits
from digit_duel.web.http.openapi import description
from digit_duel.web.http.operating.metrics_page import metrics_page
from digit_duel.web.http.operating.probes import health, ready
from digit_duel.web.http.operating.request_metrics import measured
from digit_duel.web.http.operating.stop_signal import on_stop_signal
from digit_duel.web.http.pages import PATHS, Page, all_shells
from digit_duel.web.http.responses import refused
from digit_duel.web.http.routes import ROUTES
from digit_duel.web.http.security import SecurityHeaders, UnambiguousRequests, content_security_policy
from digit_duel.web.http.sessions import Sessions
from digit_duel.web.http.websocket import websocket_endpoint
from digit_duel.web.logs import log, log_loop_error, log_unforeseen
from digit_duel.web.metrics import REQUESTS
from digit_duel.web.play.commands import Commands
from digit_duel.web.play.connected.subscriptions import Subscriptions
from digit_duel.web.play.ended import results_due
from digit_duel.web.play.ended.retention import Retention
from digit_duel.web.play.game_service import GameService
from digit_duel.web.play.lobby import Lobby
from digit_duel.web.preparing import CannotServe, report_missing_keys, start
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.server_key import BadKey, ServerKeys, key_path
from digit_duel.web.settings import Settings
from digit_duel.web.store import DamagedDatabase, Store, Unavailable
from digit_duel.web.store.opening import open_store

_GC_THRESHOLDS = (5_000, 20, 100)  # young collections of 2 ms, and hardly ever a full one
_SWITCH_INTERVAL = 0.0002  # seconds; at the default of 5 ms the writer thread waits too long for the GIL


def app() -> ASGIApp:
    """The application for any ASGI server, with settings from the environment."""
    return build(read_settings({}, os.environ))


def build(settings: Settings) -> SecurityHeaders:
    """Build the ASGI application."""
    store = open_store(settings.database)
    game_service = GameService(settings, store, ServerKeys(key_path(settings)), Subscriptions())
    lobby = Lobby(game_service)
    services = Services(
        settings,
        game_service,
        Commands(game_service, lobby),
        lobby,
        Sessions(settings, store, game_service.subscriptions.end_session),
        Analyst(settings),
        Limits(settings),
    )

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_exception_handler(log_loop_error)
        sys.setswitchinterval(_SWITCH_INTERVAL)
        gc.freeze()
        gc.set_threshold(*_GC_THRESHOLDS)
        for name in unknown_variables(os.environ):
            log.warning("unknown_variable", name=name)
        await _started(settings, store, game_service)
        loops = [asyncio.create_task(_forever(run, services)) for run in (_poll, _sweep)]
        for work in (_add_due_results(game_service), _report_missing_keys(game_service)):
            game_service.tasks.start(work)
        log.info("ready")
        try:
            with on_stop_signal(game_service.subscriptions.close):
                yield
        finally:
            game_service.subscriptions.close()
            for loop in loops:
                loop.cancel()
            await asyncio.gather(*loops, return_exceptions=True)
            await game_service.stop()
            services.analyst.stop()
            await store.stop()
            log.info("stopped")

    page = Page()
    inner = Starlette(
        routes=routes(services, page),
        middleware=[
            Middleware(RequestRate, limits=services.limits, settings=settings),
            Middleware(UnambiguousRequests),
            Middleware(RequestLimits, largest_body=settings.largest_body),
        ],
        lifespan=lifespan,
        exception_handlers={HTTPException: _http_error(page), Exception: _internal_error},
    )
    inner.router.redirect_slashes = False  # a path with a stray slash is not found
    inner.state.services = services
    return SecurityHeaders(inner, settings, content_security_policy(all_shells()))


async def _started(settings: Settings, store: Store, game_service: GameService) -> None:
    """Open the store, load the keys, and tell the other servers; log the reason if that fails."""
    starting = asyncio.create_task(start(settings, store, game_service.keys))
    try:
        with on_stop_signal(starting.cancel):
            await starting
        with suppress(Unavailable):  # a slow database: polling tries again
            await game_service.publish()
    except (CannotServe, BadKey) as wrong:
        log.critical("ended", why=str(wrong))
        raise
    except Exception as wrong:
        log_unforeseen(wrong)  # uvicorn logs no more than that there is a traceback
        raise


def routes(services: Services, page: Page) -> list[BaseRoute]:
    """Build all routes."""
    document, files = msgspec.json.encode(description()), AppFiles(page)

    async def openapi(request: Request) -> Response:
        return Response(document, media_type="application/json")

    gets: dict[str, Callable[..., Any]] = {
        "/api/games/{game}/events": EventStream(services),
        "/api/openapi.json": openapi,
        "/healthz": health(services),
        "/readyz": ready(services),
        "/metrics": metrics_page(services),
        "/static/{version}/{file:path}": page.part,
        **dict.fromkeys(PATHS, page.shell),
        **dict.fromkeys(GAME_PATHS, game_page(services, page)),
        "/app.webmanifest": files.manifest,
        "/icons/{name}": files.icon,
        "/sw.js": files.worker,
    }
    socket = "/api/games/{game}/socket"
    return [
        *(Route(each.path, endpoint(services, each), methods=[each.method], middleware=measured(each.path))
          for each in ROUTES),
        *(Route(path, serve, methods=["GET"], middleware=measured(path)) for path, serve in gets.items()),
        WebSocketRoute(socket, websocket_endpoint(services), middleware=measured(socket)),
    ]  # fmt: skip


async def _forever(run: Callable[[Services], Awaitable[None]], services: Services) -> None:
    """Restart a background loop after an unexpected error: the server depends on it."""
    while True:
        try:
            await run(services)
        except Exception as wrong:
            log_unforeseen(wrong)
        await asyncio.sleep(1)


async def _poll(services: Services) -> None:
    """Share presence with the other servers, and catch up on lost notifications."""
    game_service, now = services.game_service, asyncio.get_running_loop().time
    next_poll = now() + services.settings.poll
    while True:
        with suppress(Unavailable, DamagedDatabase):  # the next round may succeed
            try:
                async with asyncio.timeout_at(next_poll):
                    await game_service.subscriptions.arrival.wait()
                await game_service.publish()
            except TimeoutError:
                next_poll = now() + services.settings.poll
                await game_service.poll()


async def _add_due_results(game_service: GameService) -> None:
    """Add the results of games that ended under a version that stored none."""
    with suppress(Unavailable, DamagedDatabase, Refusal):  # the next server to start continues
        await results_due.add_due_results(game_service)


async def _report_missing_keys(game_service: GameService) -> None:
    """Tell the operator about games whose key is no longer in the file."""
    with suppress(Unavailable, DamagedDatabase, BadKey):  # the next start tries again
        await report_missing_keys(game_service.store, game_service.keys)


async def _sweep(services: Services) -> None:
    """Delete, again and again, what is older than the settings allow."""
    retention = Retention(services.settings, services.game_service.store)
    while True:
        with suppress(Unavailable, DamagedDatabase):
            await retention.sweep()
        await asyncio.sleep(services.settings.sweep_seconds)


def _http_error(page: Page) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Make the handler of unknown paths and methods: programs get a refusal, browsers a page."""

    async def answer(request: Request, wrong: Exception) -> Response:
        assert isinstance(wrong, HTTPException)
        REQUESTS.labels("any", "unknown", wrong.status_code).inc()
        if wrong.status_code == 405:
            refusal = Refusal(Code.BAD_REQUEST, "This address does not support that method.")
            response = refused(refusal)
            response.status_code = 405
            response.headers.update(wrong.headers or {})
            return response
        if "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/"):
            return page.nothing(request)
        return refused(Refusal(Code.NOT_FOUND, "There is nothing here."))

    return answer


async def _internal_error(request: Request, wrong: Exception) -> Response:
    """Answer an internal error without details; SecurityHeaders logs it."""
    return JSONResponse(
        {"code": "busy_retry", "message": "The server made a mistake. Please try again."}, 500
    )
