"""Shared by the tests of hostile input: a server whose log must stay clean, and generators of bad input."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from tests.web.client import People, bearer
from tests.web.raw import RawSocket, dial
from tests.web.server import Server, running_server

SMALL = 4096
NARROW = f"""
import socket
from digit_duel.web import serving

def listen(host, port, listen=serving.listen):
    listener = listen(host, port)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, {SMALL})
    return listener

serving.listen = listen
"""  # run before a server: unread data stays in the server, not in the kernel's buffers


@contextmanager
def watched_server(folder: Path) -> Iterator[Server]:
    """A server that must log no unforeseen error, and only printable lines (D5)."""
    with running_server(folder) as server:
        yield server
        log = server.log.read_bytes()
        assert b"Traceback" not in log
        assert b"unforeseen" not in log
        assert all(line.decode().isprintable() for line in log.splitlines())


class Line:
    """One connection that is kept, for thousands of requests."""

    def __init__(self, server: Server, token: str | None) -> None:
        self._http = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, str]:
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        self._http.request(method, path, data, self._headers)
        answer = self._http.getresponse()
        found = json.loads(answer.read())
        return answer.status, found.get("code", "ok")

    def close(self) -> None:
        self._http.close()


def plug(server: Server, people: People, game: str) -> RawSocket:
    """Anna's socket."""
    socket = RawSocket(server.port, f"/api/games/{game}/socket", bearer(people[0]))
    assert socket.status == 101
    socket.hear("view")
    return socket


def alive(people: People, game: str) -> None:
    """The server answers, and the game is where it was."""
    view = people[0].look(game)
    assert (view["version"], view["turn"]) == (3, True)


def fuzzed(rng: Random, sound: bytes) -> bytes:
    """Some bytes, damaged in one of many ways."""
    data = bytearray(sound)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(5):
            case 0:
                data[at:at] = rng.randbytes(rng.randrange(1, 9))
            case 1:
                del data[at : at + rng.randrange(1, 9)]
            case 2 if at < len(data):
                data[at] ^= 1 << rng.randrange(8)
            case 3:
                data[at:at] = data[: rng.randrange(1, 40)]
            case 4:
                data[at:at] = rng.choice(
                    [b'"', b"{", b"]", b"\\u0000", b"null", b"9", b"-", b"\xf0\x9f", b"e9", b","]
                )
    return bytes(data)


def exchange_and_leave(port: int, data: bytes) -> bytes:
    """The response to a request after which the client closes its side."""
    with dial(port) as line:
        line.sendall(data)
        line.shutdown(1)
        found = b""
        try:
            while more := line.recv(65536):
                found += more
        except ConnectionResetError:
            pass
        return found
