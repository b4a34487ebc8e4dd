"""What to ask at every route of the server, about a game with a history.

A test compares this list with the routing table: a route that is not here would not be measured.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from benchmarks.shared.asgi_client import SOCKET, Ask, Heard, send
from starlette.types import ASGIApp

from digit_duel.web.http.pages import PATHS, Page
from digit_duel.web.pictures.icons import ICONS

Headers = dict[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """A game, and the one who plays it."""

    app: ASGIApp
    game: str
    player: Headers
    variant: str
    settings: dict[str, str] = field(default_factory=dict)

    async def told(self, ask: Ask) -> Heard:
        """The answer to a request that is not measured."""
        return await send(self.app, ask)

    async def newcomer(self) -> Headers:
        """A new session."""
        return bearer(await self.told(Ask("POST", "/api/sessions", body={"bearer": True})))

    async def invitation(self, owner: Headers) -> tuple[str, str]:
        """A game that waits for a friend, and the secret of its link."""
        wish = {"variant": self.variant, "opponent": "friend", "name": "Ada"}
        opened = (await self.told(Ask("POST", "/api/games", owner, wish))).body
        return opened["game"], opened["invite"]["url"].partition("#")[2]

    def both(self, target: str) -> list[Ask]:
        """The question of the player, and of somebody without a session."""
        return [Ask("GET", target, {**self.player, "accept-encoding": "gzip"}), Ask("GET", target)]


def bearer(started: Heard) -> Headers:
    """The header of a session that has just begun."""
    return {"authorization": f"Bearer {started.body['token']}"}


Asks = Callable[[Table], Awaitable[list[Ask]]]
ASKS: dict[tuple[str, str], Asks] = {}


def at_route(method: str, path: str) -> Callable[[Asks], Asks]:
    """Register what is asked at a route."""

    def register(asks: Asks) -> Asks:
        ASKS[method, path] = asks
        return asks

    return register


def _read(path: str, *queries: str) -> None:
    """Register a route that anybody may read as often as they like."""

    async def asks(at: Table) -> list[Ask]:
        target = path.format(game=at.game, variant=at.variant)
        return [ask for query in ("", *queries) for ask in at.both(target + query)]

    ASKS["GET", path] = asks


for _path in (
    "/api/catalogue", "/api/tutorials/{variant}", "/api/openapi.json", "/api/me", "/api/me/games",
    "/api/me/statistics", "/api/me/sessions", "/api/games/{game}/record", "/api/games/{game}/proof",
    "/api/games/{game}/picture", "/api/games/{game}/hint", "/api/games/{game}/review", "/healthz", "/readyz",
    "/metrics", "/app.webmanifest", "/sw.js", *PATHS,
):  # fmt: skip
    _read(_path)
for _path in ("/api/games/{game}", "/api/games/{game}/news", "/api/games/{game}/past"):
    _read(_path, "?after=1", "?as=watcher")


@at_route("GET", "/api/games/{game}/events")
async def _events(at: Table) -> list[Ask]:
    return at.both(f"/api/games/{at.game}/events")


@at_route(SOCKET, "/api/games/{game}/socket")
async def _socket(at: Table) -> list[Ask]:
    target = f"/api/games/{at.game}/socket"
    return [Ask(SOCKET, target, at.player), Ask(SOCKET, target, {"origin": "http://localhost"})]


@at_route("GET", "/static/{version}/{file:path}")
async def _static(at: Table) -> list[Ask]:
    page = Page()
    return [Ask("GET", f"/static/{page.version}/{name}") for name in page.parts]


@at_route("GET", "/icons/{name}")
async def _icons(at: Table) -> list[Ask]:
    return [Ask("GET", f"/icons/{name}") for name in ICONS]


@at_route("POST", "/api/analysis")
async def _analysis(at: Table) -> list[Ask]:
    return [Ask("POST", "/api/analysis", body={"variant": at.variant, "settings": at.settings, "moves": []})]


@at_route("POST", "/api/games")
async def _open(at: Table) -> list[Ask]:
    wish: dict[str, Any] = {"variant": at.variant, "settings": at.settings, "name": "Ada"}
    return [
        Ask("POST", "/api/games", at.player, {**wish, "opponent": opponent})
        for opponent in ("friend", "computer", "same_device")
    ]


@at_route("POST", "/api/games/{game}/commands")
async def _command(at: Table) -> list[Ask]:
    """An offer, or a refusal; play brings the commands that count."""
    view = (await at.told(Ask("GET", f"/api/games/{at.game}", at.player))).body
    body = {"id": "again", "version": view["version"], "do": "rematch"}
    return [Ask("POST", f"/api/games/{at.game}/commands", at.player, body)]


@at_route("POST", "/api/games/{game}/join")
async def _join(at: Table) -> list[Ask]:
    game, secret = await at.invitation(at.player)
    body = {"name": "Bob", "invite": secret}
    return [Ask("POST", f"/api/games/{game}/join", await at.newcomer(), body)]


@at_route("POST", "/api/games/{game}/invite")
async def _invite(at: Table) -> list[Ask]:
    game, _ = await at.invitation(at.player)
    return [Ask("POST", f"/api/games/{game}/invite", at.player)]


@at_route("DELETE", "/api/games/{game}/invite")
async def _cancel(at: Table) -> list[Ask]:
    game, _ = await at.invitation(at.player)
    return [Ask("DELETE", f"/api/games/{game}/invite", at.player)]


@at_route("POST", "/api/sessions")
async def _start(at: Table) -> list[Ask]:
    return [Ask("POST", "/api/sessions", body={"bearer": True})]


@at_route("POST", "/api/sessions/resume")
async def _resume(at: Table) -> list[Ask]:
    code = (await at.told(Ask("POST", "/api/me/codes", await at.newcomer()))).body["code"]
    bodies = [{"code": wish, "bearer": True} for wish in (code, "ABCD-EFGH-2345")]
    return [Ask("POST", "/api/sessions/resume", body=body) for body in bodies]


@at_route("POST", "/api/me/codes")
async def _code(at: Table) -> list[Ask]:
    return [Ask("POST", "/api/me/codes", at.player)]


@at_route("DELETE", "/api/sessions")
async def _end(at: Table) -> list[Ask]:
    return [Ask("DELETE", "/api/sessions", await at.newcomer())]


@at_route("DELETE", "/api/me/sessions")
async def _leave(at: Table) -> list[Ask]:
    return [Ask("DELETE", "/api/me/sessions", await at.newcomer())]


@at_route("DELETE", "/api/me/sessions/{session}")
async def _end_other(at: Table) -> list[Ask]:
    newcomer = await at.newcomer()
    listed = (await at.told(Ask("GET", "/api/me/sessions", newcomer))).body["sessions"]
    return [Ask("DELETE", f"/api/me/sessions/{listed[0]['id']}", newcomer)]
