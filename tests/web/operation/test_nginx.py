"""The shipped configuration of nginx, in front of real servers."""

from __future__ import annotations

import json
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from tests.web.nginx import Front, front
from tests.web.postgres import Postgres
from tests.web.server import TIMEOUT, Server, free_port, running_server, until
from tests.web.tls_socket import TlsSocket
from websockets.exceptions import InvalidStatus

CONFIGURATION = Path(__file__).parents[3] / "deploy" / "nginx.conf"
SESSIONS_A_MINUTE = 6  # and twice as many at once


@dataclass(frozen=True, slots=True)
class Site:
    """A server, what stands before it, and the address that people use."""

    server: Server
    front: Front
    url: str

    def visit(self) -> httpx.Client:
        """Somebody's browser, with a session of its own."""
        browser = httpx.Client(base_url=self.url, verify=self.front.trust, trust_env=False, timeout=TIMEOUT)
        browser.headers["Origin"] = self.url
        return browser

    def socket(self, browser: httpx.Client, game: str) -> TlsSocket:
        """A browser's socket."""
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in browser.cookies.jar)
        url = f"{self.url.replace('https', 'wss')}/api/games/{game}/socket"
        return TlsSocket(url, self.front.trust, {"Cookie": cookies}, browser.headers["Origin"])


def configured(port: int, *upstreams: int) -> str:
    """The shipped http block alone, with another name, other ports and other places for its files."""
    text = CONFIGURATION.read_text(encoding="utf-8")
    servers = re.findall(r"^ +server 127.0.0.1:\d+ .*\n", text, re.MULTILINE)
    assert len(servers) == 2
    own = "".join(re.sub(r":\d+ ", f":{upstream} ", servers[0]) for upstream in upstreams)
    for there, here in (
        ("".join(servers), own),
        ("listen 127.0.0.1:8443 ssl proxy_protocol;", f"listen 127.0.0.1:{port} ssl;"),
        ("listen 127.0.0.1:8480 proxy_protocol;", "listen unix:{FOLDER}/http;"),
        ("set_real_ip_from 127.0.0.1;\nreal_ip_header proxy_protocol;\n", ""),
        ("server_name duel.example;", "server_name localhost;"),
        ("/etc/ssl/", "{FOLDER}/"),
    ):
        assert there in text
        text = text.replace(there, here)
    return text


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    port = free_port()
    url = f"https://localhost:{port}"
    folder = tmp_path_factory.mktemp("site")
    with (
        running_server(
            folder, public_url=url, trusted_proxies=1, opens_per_minute=SESSIONS_A_MINUTE
        ) as server,
        front(configured(port, server.port), port) as proxy,
    ):
        yield Site(server, proxy, url)


def said(answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code in (200, 201), answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_game_is_played_by_page_socket_and_stream_through_the_proxy(site: Site) -> None:
    """Over TLS: one browser posts its moves, one has a socket, and a stranger's stream shows them all."""
    with site.visit() as anna, site.visit() as ben, site.visit() as stranger:
        for browser in (anna, ben):
            answer = browser.post("/api/sessions", json={})
            assert answer.status_code == 201
            cookie = answer.headers["set-cookie"]
            assert re.fullmatch(
                r"__Host-digit_duel=\S+; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=\d+", cookie
            )
        assert anna.get("/").text.startswith("<!doctype html>")
        opened = said(anna.post("/api/games", json={"variant": "classic", "opponent": "friend"}))
        game, link = opened["game"], opened["invite"]["url"]
        assert link.startswith(f"{site.url}/j/{game}#")
        said(anna.post(f"/api/games/{game}/join", json={"name": "Anna"}))
        secret = link.partition("#")[2]
        said(ben.post(f"/api/games/{game}/join", json={"name": "Ben", "invite": secret}))
        with (
            site.socket(ben, game) as line,
            stranger.stream("GET", f"/api/games/{game}/events?after=3") as stream,
        ):
            shown = stream.iter_lines()
            assert next(shown) == "id: 3"
            version = 3
            while (view := seen(line, version))["phase"] == "playing":
                wanted = {"id": f"m{version}", "version": version, "do": "move"}
                if view["turn"]:
                    wanted["move"] = view["moves"][0]
                    line.send(json.dumps({"type": "command", **wanted}))
                else:
                    wanted["move"] = said(anna.get(f"/api/games/{game}"))["moves"][0]
                    assert said(anna.post(f"/api/games/{game}/commands", json=wanted))["code"] == "ok"
                version += 1
                while next(shown) != f"id: {version}":  # ReadTimeout if the proxy keeps events back
                    pass
            assert version > 8
    assert site.front.errors.read_text() == ""


def seen(line: TlsSocket, version: int) -> dict[str, Any]:
    """The first view of a version that arrives."""
    while True:
        message = json.loads(line.receive())
        if message["type"] == "view" and message["view"]["version"] >= version:
            view: dict[str, Any] = message["view"]
            return view


def test_a_foreign_page_gets_no_socket_through_the_proxy(site: Site) -> None:
    """B8, behind TLS: it is the public address that counts, not the one the proxy asks at."""
    with site.visit() as eve:
        eve.headers["Origin"] = f"http://127.0.0.1:{site.server.port}"
        with pytest.raises(InvalidStatus) as refused, site.socket(eve, "x" * 12):
            pass
        assert refused.value.response.status_code == 403


def test_the_proxy_reassembles_a_chunked_body(site: Site) -> None:
    """E2: the server alone refuses it with 411."""
    pieces = (bytes([byte]) for byte in b'{"variant": "classic", "moves": []}')
    with site.visit() as program:
        answer = program.post("/api/analysis", content=pieces, headers={"Content-Type": "application/json"})
        assert answer.request.headers["Transfer-Encoding"] == "chunked"
        assert answer.status_code == 200, answer.text


def test_the_proxy_does_not_expose_the_metrics(site: Site) -> None:
    with site.visit() as stranger:
        assert stranger.get("/metrics").status_code == 404
        assert stranger.get("/healthz").text == "ok\n"
    here = httpx.get(f"http://127.0.0.1:{site.server.port}/metrics", trust_env=False)
    assert "digit_duel_events_total" in here.text


def test_only_the_address_added_by_the_last_proxy_is_believed(site: Site) -> None:
    """E4: a client that writes X-Forwarded-For itself still counts as one address, and delays nobody else."""
    with site.visit() as eve:
        statuses = [
            eve.post("/api/sessions", json={}, headers={"X-Forwarded-For": f"10.0.0.{at}"}).status_code
            for at in range(4 * SESSIONS_A_MINUTE)
        ]
    assert statuses[-1] == 429
    other = httpx.post(
        f"http://127.0.0.1:{site.server.port}/api/sessions", json={}, trust_env=False,
        headers={"X-Forwarded-For": "127.0.0.1, 10.0.0.1", "Origin": site.url},
    )  # fmt: skip
    assert other.status_code == 201


def test_slow_and_long_requests_end_at_the_proxy(tmp_path: Path) -> None:
    """E2: the server has no time limit for headers; nginx ends slow requests, and nobody waits."""
    port = free_port()
    text, limits = re.subn(r"(client_(header|body)_timeout) 10s;", r"\1 1s;", configured(port, 0))
    assert limits == 2
    with running_server(tmp_path) as server:
        text = text.replace("server 127.0.0.1:0 ", f"server 127.0.0.1:{server.port} ")
        with front(text, port) as proxy, ExitStack() as lines:
            head = b"POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            slow = [b"", head, head + b"Content-Length: 4000\r\n\r\n{"]
            waiting = [lines.enter_context(dialled(proxy)) for _ in range(99)]
            for at, line in enumerate(waiting):
                line.sendall(slow[at % 3])
            client = lines.enter_context(httpx.Client(verify=proxy.trust, trust_env=False, timeout=TIMEOUT))
            assert client.get(f"https://localhost:{port}/healthz").text == "ok\n"
            for line in waiting:
                with suppress(ConnectionError, ssl.SSLError):
                    while line.recv(4096):  # TimeoutError if it stays open
                        pass
            answer = client.get(f"https://localhost:{port}/", headers={"X-Long": "x" * 20_000})
            assert answer.status_code == 400


def dialled(proxy: Front) -> ssl.SSLSocket:
    """A connection to the proxy on which nothing was said."""
    line = socket.create_connection(("127.0.0.1", proxy.port), timeout=TIMEOUT)
    return proxy.trust.wrap_socket(line, server_hostname="localhost")


def test_the_proxy_refuses_floods_and_crowds_in_the_servers_words(tmp_path: Path) -> None:
    """E1, E4: beyond the limits of requests and of connections; others are served as before."""
    port = free_port()
    with running_server(tmp_path, trusted_proxies=1, public_url=f"https://localhost:{port}") as server:
        text = configured(port, server.port)
        for there, here in (
            ("rate=100r/s", "rate=1r/m"),
            ("burst=500", "burst=20"),
            ("limit_conn duel_connections 500;", "limit_conn duel_connections 3;"),
        ):
            assert there in text
            text = text.replace(there, here)
        with front(text, port) as proxy, ExitStack() as stack:
            eve = Player(proxy)
            stack.enter_context(closing(eve.http))
            game = said(eve.http.post("/api/games", json={"variant": "classic", "opponent": "friend"}))[
                "game"
            ]
            for _ in range(3):
                stack.enter_context(eve.follow(game))
            refused = eve.http.get("/healthz")
            assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
            stack.pop_all().close()
        with (
            front(text, port) as proxy,
            httpx.Client(verify=proxy.trust, trust_env=False, timeout=TIMEOUT) as eve_again,
        ):
            answers = [eve_again.get(f"https://localhost:{port}/healthz") for _ in range(40)]
            assert [answer.status_code for answer in answers[:20]] == [200] * 20
            refused = answers[-1]
            assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
            assert refused.headers["retry-after"] == "1"
            assert httpx.get(f"{server.url}/healthz", trust_env=False).text == "ok\n"


def test_an_ipv6_network_counts_as_one(tmp_path: Path) -> None:
    """The map of the configuration, asked by a site that prints what it makes of a forwarded address."""
    port = free_port()
    text = configured(port, free_port())
    (mapped,) = re.findall(r"map \$remote_addr \$duel_address \{.*?\n\}\n", text, re.DOTALL)
    asked = mapped.replace("$remote_addr", "$arg_address")
    site = f"{asked} server {{ listen 127.0.0.1:{port}; location / {{ return 200 $duel_address; }} }}"
    with front(site, port):

        def network(address: str) -> str:
            return httpx.get(f"http://127.0.0.1:{port}/?address={address}", trust_env=False).text

        assert network("203.0.113.7") == "203.0.113.7"
        assert network("2001:db8:1:2:3:4:5:6") == network("2001:db8:1:2::9") == "2001:db8:1:2:"
        assert network("2001:db8::1") == network("2001:db8::2") == "2001:db8::"
        assert network("2001:db8:1:3::9") != network("2001:db8:1:2::9")


def test_without_a_server_the_proxy_answers_that_it_is_busy(tmp_path: Path) -> None:
    port = free_port()
    with (
        front(configured(port, free_port(), free_port()), port) as proxy,
        httpx.Client(verify=proxy.trust, trust_env=False) as anna,
    ):
        answer = anna.post(f"https://localhost:{port}/api/games", json={})
        assert (answer.status_code, answer.json()["code"]) == (503, "busy_retry")
        assert answer.headers["retry-after"] == "2"


@dataclass(frozen=True, slots=True)
class Cluster:
    """Servers, a way to start one again at its port, and the proxy before them."""

    servers: list[Server]
    start: Callable[[int], Server]
    proxy: Front


@pytest.fixture
def cluster(tmp_path: Path, postgres: Postgres) -> Iterator[Cluster]:
    """Two servers on one database behind the proxy."""
    ports = [free_port(), free_port()]
    port = free_port()
    database = postgres.create_database()
    with ExitStack() as stack:

        def start(at: int) -> Server:
            return stack.enter_context(
                running_server(
                    tmp_path, port=ports[at], database=database, trusted_proxies=1, claim_after=0.0,
                    public_url=f"https://localhost:{port}",
                )
            )  # fmt: skip

        servers = [start(0), start(1)]
        yield Cluster(servers, start, stack.enter_context(front(configured(port, *ports), port)))


class Player:
    """A person behind the proxy who reconnects whenever the connection breaks."""

    def __init__(self, proxy: Front) -> None:
        self._proxy, self._url = proxy, f"https://localhost:{proxy.port}"
        self.http = httpx.Client(base_url=self._url, verify=proxy.trust, trust_env=False, timeout=TIMEOUT)
        token = said(self.http.post("/api/sessions", json={"bearer": True}))["token"]
        self.http.headers["Authorization"] = f"Bearer {token}"

    def follow(self, game: str) -> TlsSocket:
        """A socket at a game."""
        url = f"{self._url.replace('https', 'wss')}/api/games/{game}/socket"
        headers = {"Authorization": self.http.headers["Authorization"]}
        return TlsSocket(url, self._proxy.trust, headers)

    def look(self, game: str) -> dict[str, Any]:
        """The game as this person sees it."""
        return said(self.http.get(f"/api/games/{game}"))

    def sees(self, game: str, here: list[bool]) -> bool:
        """Whether this person sees that just these seats are connected."""
        return [player["here"] for player in self.look(game)["players"]] == here

    def command(self, game: str, do: str, **more: Any) -> dict[str, Any]:
        """The answer to a command at the current version."""
        body = {"id": uuid4().hex, "version": self.look(game)["version"], "do": do, **more}
        found: dict[str, Any] = self.http.post(f"/api/games/{game}/commands", json=body).json()
        return found


@pytest.fixture
def people(cluster: Cluster) -> Iterator[tuple[Player, Player]]:
    """Two people behind the proxy."""
    anna, ben = Player(cluster.proxy), Player(cluster.proxy)
    with closing(anna.http), closing(ben.http):
        yield anna, ben


def test_games_and_presence_survive_a_killed_server(cluster: Cluster, people: tuple[Player, Player]) -> None:
    """F12: every acknowledged move is there; an opponent on another server counts as present."""
    anna, ben = people
    games = [_seated(anna, ben) for _ in range(6)]
    for game in games:
        assert anna.command(game, "move", move="9a1")["code"] == "ok"
    cluster.servers[0].kill()
    for game in games:  # those of the killed server and those of the other
        assert ben.command(game, "move", move="8b1")["code"] == "ok"
        assert anna.look(game)["version"] == 5
    with ExitStack() as lines:
        for game in games:  # all on the server that is left
            lines.enter_context(anna.follow(game))
        cluster.start(0)
        time.sleep(2.5)  # longer than fail_timeout: half of what comes now goes to the server that is back
        for game in games:
            lines.enter_context(ben.follow(game))
            until(partial(ben.sees, game, [True, True]))
            assert ben.command(game, "claim")["code"] == "illegal_move", "Anna is connected"
    for game in games:  # Anna has left, and it is her turn
        until(partial(ben.sees, game, [False, False]))
        assert ben.command(game, "claim")["code"] == "ok"


def _seated(anna: Player, ben: Player) -> str:
    opened = said(anna.http.post("/api/games", json={"variant": "classic", "opponent": "friend"}))
    game: str = opened["game"]
    said(anna.http.post(f"/api/games/{game}/join", json={"name": "Anna"}))
    secret = opened["invite"]["url"].partition("#")[2]
    said(ben.http.post(f"/api/games/{game}/join", json={"name": "Ben", "invite": secret}))
    return game
