"""What an observer asks at the routes of the site: people and sessions, the operator's own, and pages."""

from __future__ import annotations

from collections.abc import Iterator

from tests.web.leaks.asks import BROWSER, NOBODY, Ask, Outlet, Situation, outlet

# People.


@outlet("GET", "/api/me")
def me(at: Situation) -> Iterator[Ask]:
    yield from (Ask(who, "GET", "/api/me") for who in at.eyes)


@outlet("GET", "/api/me/games")
def my_games(at: Situation) -> Iterator[Ask]:
    yield from (Ask(who, "GET", "/api/me/games") for who in at.eyes)
    yield Ask(at.me, "GET", "/api/me/games?before=9999999999999999.zz")


@outlet("GET", "/api/me/statistics")
def statistics(at: Situation) -> Iterator[Ask]:
    yield from (Ask(who, "GET", "/api/me/statistics") for who in at.eyes)


@outlet("GET", "/api/me/sessions")
def my_sessions(at: Situation) -> Iterator[Ask]:
    yield from (Ask(who, "GET", "/api/me/sessions") for who in (at.me, NOBODY))


@outlet("DELETE", "/api/me/sessions")
def leave(at: Situation) -> Iterator[Ask]:
    yield Ask(at.me, "DELETE", "/api/me/sessions?keep=this")
    yield Ask(NOBODY, "DELETE", "/api/me/sessions")


@outlet("DELETE", "/api/me/sessions/{session}")
def end_other_session(at: Situation) -> Iterator[Ask]:
    yield from (Ask(who, "DELETE", "/api/me/sessions/0000000000000000") for who in (at.me, NOBODY))


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


# What belongs to no game, or to a new one.


@outlet("GET", "/api/catalogue", of_no_game=True)
def catalogue(at: Situation) -> Iterator[Ask]:
    yield Ask(at.me, "GET", "/api/catalogue")


@outlet("GET", "/api/tutorials/{variant}", of_no_game=True)
def tutorial(at: Situation) -> Iterator[Ask]:
    yield Ask(at.me, "GET", "/api/tutorials/cards")
    yield Ask(NOBODY, "GET", "/api/tutorials/battle")
    yield Ask(NOBODY, "GET", f"/api/tutorials/{at.game}")


@outlet("GET", "/api/openapi.json", of_no_game=True)
def openapi(at: Situation) -> Iterator[Ask]:
    yield Ask(NOBODY, "GET", "/api/openapi.json")


@outlet("POST", "/api/analysis")
def analysis(at: Situation) -> Iterator[Ask]:
    """The analysis of a position without players, and of one of this game."""
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
    "/", "/new/{variant}", "/g/{game}", "/g/{game}/analysis", "/g/{game}/result", "/j/{game}", "/games",
    "/verify/{game}", "/analysis/{variant}", "/learn/{variant}", "/rules", "/rules/{variant}", "/help",
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


@outlet("GET", "/app.webmanifest", of_no_game=True)
def manifest(at: Situation) -> Iterator[Ask]:
    yield Ask(NOBODY, "GET", "/app.webmanifest")


@outlet("GET", "/icons/{name}", of_no_game=True)
def icon(at: Situation) -> Iterator[Ask]:
    yield Ask(NOBODY, "GET", "/icons/nothing.png")


@outlet("GET", "/sw.js", of_no_game=True)
def worker(at: Situation) -> Iterator[Ask]:
    yield Ask(NOBODY, "GET", "/sw.js")


@outlet("GET", "/static/{version}/{file:path}", of_no_game=True)
def static(at: Situation) -> Iterator[Ask]:
    for name in ("app.js", "index.html", "nothing.js"):
        yield Ask(NOBODY, "GET", f"/static/v/{name}")


def strays(at: Situation) -> Iterator[Ask]:
    """Addresses and methods that do not exist."""
    yield Ask(at.me, "PUT", f"/api/games/{at.game}")
    yield Ask(at.me, "GET", f"/api/games/{at.game}/state")
    yield Ask(NOBODY, "OPTIONS", f"/api/games/{at.game}/record")
