"""What an observer asks of the server, and the register of all that can be asked at each route."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from starlette.routing import BaseRoute, Route, WebSocketRoute

from digit_duel.core.game import Seat

PLAYER, BROWSER, STRANGER, NOBODY, WATCHING = "player", "browser", "stranger", "nobody", "watching"


@dataclass(frozen=True, slots=True)
class Situation:
    """What an observer knows when asking: nothing here may differ between worlds."""

    game: str
    version: int
    sight: Seat | None  # None is somebody who does not play
    waiting: bool  # whether the observer's own move is awaited
    rng: Random = field(compare=False)

    @property
    def eyes(self) -> tuple[str, ...]:
        """Who may look, in worlds that are alike to this sight."""
        return (STRANGER, NOBODY) if self.sight is None else (PLAYER, BROWSER, STRANGER, NOBODY)

    @property
    def me(self) -> str:
        """The best informed of them."""
        return self.eyes[0]

    def some_version(self) -> int:
        """A version to ask from, now and then one that is still to come."""
        return self.rng.randrange(self.version + 2)


@dataclass(frozen=True, slots=True)
class Ask:
    """One request, or one connection to open."""

    who: str
    method: str
    target: str
    body: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def line(self) -> bool:
        """Whether the answer goes on until somebody hangs up."""
        return self.method == "WS" or self.target.partition("?")[0].endswith("/events")

    @property
    def data(self) -> bytes:
        """The body as it is sent."""
        return b"" if self.body is None else json.dumps(self.body).encode()


Outlet = Callable[[Situation], Iterator[Ask]]
OUTLETS: dict[tuple[str, str], Outlet] = {}
OF_NO_GAME: set[tuple[str, str]] = set()  # their answers follow from no game, so they are asked seldom


def outlet(method: str, path: str, of_no_game: bool = False) -> Callable[[Outlet], Outlet]:
    """Register what can be asked at a route; a GET can be asked without the body, too."""

    def register(found: Outlet) -> Outlet:
        OUTLETS[method, path] = found
        if method == "GET":
            OUTLETS["HEAD", path] = lambda at: (replace(each, method="HEAD") for each in found(at))
        if of_no_game:
            OF_NO_GAME.update({(method, path), ("HEAD" if method == "GET" else method, path)})
        return found

    return register


def routed(routes: list[BaseRoute]) -> set[tuple[str, str]]:
    """All that the server answers: method and path of each route; WS is a socket."""
    found: set[tuple[str, str]] = set()
    for route in routes:
        if isinstance(route, WebSocketRoute):
            found.add(("WS", route.path))
        else:
            assert isinstance(route, Route), f"{route} is a kind of route that nobody looks into"
            found |= {(method, route.path) for method in route.methods or ("ANY",)}
    return found
