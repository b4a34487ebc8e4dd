"""Every way out of the server, by its place in the routing table, and what an observer asks there.

A route that is not registered here fails the tests: whoever adds one says here what can be asked of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from starlette.routing import BaseRoute, Route, WebSocketRoute
from tests.worlds import WRONG

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


RIGHT_SOMEWHERE = ("9a1", "12")  # where digits are placed, and where a hand has two digits
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


# The game itself.


def looks(at: Situation, base: str) -> Iterator[Ask]:
    """Everybody's looks at something that has versions."""
    for who in at.eyes:
        yield Ask(who, "GET", base)
    yield Ask(NOBODY, "GET", f"{base}?seat={at.rng.randrange(2)}")
    yield Ask(at.me, "GET", f"{base}?after={at.some_version()}")


@outlet("GET", "/api/games/{game}")
def look(at: Situation) -> Iterator[Ask]:
    base = f"/api/games/{at.game}"
    yield from looks(at, base)
    yield Ask(STRANGER, "GET", f"{base}?after={at.some_version()}&as=watcher")
    if at.sight is None:
        yield Ask(WATCHING, "GET", f"{base}?as=watcher")
    else:
        yield Ask(PLAYER, "GET", f"{base}?seat={int(at.sight)}")
        yield Ask(PLAYER, "GET", f"{base}?seat={int(at.sight.other)}")


def every_version(at: Situation) -> Iterator[Ask]:
    """The first sync, and the news since any version (C2)."""
    for who in (at.me, NOBODY):
        for version in range(at.version + 2):
            yield Ask(who, "GET", f"/api/games/{at.game}?after={version}")


@outlet("GET", "/api/games/{game}/events")
def events(at: Situation) -> Iterator[Ask]:
    base = f"/api/games/{at.game}/events"
    yield Ask(at.me, "GET", base)
    yield Ask(NOBODY, "GET", f"{base}?after={at.some_version()}")
    yield Ask(at.me, "GET", base, headers={"last-event-id": str(at.some_version())})
    if at.sight is None:
        yield Ask(WATCHING, "GET", f"{base}?as=watcher")
    else:
        yield Ask(PLAYER, "GET", f"{base}?seat={int(at.sight.other)}")


@outlet("WS", "/api/games/{game}/socket")
def socket(at: Situation) -> Iterator[Ask]:
    base = f"/api/games/{at.game}/socket"
    yield Ask(at.me, "WS", base)
    yield Ask(NOBODY, "WS", f"{base}?after={at.some_version()}")
    yield Ask(at.me, "WS", f"{base}?after={at.some_version()}&protocol=2")
    yield Ask(STRANGER, "WS", f"{base}?protocol=0")
    if at.sight is None:
        yield Ask(WATCHING, "WS", f"{base}?as=watcher")
    else:
        yield Ask(BROWSER, "WS", base)
        yield Ask(PLAYER, "WS", f"{base}?seat={int(at.sight.other)}")


def commands_of(at: Situation) -> Iterator[dict[str, Any]]:
    """What is refused whatever the cards, or happens openly (C7); none of it is a legal move."""
    wrong = [text for text in WRONG if text not in RIGHT_SOMEWHERE]
    seat = None if at.sight is None else int(at.sight)
    known = {"version": at.version, "seat": seat}
    for number, text in enumerate(at.rng.sample(wrong, 2)):
        yield {**known, "id": f"w{number}", "do": "move", ("move", "text")[number]: text}
    if not at.waiting:
        yield {**known, "id": "k", "do": "move", "move": at.rng.choice(("k", "g", "a9", "b000", "+9", "x1"))}
    yield {**known, "id": "stale", "version": 0, "do": "move", "move": "a?"}
    yield {**known, "id": "soon", "version": 999_999, "do": "resign"}
    if at.sight is not None:
        yield {**known, "id": "theirs", "seat": int(at.sight.other), "do": "resign"}
    yield {**known, "id": "claim", "do": "claim"}
    yield {**known, "id": "again", "do": "rematch"}
    yield {**known, "id": "no", "do": "decline", "what": at.rng.choice(("takeback", "rematch", "clock"))}


@outlet("POST", "/api/games/{game}/commands")
def commands(at: Situation) -> Iterator[Ask]:
    target = f"/api/games/{at.game}/commands"
    for command in commands_of(at):
        yield Ask(at.me, "POST", f"{target}{at.rng.choice(('', '?view=none'))}", command)
    yield Ask(NOBODY, "POST", target, {"id": "x", "version": at.version, "do": "resign"})


def last_commands(at: Situation) -> Iterator[Ask]:
    """What can change the table, though openly: it is asked when nothing else is."""
    target = f"/api/games/{at.game}/commands"
    if at.sight is not None:
        for do in ({"do": "takeback"}, {"do": "clock", "minutes": 5}):
            yield Ask(PLAYER, "POST", target, {"id": f"t{at.version}{do['do']}", "version": at.version, **do})


@outlet("GET", "/api/games/{game}/news")
def news(at: Situation) -> Iterator[Ask]:
    base = f"/api/games/{at.game}/news"
    yield Ask(at.me, "GET", base)
    yield Ask(at.me, "GET", f"{base}?as=watcher&after={at.some_version()}")
    for who in at.eyes:
        yield Ask(who, "GET", f"{base}?after={at.some_version()}")


@outlet("GET", "/api/games/{game}/past")
def past(at: Situation) -> Iterator[Ask]:
    base = f"/api/games/{at.game}/past"
    yield from looks(at, base)
    if at.sight is None:
        yield Ask(WATCHING, "GET", f"{base}?as=watcher")
    else:
        yield Ask(PLAYER, "GET", f"{base}?as=watcher")
        yield Ask(PLAYER, "GET", f"{base}?seat={int(at.sight)}")
        yield Ask(PLAYER, "GET", f"{base}?seat={int(at.sight.other)}")


@outlet("GET", "/api/games/{game}/record")
def record(at: Situation) -> Iterator[Ask]:
    base = f"/api/games/{at.game}/record"
    for who in at.eyes:
        yield Ask(who, "GET", base)
    if at.sight is not None:
        yield Ask(PLAYER, "GET", f"{base}?seat={int(at.sight)}")
        yield Ask(PLAYER, "GET", f"{base}?seat={int(at.sight.other)}")


@outlet("GET", "/api/games/{game}/proof")
def proof(at: Situation) -> Iterator[Ask]:
    yield from (Ask(who, "GET", f"/api/games/{at.game}/proof") for who in (at.me, NOBODY))


@outlet("GET", "/api/games/{game}/review")
def review(at: Situation) -> Iterator[Ask]:
    yield from (Ask(who, "GET", f"/api/games/{at.game}/review") for who in (at.me, NOBODY))


@outlet("GET", "/api/games/{game}/hint")
def hint(at: Situation) -> Iterator[Ask]:
    base = f"/api/games/{at.game}/hint"
    yield from (Ask(who, "GET", base) for who in (at.me, NOBODY))
    if at.sight is not None:
        yield Ask(PLAYER, "GET", f"{base}?seat={int(at.sight.other)}")


@outlet("POST", "/api/games/{game}/join")
def join(at: Situation) -> Iterator[Ask]:
    target = f"/api/games/{at.game}/join"
    yield Ask(at.me, "POST", target, {"name": "Eve", "seed": "00"})
    yield Ask(STRANGER, "POST", target, {"name": "Eve", "seat": at.rng.randrange(2), "invite": "secret"})
    yield Ask(NOBODY, "POST", target, {"name": "Eve", "bearer": True})


@outlet("POST", "/api/games/{game}/invite")
def invite(at: Situation) -> Iterator[Ask]:
    yield from (Ask(who, "POST", f"/api/games/{at.game}/invite") for who in (at.me, NOBODY))


@outlet("DELETE", "/api/games/{game}/invite")
def cancel(at: Situation) -> Iterator[Ask]:
    yield from (Ask(who, "DELETE", f"/api/games/{at.game}/invite") for who in (at.me, NOBODY))


@outlet("GET", "/api/me")
def me(at: Situation) -> Iterator[Ask]:
    yield from (Ask(who, "GET", "/api/me") for who in at.eyes)


@outlet("GET", "/api/me/sessions")
def my_sessions(at: Situation) -> Iterator[Ask]:
    yield from (Ask(who, "GET", "/api/me/sessions") for who in (at.me, NOBODY))


@outlet("DELETE", "/api/me/sessions")
def leave(at: Situation) -> Iterator[Ask]:
    yield Ask(at.me, "DELETE", "/api/me/sessions?keep=this")
    yield Ask(NOBODY, "DELETE", "/api/me/sessions")


# The operator's own.


@outlet("GET", "/metrics")
def metrics(at: Situation) -> Iterator[Ask]:
    yield Ask(NOBODY, "GET", "/metrics", headers={"host": "localhost"})


@outlet("GET", "/healthz", of_no_game=True)
def health(at: Situation) -> Iterator[Ask]:
    yield Ask(NOBODY, "GET", "/healthz")


@outlet("GET", "/readyz", of_no_game=True)
def ready(at: Situation) -> Iterator[Ask]:
    yield Ask(NOBODY, "GET", "/readyz")


# What has to do with no game, or with a new one.


@outlet("GET", "/api/catalogue", of_no_game=True)
def catalogue(at: Situation) -> Iterator[Ask]:
    yield Ask(at.me, "GET", "/api/catalogue")


@outlet("GET", "/api/openapi.json", of_no_game=True)
def openapi(at: Situation) -> Iterator[Ask]:
    yield Ask(NOBODY, "GET", "/api/openapi.json")


@outlet("POST", "/api/analysis")
def analysis(at: Situation) -> Iterator[Ask]:
    """A position of nobody's, and one in words about those who play here."""
    position = {"variant": "classic", "moves": ["9a1", "8b1", "7a2", "6b2", "5a3", "4b3"]}
    yield Ask(NOBODY, "POST", "/api/analysis", position)
    yield Ask(at.me, "POST", "/api/analysis", {**position, "game": at.game})


@outlet("POST", "/api/games", of_no_game=True)
def open_game(at: Situation) -> Iterator[Ask]:
    for opponent in ("friend", "same_device"):
        yield Ask(at.me, "POST", "/api/games", {"variant": "battle", "opponent": opponent, "start": "coin"})
    yield Ask(NOBODY, "POST", "/api/games", {"variant": "battle", "opponent": "friend"})
    wish = {"variant": "cards", "opponent": "same_device", "name": "Eve", "second_name": "Mallory"}
    yield Ask(NOBODY, "POST", "/api/games", {**wish, "bearer": True, "attempt": "ab" * 16})


@outlet("POST", "/api/sessions", of_no_game=True)
def start_session(at: Situation) -> Iterator[Ask]:
    yield Ask(BROWSER if at.sight is not None else NOBODY, "POST", "/api/sessions", {"bearer": False})
    yield Ask(NOBODY, "POST", "/api/sessions", {"bearer": True})


@outlet("POST", "/api/sessions/resume", of_no_game=True)
def resume_session(at: Situation) -> Iterator[Ask]:
    yield Ask(NOBODY, "POST", "/api/sessions/resume", {"code": "ABCD-EFGH-2345"})


@outlet("POST", "/api/me/codes", of_no_game=True)
def new_code(at: Situation) -> Iterator[Ask]:
    yield from (Ask(who, "POST", "/api/me/codes") for who in (at.me, NOBODY))


@outlet("DELETE", "/api/sessions", of_no_game=True)
def end_session(at: Situation) -> Iterator[Ask]:
    yield Ask(NOBODY, "DELETE", "/api/sessions")


PAGES = (
    "/", "/new/{variant}", "/g/{game}", "/g/{game}/analysis", "/g/{game}/result", "/j/{game}",
    "/verify/{game}", "/analysis/{variant}", "/rules", "/rules/{variant}", "/help",
)  # fmt: skip


def _page(path: str) -> Outlet:
    def page(at: Situation) -> Iterator[Ask]:
        """The page's source (C3), as a browser and as a chat's preview ask for it."""
        target = path.format(game=at.game, variant="cards")
        yield Ask(at.me, "GET", target, headers={"accept-encoding": "gzip"})
        yield Ask(NOBODY, "GET", target, headers={"user-agent": "Preview/1.0"})

    return page


for each_path in PAGES:
    outlet("GET", each_path, of_no_game="{game}" not in each_path)(_page(each_path))


@outlet("GET", "/static/{version}/{file}", of_no_game=True)
def static(at: Situation) -> Iterator[Ask]:
    for name in ("app.js", "index.html", "nothing.js"):
        yield Ask(NOBODY, "GET", f"/static/v/{name}")


def strays(at: Situation) -> Iterator[Ask]:
    """Addresses and methods that do not exist."""
    yield Ask(at.me, "PUT", f"/api/games/{at.game}")
    yield Ask(at.me, "GET", f"/api/games/{at.game}/state")
    yield Ask(NOBODY, "OPTIONS", f"/api/games/{at.game}/record")
