"""The shipped configuration of nginx with its limit on open connections, before a real server: E4, E8."""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from tests.web.nginx import Front, front
from tests.web.server import free_port, running_server, until

DEPLOY = Path(__file__).parents[3] / "deploy"
MOST = 20


HASTY = (
    ("client_header_timeout 10s;", "client_header_timeout 1s;"),
    ("keepalive_timeout 15s;", "keepalive_timeout 1s;"),
)
PATIENT = (  # a busy machine may take longer than that to fill all places
    ("client_header_timeout 10s;", "client_header_timeout 300s;"),
    ("keepalive_timeout 15s;", "keepalive_timeout 300s;"),
)


@pytest.fixture(params=[PATIENT])
def proxy(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Front]:
    """All of the shipped configuration, with other ports, a lower limit, and its log in a file."""
    outer, inner, plain = free_port(), free_port(), free_port()
    connections = (DEPLOY / "nginx-connections.conf").read_text(encoding="utf-8")
    site = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    with running_server(
        tmp_path, trusted_proxies=1, opens_per_minute=6.0, public_url=f"https://localhost:{outer}"
    ) as server:
        for there, here in (
            ("limit_conn duel_open 600;", f"limit_conn duel_open {MOST};"),
            ("listen 443;", f"listen 127.0.0.1:{outer};"),
            ("listen [::]:443;", ""),
            ("listen 80;", "listen unix:{FOLDER}/http;"),
            ("listen [::]:80;", ""),
            (":8443;", f":{inner};"),
            (":8480;", f":{plain};"),
            ("syslog:server=unix:/dev/log,nohostname,tag=digit_duel,severity=warn", "{FOLDER}/refused"),
            ("worker_rlimit_nofile 65536;", ""),
        ):
            assert there in connections
            connections = connections.replace(there, here)
        for there, here in (
            (":8443 ", f":{inner} "),
            (":8480 ", f":{plain} "),
            (":8642 ", f":{server.port} "),
            (":8643 ", f":{server.port} "),
            ("server_name duel.example;", "server_name localhost;"),
            ("/etc/ssl/", "{FOLDER}/"),
            *request.param,
        ):
            assert there in site
            site = site.replace(there, here)
        with front(site, outer, before=connections) as found:
            yield found


ASKING = b"GET /healthz HTTP/1.1\r\nHost: localhost"


def dial(proxy: Front, source: str, sent: bytes) -> socket.socket:
    """A connection that sends nothing, or part of a request, or a whole one and keeps the line."""
    line = socket.create_connection(("127.0.0.1", proxy.port), 10, source_address=(source, 0))
    if not sent:
        return line
    try:
        secure = proxy.trust.wrap_socket(line, server_hostname="localhost")
        secure.sendall(sent)
        if sent.endswith(b"\r\n\r\n"):
            assert b" 200 " in secure.recv(1 << 16)
    except OSError:  # refused, which is for the test to count
        return line
    return secure


def is_open(line: socket.socket) -> bool:
    """Whether the proxy has not hung up."""
    if line.fileno() < 0:
        return False  # during the handshake
    line.settimeout(0.05)
    try:
        return line.recv(100) != b""
    except TimeoutError:
        return True
    except (ConnectionResetError, ssl.SSLEOFError):
        return False


@pytest.mark.parametrize("sent", [b"", ASKING, ASKING + b"\r\n\r\n"], ids=["silent", "unfinished", "kept"])
def test_idle_connections_of_one_address_are_capped_and_others_get_in(proxy: Front, sent: bytes) -> None:
    with ExitStack() as stack:
        idle = [stack.enter_context(dial(proxy, "127.0.0.2", sent)) for _ in range(3 * MOST)]
        until(lambda: sum(map(is_open, idle)) <= MOST)
        assert [is_open(line) for line in idle[:MOST]] == [True] * MOST
        refused = proxy.errors.parent / "refused"
        until(lambda: refused.read_text().count("too many of one address") == 2 * MOST)
        with httpx.Client(verify=proxy.trust, trust_env=False) as other:
            assert other.get(f"https://localhost:{proxy.port}/healthz").text == "ok\n"
    with httpx.Client(
        transport=httpx.HTTPTransport(local_address="127.0.0.2", verify=proxy.trust), trust_env=False
    ) as same:
        until(lambda: answers(same, proxy))


@pytest.mark.parametrize("proxy", [HASTY], indirect=True)
@pytest.mark.parametrize("sent", [b"", ASKING, ASKING + b"\r\n\r\n"], ids=["silent", "unfinished", "kept"])
def test_idle_connections_end(proxy: Front, sent: bytes) -> None:
    """E8: after 10 s without a request and 15 s between two, here after one."""
    with ExitStack() as stack:
        idle = [stack.enter_context(dial(proxy, "127.0.0.2", sent)) for _ in range(3)]
        until(lambda: not any(map(is_open, idle)))


def answers(client: httpx.Client, proxy: Front) -> bool:
    try:
        return client.get(f"https://localhost:{proxy.port}/healthz").status_code == 200
    except (httpx.TransportError, ssl.SSLError):
        return False


def test_the_proxy_passes_the_clients_address_on(proxy: Front) -> None:
    """Sessions are limited by the address of the client, not of the proxy."""
    statuses: dict[str, list[int]] = {}
    for source in ("127.0.0.3", "127.0.0.4"):
        transport = httpx.HTTPTransport(local_address=source, verify=proxy.trust)
        with httpx.Client(transport=transport, trust_env=False) as client:
            statuses[source] = [
                client.post(f"https://localhost:{proxy.port}/api/sessions", json={"bearer": True}).status_code
                for _ in range(20)
            ]
    for told in statuses.values():
        assert told[0] == 201
        assert told[-1] == 429


def test_the_two_files_count_addresses_alike() -> None:
    pattern = r"map \$remote_addr \$duel_address \{(.*?)\}"
    texts = [(DEPLOY / name).read_text(encoding="utf-8") for name in ("nginx.conf", "nginx-connections.conf")]
    maps = [re.findall(pattern.replace("(.*?)", "(.*?;)\\s*"), text, re.DOTALL) for text in texts]
    assert maps[0]
    assert [line.split() for line in maps[0]] == [line.split() for line in maps[1]]
