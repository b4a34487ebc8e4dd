"""What nginx does with the handshakes of sockets while a server ends."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
from tests.web.nginx import front
from tests.web.operation.test_nginx import configured
from tests.web.server import free_port


class _Ending(BaseHTTPRequestHandler):
    """A server that ends: it has nothing but a 500 for what comes."""

    status = 500

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *said: object) -> None:
        pass


class _Staying(_Ending):
    status = 200


def test_a_handshake_that_an_ending_server_drops_goes_to_the_next_one() -> None:
    """uvicorn answers unfinished handshakes with 500 when it ends; only these are tried again."""
    port = free_port()
    with ExitStack() as stack:
        servers = [
            stack.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), kind)) for kind in (_Ending, _Staying)
        ]
        for server in servers:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            stack.callback(server.shutdown)
        proxy = stack.enter_context(front(configured(port, *(each.server_port for each in servers)), port))
        http = httpx.Client(verify=proxy.trust, trust_env=False, base_url=f"https://localhost:{port}")
        stack.enter_context(http)
        views = {http.get(f"/api/games/game{number}").status_code for number in range(30)}
        sockets = {http.get(f"/api/games/game{number}/socket").status_code for number in range(30)}
    assert views == {200, 500}
    assert sockets == {200}
