"""Requests with wrong methods, paths, headers and bytes, or none, at a real server (D5, D8, D10, E2, R8)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from select import select
from urllib.parse import quote

import pytest
from tests.web.checker import read_log
from tests.web.client import People, bearer, pair, seated
from tests.web.hostile import alive, exchange_and_leave, fuzzed, watched_server
from tests.web.raw import CLOSE, TEXT, RawSocket, content, dial, exchange, frame, request, status
from tests.web.server import Server, running_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with watched_server(tmp_path_factory.mktemp("requests")) as running:
        yield running


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


def test_thousands_of_damaged_requests_cause_no_server_error(
    server: Server, people: People, game: str
) -> None:
    """R8, D8: no answer of 500 or more."""
    requests_without_harm(server, people[0].token, seated(*people, "classic"), 1_500, 1)
    alive(people, game)


@pytest.mark.campaign
@pytest.mark.slow
def test_fifty_thousand_damaged_requests_cause_no_server_error(
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
    headers = [*bearer(people[0]), ("Connection", "close")]
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
        ([("Content-Length", "5"), ("Transfer-Encoding", "chunked")], (411,)),
        ([("Transfer-Encoding", "chunked, identity")], (411,)),
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


def test_a_body_that_never_arrives_delays_nobody_else(server: Server, people: People, game: str) -> None:
    """D10, E2: bytes that were announced but never sent delay nobody else."""
    headers = [("Content-Type", "application/json"), ("Content-Length", "100")]
    waiting = [dial(server.port) for _ in range(50)]
    for line in waiting:
        line.sendall(request("POST", "/api/sessions", headers) + b"{")
    alive(people, game)
    assert select(waiting, [], [], 0)[0] == [], "they were still waited for"
    for line in waiting:
        line.close()
    answer = exchange(
        server.port, request("POST", "/api/sessions", [("Content-Type", "application/json")], b"{}")
    )
    assert content(answer)["code"] == "ok"


def test_hostile_requests_add_no_events_to_the_log(server: Server, game: str) -> None:
    """D8: the game's log is what it was."""
    assert [entry.body["kind"] for entry in read_log(server.database)[game]] == ["open", "sit", "sit"]
    assert os.path.getsize(server.database) < 50_000_000


# The log

MARK = "owned"
HOSTILE = MARK + '\x1b[2J\x1b]0;x\x07\x9b1m\r\n{"message": "forged"}\n\u2028\u202e\x00\x7f'


def say_it_everywhere(server: Server) -> None:
    """Send a hostile text in every part of requests and frames; no answer is a 5xx."""
    bare = HOSTILE.replace("\r", "").replace("\n", "").replace("\x00", "")
    in_header, raw = bare.encode("latin-1", "ignore").decode("latin-1"), HOSTILE.encode()
    anna, ben = pair(server.url)
    with anna, ben:
        game = seated(anna, ben, "classic")
        json_of = [*bearer(anna), ("Content-Type", "application/json"), ("Connection", "close")]
        bodies = [raw, *(json.dumps(each).encode() for each in (HOSTILE, {HOSTILE: 1}, {"name": HOSTILE}))]
        bodies += [json.dumps({"id": HOSTILE, "version": 3, "do": "move", "move": HOSTILE}).encode()]
        asked = [
            request("GET", f"/{quote(HOSTILE)}?{quote(HOSTILE)}={quote(HOSTILE)}", json_of),
            request("GET", f"/api/games/{quote(HOSTILE)}", json_of),
            *(request("GET", "/api/me", [*json_of, (name, in_header)]) for name in ("X", "Cookie", "Origin")),
            request("GET", "/api/me", [("Authorization", f"Bearer {in_header}"), ("Connection", "close")]),
            request("GET", "/api/me", [("Host", in_header), ("Connection", "close")]),
            b"GET /" + raw + b" HTTP/1.1\r\n\r\n",
            raw,
        ]
        for path in ("commands", "join"):
            asked += [request("POST", f"/api/games/{game}/{path}", json_of, body) for body in bodies]
        for each in asked:
            assert status(exchange_and_leave(server.port, each)) < 500
        for last in (
            frame(TEXT, b"\xff" + raw),
            frame(CLOSE, b"\x03\xe8" + raw),
            frame(CLOSE, b"\x03" + raw),
        ):
            with RawSocket(server.port, f"/api/games/{game}/socket?x={quote(HOSTILE)}", bearer(anna)) as line:
                for body in bodies:
                    line.send(frame(TEXT, body))
                line.send(last)
                line.end()


def logged(server: Server) -> list[str]:
    """The lines of the log after all was said; they end where a terminal or a program ends them."""
    say_it_everywhere(server)
    server.stop()
    return server.log.read_bytes().decode(errors="surrogateescape").splitlines()


def is_sound(line: str) -> bool:
    """Whether a line is printable, and JSON that nobody forged."""
    return line.isprintable() and line.startswith("{") and json.loads(line)["message"] != "forged"


def test_no_word_of_a_stranger_reaches_the_log(tmp_path: Path) -> None:
    """D5: only the server's own words do."""
    with running_server(tmp_path) as server:
        assert [json.loads(line)["message"] for line in logged(server)] == ["limits", "ready", "stopped"]


TALKING = """
from digit_duel.web import logs
from digit_duel.web.http import security

async def call(self, scope, receive, send, call=security.SecurityHeaders.__call__):
    if scope["type"] != "lifespan":
        text = scope["path"] + repr(scope["headers"])
        {say}
    await call(self, scope, receive, send)

security.SecurityHeaders.__call__ = call
"""


def test_a_word_that_reached_the_log_would_be_escaped(tmp_path: Path) -> None:
    """D5: if the server logged a path one day, its lines would stay printable and separate."""
    with running_server(tmp_path, before=TALKING.format(say="logs.log.info('asked', text=text)")) as server:
        lines = logged(server)
    assert all(map(is_sound, lines))
    assert any(HOSTILE in json.loads(line).get("text", "") for line in lines)


def test_a_log_that_is_not_escaped_is_noticed(tmp_path: Path) -> None:
    """D5: the checks above can fail: they do at a server that prints its input."""
    say = "import sys; print(text, file=sys.stderr, flush=True)"
    with running_server(tmp_path, before=TALKING.format(say=say)) as server:
        assert not all(map(is_sound, logged(server)))


FAILING = """
from digit_duel.web.http import security

serve = security.UnambiguousRequests.__call__

async def fail(self, scope, receive, send):
    if scope.get("path") not in (None, "/readyz"):
        raise ValueError(scope["path"])
    await serve(self, scope, receive, send)

security.UnambiguousRequests.__call__ = fail
"""


def test_an_error_is_logged_without_the_text_that_caused_it(tmp_path: Path) -> None:
    """D5: its kind and its place are enough."""
    with running_server(tmp_path, before=FAILING) as server:
        exchange_and_leave(server.port, request("GET", f"/{quote(HOSTILE)}", [("Connection", "close")]))
        server.stop()
        lines = server.log.read_bytes().decode().splitlines()
    (told,) = (json.loads(line) for line in lines if "unforeseen" in line)
    assert told["kind"] == "ValueError"
    assert all(line.isprintable() and MARK not in line for line in lines)
