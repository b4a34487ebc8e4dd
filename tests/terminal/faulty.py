"""A proxy that loses answers and connections, and servers that are broken or hostile."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar


class Faulty(threading.Thread):
    """A proxy that drops chosen answers: the server gets the request, and the client no answer."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.door.getsockname()[1]}"
        self.swallow: Callable[[bytes], bool] = lambda request: False
        self.swallowed: list[bytes] = []
        self._open: list[socket.socket] = []
        self._port = port

    def run(self) -> None:
        with suppress(OSError):  # closed: the test is over
            while True:
                near, _ = self.door.accept()
                threading.Thread(target=self._pass, args=(near,), daemon=True).start()

    def cut(self) -> None:
        """Cut all connections."""
        for near in self._open:
            with suppress(OSError):  # closed already
                near.shutdown(socket.SHUT_RDWR)

    def _pass(self, near: socket.socket) -> None:
        self._open.append(near)
        with near, socket.create_connection(("127.0.0.1", self._port)) as far, suppress(OSError):
            request = _whole_request(near)
            far.sendall(request)
            if self.swallow(request):
                far.recv(65536)  # the server has done it
                self.swallowed.append(request)
                return
            while data := far.recv(65536):
                near.sendall(data)


def _whole_request(near: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        data += _more(near)
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    length = next((line for line in lines if line.startswith(b"content-length:")), b":0")
    while len(body) < int(length.partition(b":")[2]):
        body += _more(near)
    return head + b"\r\n\r\n" + body


def _more(near: socket.socket) -> bytes:
    data = near.recv(65536)
    if not data:
        raise ConnectionError("hung up")
    return data


@contextmanager
def answering(answers: dict[str, tuple[int, str, bytes]], certificate: Path | None = None) -> Iterator[str]:
    """A server that gives fixed answers."""

    class Answers(BaseHTTPRequestHandler):
        known: ClassVar = answers

        def do_GET(self) -> None:
            status, kind, body = self.known.get(
                self.path.partition("?")[0], (404, "text/html", b"<h1>?</h1>")
            )
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815  # the library's names

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    house = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    scheme = "http"
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        house.socket = context.wrap_socket(house.socket, server_side=True)
        scheme = "https"
    thread = threading.Thread(target=house.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"{scheme}://localhost:{house.server_port}"
    finally:
        house.shutdown()
        thread.join()
        house.server_close()
