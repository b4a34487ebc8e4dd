"""A Host that is no address is refused on every kind of route, and is no error of the server: D10."""

from __future__ import annotations

import pytest
from tests.web.server import Server
from tests.web.strangers.plain import Stranger

PATHS = ("/metrics", "/healthz", "/api/catalogue", "/", "/g/none", "/none")


@pytest.mark.parametrize("host", ["[:::::]", "[1.2.3.4]", "[::1:]:80", "[fe80::1::2]", "[12345::]"])
def test_a_bracketed_host_must_be_an_ipv6_address(server: Server, host: str) -> None:
    with Stranger(server.url) as nobody:
        for path in PATHS:
            answer = nobody.ask("GET", path, Host=host)
            assert (answer.status, answer.body["code"]) == (400, "bad_request"), path
    assert '"unforeseen"' not in server.log.read_text()


@pytest.mark.parametrize("host", ["[::1]", "[::ffff:1.2.3.4]:80", "[2001:DB8::1]:65535"])
def test_an_ipv6_address_is_a_host(server: Server, host: str) -> None:
    with Stranger(server.url) as nobody:
        assert nobody.ask("GET", "/metrics", Host=host).status == 200
