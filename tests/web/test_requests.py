"""Requests with wrong methods, paths, headers and bytes, at a real server: SAFETY D8 and D10, figure R8."""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random
from time import perf_counter

import pytest
from tests.web.checker import read_log
from tests.web.client import People, seated
from tests.web.hostile import alive, besieged, exchange_and_leave, fuzzed
from tests.web.raw import content, dial, exchange, request, status
from tests.web.server import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with besieged(tmp_path_factory.mktemp("requests")) as running:
        yield running


@pytest.fixture(scope="module")
def game(people: People) -> str:
    """A game of classic in which it is Anna's turn from beginning to end."""
    return seated(*people, "classic")


def requests_without_harm(server: Server, token: str | None, game: str, number: int, seed: int) -> None:
    rng = Random(seed)
    headers = [
        ("Authorization", f"Bearer {token}"),
        ("Content-Type", "application/json"),
        ("Connection", "close"),
    ]
    body = b'{"id":"z","version":1,"seat":0,"do":"move","move":"9a1"}'
    sound = [
        request("POST", f"/api/games/{game}/commands", headers, body),
        request("GET", f"/api/games/{game}?after=0&seat=0", headers),
        request("POST", "/api/games", headers, b'{"variant":"nothing","opponent":"friend"}'),
        request("GET", "/rules/classic", headers),
    ]
    for _ in range(number):
        data = rng.choice(sound)
        head, blank, rest = data.partition(b"\r\n\r\n")
        match rng.randrange(3):
            case 0:
                data = fuzzed(rng, data)
            case 1:
                data = fuzzed(rng, head) + blank + rest
            case 2:
                changed = fuzzed(rng, rest or b"{}")
                data = (
                    head.replace(b"Content-Length: %d" % len(rest), b"Content-Length: %d" % len(changed))
                    + blank
                )
                data += changed
        answer = exchange_and_leave(server.port, data)
        assert status(answer) < 500, (data, answer[:300])


def test_thousands_of_damaged_requests_are_no_error_of_ours(
    server: Server, people: People, game: str
) -> None:
    """R8, D8: no answer of 500 or more."""
    requests_without_harm(server, people[0].token, seated(*people, "classic"), 1_500, 1)
    alive(people, game)


@pytest.mark.campaign
@pytest.mark.slow
def test_fifty_thousand_damaged_requests_are_no_error_of_ours(
    server: Server, people: People, game: str
) -> None:
    """R8: the figure for continuous integration."""
    requests_without_harm(server, people[0].token, seated(*people, "classic"), 50_000, 2)
    alive(people, game)


@pytest.mark.parametrize(
    "method", ["PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "OPTIONS", "FOO", "get", "PROPFIND"]
)
@pytest.mark.parametrize(
    "path", ["/api/catalogue", "/api/games/{game}", "/", "/healthz", "/api/games/{game}/socket"]
)
def test_a_wrong_method_is_refused(server: Server, game: str, method: str, path: str) -> None:
    """D10."""
    answer = exchange(server.port, request(method, path.format(game=game), [("Connection", "close")]))
    assert status(answer) in (400, 404, 405)


@pytest.mark.parametrize(
    "path",
    [
        "//", "//api/me", "/api//me", "/api/me/", "/api/./me", "/api/../api/me", "/%2e%2e/%2e%2e/etc/passwd",
        "/..;/api/me", "/static/../app.py", "/static/x/..%2f..%2fapp.py", "/static/%2e%2e/%2e%2e/settings.py",
        "/static/x/index.html", "/api/games/{game}%2fcommands", "/api/games/{game}/", "/api/games/{game};a=b",
        "/api/games/{game}%00", "/api/games/%ff%fe", "/api/games/..%2f{game}", "/API/ME", "/api/me%20",
        "/api/games/{game}/commands/../record", "/metrics/", "/admin", "/.env", "/api/games/{game}/pass",
        "/api/games/{game}/skip", "/%", "/%zz", "/api/games/%0d%0aSet-Cookie:%20a=b", "*", "",
        "http://evil.example/api/me", "/api/games/" + "x" * 10_000, "/\u00fc", "/api/me\\..\\x",
    ],
    ids=lambda path: path[:40],
)  # fmt: skip
def test_a_path_trick_leads_nowhere(server: Server, people: People, game: str, path: str) -> None:
    """D10: 4xx, or the page that shows nothing; never a file, never another route."""
    headers = [("Authorization", f"Bearer {people[0].token}"), ("Connection", "close")]
    answer = exchange(server.port, request("GET", path.format(game=game), headers))
    allowed: tuple[int, ...] = (400, 404, 405, 414, 431)
    if path == "http://evil.example/api/me":
        allowed = (*allowed, 200)  # a proxy's way to ask, which RFC 9112 makes every server understand
    assert status(answer) in allowed, answer[:300]
    assert b"Set-Cookie: a=b" not in answer
    assert b"root:" not in answer
    alive(people, game)


@pytest.mark.parametrize(
    ("headers", "statuses"),
    [
        ([("Cookie", "digit_duel=" + "x" * 65_536)], (400, 431)),
        ([("X-Long", "x" * 100_000)], (400, 431)),
        ([(f"X-{at}", "x" * 50) for at in range(2_000)], (400, 431)),
        ([("Content-Length", "-1")], (400,)),
        ([("Content-Length", "5"), ("Content-Length", "6")], (400,)),
        ([("Content-Length", "5"), ("Transfer-Encoding", "chunked")], (400,)),
        ([("Transfer-Encoding", "chunked, identity")], (400,)),
        ([("Content-Length", "\u00b3")], (400,)),
        ([("Bad Name", "x")], (400,)),
        ([("X", "a\r\n b")], (200, 400)),
        ([("X-Nul", "a\x00b")], (400,)),
        ([("Host", "evil.example"), ("Host", "localhost")], (400,)),
        ([("Host", "evil.example/path?")], (400,)),
        ([("Host", "a b")], (400,)),
        ([("Host", "<script>alert(1)</script>")], (400,)),
        ([("Host", "user:password@evil.example")], (400,)),
        ([("Host", "")], (400,)),
        ([("Host", "localhost:99999999")], (400,)),
        ([("Host", "[::1]:80")], (200,)),
        ([("Host", "192.168.0.7:8000")], (200,)),
        ([("Host", "duel.example")], (200,)),
    ],
)  # fmt: skip
def test_a_hostile_header_is_refused(
    server: Server,
    people: People,
    game: str,
    headers: list[tuple[str, str]],
    statuses: tuple[int, ...],
) -> None:
    """D10: huge, doubled, smuggled, split, or lying about the host."""
    answer = exchange(server.port, request("GET", "/api/catalogue", [*headers, ("Connection", "close")]))
    assert status(answer) in statuses, answer[:200]
    alive(people, game)


def test_a_request_without_a_host_is_refused(server: Server) -> None:
    """D10."""
    assert status(exchange(server.port, b"GET /api/catalogue HTTP/1.1\r\nConnection: close\r\n\r\n")) == 400


def test_a_body_that_never_comes_is_not_waited_for_by_others(
    server: Server, people: People, game: str
) -> None:
    """D10, E2: a promise of bytes holds nobody up."""
    headers = [("Content-Type", "application/json"), ("Content-Length", "100")]
    waiting = [dial(server.port) for _ in range(50)]
    for line in waiting:
        line.sendall(request("POST", "/api/sessions", headers) + b"{")
    began = perf_counter()
    alive(people, game)
    assert perf_counter() - began < 2
    for line in waiting:
        line.close()
    answer = exchange(
        server.port, request("POST", "/api/sessions", [("Content-Type", "application/json")], b"{}")
    )
    assert content(answer)["code"] == "ok"


def test_nothing_of_all_this_is_in_the_log(server: Server, game: str) -> None:
    """D8: the game's log is what it was."""
    assert [entry.body["kind"] for entry in read_log(server.database)[game]] == ["open", "sit", "sit"]
    assert os.path.getsize(server.database) < 50_000_000
