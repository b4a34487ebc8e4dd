"""Who may ask for what: pages of other sites, watchers, strangers, players of other games (SAFETY, table B).

The matrices run over the routing table itself: a route that is not registered here fails the test.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from tests.web.checker import read_log
from tests.web.client import Client, Reply, bearer, seated
from tests.web.raw import RawSocket
from tests.web.server import Server, running_server

from digit_duel.web.http.routes import ROUTES, Route

ORIGINS = {  # of a page, for a server at http://127.0.0.1:PORT; whether the cookie counts
    "http://127.0.0.1:{port}": True,
    "https://127.0.0.1:{port}": False,
    "http://127.0.0.1": False,
    "http://127.0.0.1:1": False,
    "http://localhost:{port}": False,
    "http://evil.example": False,
    "http://127.0.0.1:{port}.evil.example": False,
    "http://evil.example/http://127.0.0.1:{port}": False,
    "http://127.0.0.1:{port}/": False,
    "HTTP://127.0.0.1:{port}": False,
    "http://user@127.0.0.1:{port}": False,
    "null": False,
    "": False,
    "file://": False,
    "*": False,
}


class Cast:
    """All kinds of callers: two players, two of another game, a watcher with a session, a stranger."""

    def __init__(self, url: str) -> None:
        self.anna, self.ben, self.carl, self.dora = (Client(url) for _ in range(4))
        self.elsewhere = Client(url)
        self.stranger = Client(url, stranger=True)
        self.game = seated(self.anna, self.ben, "cards")
        self.other = seated(self.carl, self.dora, "cards")
        self.over = seated(self.carl, self.dora, "battle")
        self.carl.command(self.over, "resign")
        self.roles = {
            "player of another game": self.carl,
            "opener of another game": self.dora,
            "watcher with a session": self.elsewhere,
            "stranger": self.stranger,
        }

    def close(self) -> None:
        for person in (self.anna, self.ben, self.carl, self.dora, self.elsewhere, self.stranger):
            person.close()


@pytest.fixture(scope="module")
def cast(server: Server) -> Iterator[Cast]:
    people = Cast(server.url)
    yield people
    people.close()


# Pages of other sites


@pytest.mark.parametrize(("origin", "counts"), ORIGINS.items())
def test_a_socket_opens_for_our_own_page_alone(server: Server, cast: Cast, origin: str, counts: bool) -> None:
    """B8: whatever the cookie, the handshake fails for a page of another site."""
    host = f"127.0.0.1:{server.port}"
    headers = [
        ("Host", host), ("Cookie", f"digit_duel={cast.anna.token}"),
        ("Origin", origin.format(port=server.port)),
    ]  # fmt: skip
    with RawSocket(server.port, f"/api/games/{cast.game}/socket", headers) as line:
        assert line.status == (101 if counts else 403)
        if counts:
            assert line.hear("view")["view"]["seat"] == 0


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ([("Cookie", "digit_duel={token}")], 403),
        ([], 403),
        ([("Authorization", "Bearer {token}")], 101),
        ([("Authorization", "Bearer {token}"), ("Origin", "http://evil.example")], 403),
        ([("Authorization", "Bearer wrong")], 403),
        ([("Authorization", "Basic {token}")], 403),
        ([("Authorization", "{token}")], 403),
        ([("Origin", "http://{host}"), ("Origin", "http://evil.example"), ("Cookie", "x=1")], 400),
        ([("Origin", "http://{host}"), ("Authorization", "Bearer {token}")], 101),
    ],
)  # fmt: skip
def test_a_socket_without_a_page_needs_a_token(
    server: Server, cast: Cast, headers: list[tuple[str, str]], status: int
) -> None:
    """B8: a cookie alone is not enough where nobody says which page sends it."""
    host = f"127.0.0.1:{server.port}"
    wanted = [(name, text.format(token=cast.anna.token, host=host)) for name, text in headers]
    with RawSocket(server.port, f"/api/games/{cast.game}/socket", [("Host", host), *wanted]) as line:
        assert line.status == status


@pytest.mark.parametrize(("origin", "counts"), ORIGINS.items())
def test_a_form_on_another_site_does_nothing(server: Server, cast: Cast, origin: str, counts: bool) -> None:
    """B9: with the victim's cookie, by every method that changes something."""
    before = read_log(server.database)
    headers = {"Cookie": f"digit_duel={cast.anna.token}", "Origin": origin.format(port=server.port)}
    with httpx.Client(base_url=server.url, headers=headers, trust_env=False) as page:
        for route in ROUTES:
            if route.method == "GET" or route.path == "/api/analysis":
                continue
            if counts:
                continue
            path = route.path.replace("{game}", cast.game)
            answer = page.request(route.method, path, json=BODIES[route.method, route.path])
            assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), path
            assert "set-cookie" not in answer.headers
        if counts:
            assert page.post("/api/me/codes").status_code == 200
    assert read_log(server.database) == before
    assert cast.anna.ask("GET", "/api/me").body["signed_in"] is True


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "text/json",
     "application/json5", "application/x-json", "json"],
)  # fmt: skip
def test_only_json_is_a_body(server: Server, cast: Cast, kind: str) -> None:
    """B9: a form cannot send application/json without asking first."""
    headers = {**dict(cast.anna.http.headers), "Content-Type": kind}
    body = b'{"id":"x","version":1,"do":"resign"}'
    answer = httpx.post(f"{server.url}/api/games/{cast.game}/commands", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert cast.anna.look(cast.game)["phase"] == "playing"


def test_no_answer_invites_other_sites(server: Server, cast: Cast) -> None:
    """B9: no CORS header anywhere, and a preflight is refused."""
    with httpx.Client(base_url=server.url, headers={"Origin": "http://evil.example"}) as page:
        for route in ROUTES:
            path = route.path.replace("{game}", cast.game)
            preflight = page.options(path, headers={"Access-Control-Request-Method": route.method})
            assert preflight.status_code == 405
            for answer in (preflight, page.get(path)):
                assert not [name for name in answer.headers if name.startswith("access-control")]


def test_behind_a_proxy_the_public_address_counts(tmp_path_factory: pytest.TempPathFactory) -> None:
    """B8, D10: whatever the Host header says; and the cookie has its strictest name."""
    folder = tmp_path_factory.mktemp("proxy")
    with running_server(folder, public_url="https://duel.example") as server:
        url = server.url
        headers = {"Origin": "https://duel.example", "Host": "duel.example"}
        with httpx.Client(base_url=url, headers=headers, trust_env=False) as page:
            answer = page.post("/api/sessions", json={})
            cookie = answer.headers["set-cookie"]
            assert cookie.startswith("__Host-digit_duel=")
            assert "; Secure" in cookie
            assert answer.headers["strict-transport-security"] == "max-age=31536000"
            mine = {"Cookie": cookie.partition(";")[0]}
            opened = page.post("/api/games", json={"variant": "classic", "opponent": "friend"}, headers=mine)
            assert opened.json()["invite"]["url"].startswith("https://duel.example/j/")
            for origin in (
                url,
                "http://duel.example",
                "https://duel.example.evil",
                "https://evil.duel.example",
            ):
                refused = page.post(
                    "/api/games", json={}, headers={**mine, "Origin": origin, "Host": origin[8:]}
                )
                assert refused.status_code in (400, 403)
                assert refused.json()["code"] in ("forbidden", "bad_request")


# Every role at every route

BODIES: dict[tuple[str, str], Any] = {
    ("GET", "/api/catalogue"): None,
    ("GET", "/api/tutorials/{variant}"): None,
    ("POST", "/api/sessions"): {"bearer": True},
    ("DELETE", "/api/sessions"): None,
    ("POST", "/api/sessions/resume"): {"code": "AAAA-AAAA-AAAA", "bearer": True},
    ("GET", "/api/me"): None,
    ("GET", "/api/me/games"): None,
    ("GET", "/api/me/statistics"): None,
    ("GET", "/api/me/sessions"): None,
    ("DELETE", "/api/me/sessions"): None,
    ("DELETE", "/api/me/sessions/{session}"): None,
    ("POST", "/api/me/codes"): None,
    ("POST", "/api/games"): {"variant": "classic", "opponent": "same_device"},
    ("GET", "/api/games/{game}"): None,
    ("POST", "/api/games/{game}/join"): {"name": "Eve"},
    ("POST", "/api/games/{game}/invite"): None,
    ("DELETE", "/api/games/{game}/invite"): None,
    ("POST", "/api/games/{game}/commands"): {"id": "eve", "version": 3, "do": "move", "move": "k"},
    ("GET", "/api/games/{game}/news"): None,
    ("GET", "/api/games/{game}/past"): None,
    ("GET", "/api/games/{game}/record"): None,
    ("GET", "/api/games/{game}/picture"): None,
    ("GET", "/api/games/{game}/proof"): None,
    ("GET", "/api/games/{game}/hint"): None,
    ("GET", "/api/games/{game}/review"): None,
    ("POST", "/api/analysis"): {"variant": "classic"},
}
# Anybody may watch; all else is for the players.
OPEN = {"/api/games/{game}", "/api/games/{game}/news", "/api/games/{game}/past"}
PERSONAL = {  # needs a session, but no game
    "/api/me/codes", "/api/me/sessions", "/api/me/sessions/{session}", "/api/me/games", "/api/me/statistics",
}  # fmt: skip
PUBLIC = {
    "/api/catalogue", "/api/tutorials/{variant}", "/api/sessions", "/api/sessions/resume", "/api/me",
    "/api/analysis",
    "/api/games",  # which starts a session
}  # fmt: skip


def test_every_route_of_the_routing_table_is_in_the_matrix() -> None:
    """B14, B15: a new route must say here who may use it."""
    assert {(route.method, route.path) for route in ROUTES} == set(BODIES)


def ask(person: Client, route: Route[Any, Any], game: str, **more: Any) -> Reply:
    body = BODIES[route.method, route.path]
    return person.ask(
        route.method, route.path.format(game=game, variant="cards", session="a" * 16), body, **more
    )


AT_A_GAME = [route for route in ROUTES if "{game}" in route.path]
ROLES = ["player of another game", "opener of another game", "watcher with a session", "stranger"]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("route", AT_A_GAME, ids=lambda route: route.name)
def test_people_without_a_seat_may_only_watch(
    server: Server, cast: Cast, route: Route[Any, Any], role: str
) -> None:
    """B14, B15: a spectator's move, a player of game X at game Y; nothing is written."""
    before = read_log(server.database)[cast.game]
    person = cast.roles[role]
    if route.answers is bytes:  # a picture for everybody
        path = route.path.replace("{game}", cast.game)
        assert person.http.get(path).content == cast.anna.http.get(path).content
    elif route.path in OPEN:
        reply = ask(person, route, cast.game)
        assert reply.body["seat"] is None
        assert (reply.body.get("seats", []), reply.body.get("owner", False)) == ([], False)
        seat = ask(person, route, cast.game, params={"seat": 0})
        assert (seat.status, seat.code) == (403, "forbidden")
    else:
        reply = ask(person, route, cast.game)
        expected = {"forbidden", "seat_taken"} if route.path.endswith("/join") else {"forbidden"}
        assert reply.code in expected, reply.body
        assert reply.status in (403, 409)
    assert read_log(server.database)[cast.game] == before


@pytest.mark.parametrize("do", [
    {"do": "move", "move": "k"}, {"do": "resign"}, {"do": "takeback"}, {"do": "rematch"}, {"do": "claim"},
    {"do": "clock", "minutes": 5}, {"do": "decline", "what": "takeback"},
])  # fmt: skip
@pytest.mark.parametrize("role", ROLES)
def test_no_command_of_a_watcher_is_carried_out(server: Server, cast: Cast, role: str, do: Any) -> None:
    """B14: by REST and by socket, with or without a seat named."""
    before = read_log(server.database)[cast.game]
    person = cast.roles[role]
    for seat in (None, 0, 1):
        body = {"id": "eve", "version": 3, "seat": seat, **do}
        reply = person.ask("POST", f"/api/games/{cast.game}/commands", body)
        assert (reply.status, reply.code) == (403, "forbidden")
    page = [("Host", server.url[7:]), ("Origin", server.url)]
    if person.token is not None:
        page += bearer(person)
    with RawSocket(server.port, f"/api/games/{cast.game}/socket", page) as line:
        assert line.hear("view")["view"]["seat"] is None
        line.say({"type": "command", "id": "eve", "version": 3, **do})
        assert line.hear("reply")["code"] == "forbidden"
    assert read_log(server.database)[cast.game] == before


def test_a_player_cannot_act_or_look_from_the_other_seat(server: Server, cast: Cast) -> None:
    """B15: Ben neither moves nor sees as Anna."""
    before = read_log(server.database)[cast.game]
    for person, seat in ((cast.ben, 0), (cast.anna, 1)):
        body = {"id": "x", "version": 3, "seat": seat, "do": "move", "move": "k"}
        assert person.ask("POST", f"/api/games/{cast.game}/commands", body).code == "forbidden"
        for route in AT_A_GAME:
            if route.method == "GET" and "seat" in route.takes.__struct_fields__:
                reply = ask(person, route, cast.game, params={"seat": seat})
                assert (reply.status, reply.code) == (403, "forbidden"), route.path
        path = f"/api/games/{cast.game}/socket?seat={seat}"
        with RawSocket(server.port, path, bearer(person)) as line:
            assert line.status == 403
        answer = person.http.get(f"/api/games/{cast.game}/events", params={"seat": seat})
        assert answer.status_code == 403
    assert read_log(server.database)[cast.game] == before


def test_a_player_may_look_as_a_stranger(cast: Cast) -> None:
    """C13: and then sees no more than one."""
    view = cast.anna.look(cast.game, **{"as": "watcher"})
    assert (view["seat"], view["moves"]) == (None, [])
    assert view["scene"] == cast.stranger.look(cast.game)["scene"]


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.name)
def test_a_stranger_needs_a_session_for_everything_of_their_own(
    server: Server, cast: Cast, route: Route[Any, Any]
) -> None:
    """B14: what is public is public, and the rest says what it needs."""
    if "{game}" in route.path:
        return  # the matrix above
    reply = None if route.name == "catalogue" else ask(cast.stranger, route, "")
    if route.path in PERSONAL or route.name in ("end_session", "resume_session"):
        assert reply is not None
        assert (reply.status, reply.code) == (403, "forbidden")
    else:
        assert route.path in PUBLIC
        assert reply is None or reply.status in (200, 201)


@pytest.mark.parametrize("route", AT_A_GAME, ids=lambda route: route.name)
def test_asking_for_an_unknown_game_creates_none(server: Server, cast: Cast, route: Route[Any, Any]) -> None:
    """E5: an unknown id is not found, and leaves no row."""
    games = len(read_log(server.database))
    for id in ("nothing", "x" * 500, "..", "%00", "0", cast.game + "x", cast.game[:-1]):
        reply = ask(cast.anna, route, id)
        assert (reply.status, reply.code) in ((404, "not_found"), (400, "bad_request"))
    for path in ("socket", "events"):
        assert cast.anna.http.get(f"/api/games/nothing/{path}").status_code == 404
    with RawSocket(server.port, "/api/games/nothing/socket", bearer(cast.anna)) as line:
        assert line.status == 404
    assert len(read_log(server.database)) == games
