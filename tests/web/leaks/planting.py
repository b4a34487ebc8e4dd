"""Planting leaks: where a mistake that tells a secret can be put into the server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any
from zlib import crc32

import msgspec
import pytest
from msgspec import to_builtins
from starlette.requests import Request
from starlette.responses import Response

from digit_duel.core.game import Seat
from digit_duel.web import app
from digit_duel.web.http import dispatch
from digit_duel.web.http.context import Answer, RequestContext, Services
from digit_duel.web.http.routes import ROUTES, Route
from digit_duel.web.play import game_service
from digit_duel.web.play.game_service import GameService
from digit_duel.web.play.live_game import LiveGame
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.views import game_view

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]
LEAKS: dict[str, tuple[Plant, str]] = {}


def leak(kind: str = "") -> Callable[[Plant], Plant]:
    """Register a leak, with the kind of game in which it can be seen."""

    def register(plant: Plant) -> Plant:
        LEAKS[plant.__name__] = (plant, kind)
        return plant

    return register


def telling(found: OnlineGame) -> int:
    """A number that differs between worlds: a digest of the whole truth."""
    return crc32(repr(found.session and found.session.state).encode())


class Plain(dict[str, Any]):
    """Plain data that has its fields as attributes, as a view has."""

    def __getattr__(self, name: str) -> Any:
        return self[name]


def plain(view: object) -> Any:
    """A view as plain data, which can be changed at will."""
    return Plain(msgspec.json.decode(msgspec.json.encode(view)))


def in_view(patch: Patch, change: Callable[[dict[str, Any], OnlineGame, Seat | None], None]) -> None:
    """Let every view be changed before it is sent."""
    honest = game_view.view

    def leaky(of: OnlineGame, seat: Seat | None, *known: Any) -> Any:
        found = plain(honest(of, seat, *known))
        change(found, of, seat)
        return found

    patch.setattr(game_service, "view", leaky)


def in_answer(patch: Patch, change: Callable[[Response, int], None]) -> None:
    """Let every HTTP answer about a game be changed before it is sent."""
    honest = dispatch.endpoint

    def leaky(services: Services, route: Route[Any, Any]) -> Any:
        answer = honest(services, route)

        async def changed(request: Request) -> Response:
            response = await answer(request)
            if live := services.game_service._games.find(request.path_params.get("game", "")):
                change(response, telling(live.game))
            return response

        return changed

    patch.setattr(app, "endpoint", leaky)


def rerouted(patch: Patch, name: str, serve: Callable[[RequestContext, Any], Awaitable[Answer[Any]]]) -> None:
    """Serve a route in another way."""
    routes = tuple(replace(each, serve=serve) if each.name == name else each for each in ROUTES)
    assert routes != ROUTES
    patch.setattr(app, "ROUTES", routes)


def on_append(patch: Patch, more: Callable[[GameService, LiveGame, dict[str, Any]], Any]) -> None:
    """Do something more with every event."""
    honest = GameService.append

    async def leaky(
        self: GameService, live: LiveGame, seat: Any, client: Any, body: Any, *rest: Any, **known: Any
    ) -> int:
        version = await honest(self, live, seat, client, body, *rest, **known)
        more(self, live, to_builtins(body))
        return version

    patch.setattr(GameService, "append", leaky)
