"""Connections that go from worker to worker: every answer on them is whole and in its place.

The server's and the client's buffers are small here, so that answers lie about unsent, as behind a slow line.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.web.client import pair, seated
from tests.web.hostile import NARROW, SMALL
from tests.web.raw import request
from tests.web.server import Server, running_server

WORKERS, GAMES = 2, 10  # that all belong to the worker that happens to be asked has a chance of one in 1,000
LONG = "/api/openapi.json"  # an answer of some 20 KB


@contextmanager
def narrow(folder: Path, planted: str = "") -> Iterator[tuple[Server, list[str]]]:
    """A server of several workers behind narrow lines, perhaps with a defect; and games at it."""
    with running_server(folder, workers=WORKERS, before=NARROW + planted) as server:
        anna, ben = pair(server.url)
        with anna, ben:
            yield server, [seated(anna, ben, "classic") for _ in range(GAMES)]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, list[str]]]:
    with narrow(tmp_path_factory.mktemp("narrow")) as running:
        yield running


def answers(data: bytes) -> list[Any]:
    """What stands in the answers that came over one connection, with nothing between or after them."""
    found = []
    while data:
        head, blank, rest = data.partition(b"\r\n\r\n")
        status, *lines = head.decode("ascii").split("\r\n")
        assert status == "HTTP/1.1 200 OK"
        assert blank
        headers = dict(line.lower().split(": ", 1) for line in lines)
        length = int(headers["content-length"])
        assert len(rest) >= length, "an answer was cut off"
        found.append(json.loads(rest[:length]))
        data = rest[length:]
    return found


def named(answer: Any) -> str:
    """What an answer is about: a game, or the interface as a whole."""
    return str(answer["game"]) if "game" in answer else str(answer["info"]["title"])


Sending = Callable[[socket.socket, Sequence[bytes]], None]


def together(line: socket.socket, requests: Sequence[bytes]) -> None:
    line.sendall(b"".join(requests))


def one_after_the_other(line: socket.socket, requests: Sequence[bytes]) -> None:
    """Each comes alone, when the one before has been answered as far as there was room for it."""
    for each in requests:
        line.sendall(each)
        line.recv(1, socket.MSG_PEEK)
        time.sleep(0.02)


def in_crooked_pieces(line: socket.socket, requests: Sequence[bytes]) -> None:
    """Pieces that begin in one request and end in another."""
    data = b"".join(requests)
    for at in range(0, len(data), 70):
        line.sendall(data[at : at + 70])
        time.sleep(0.001)


def heard(server: Server, paths: Sequence[str], send: Sending) -> bytes:
    """All that comes over one connection with a small window, which is read only when all has been asked."""
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        line.settimeout(30)
        line.connect(("127.0.0.1", server.port))
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        last = [("Connection", "close")]
        send(line, [request("GET", path, last if path is paths[-1] else ()) for path in paths])
        time.sleep(0.05)
        data = b""
        while more := line.recv(1 << 16):
            data += more
        return data


def about(paths: Sequence[str]) -> list[str]:
    """What the answers to some requests must be about, in this order."""
    return ["Digit Duel" if path == LONG else path.rpartition("/")[2] for path in paths]


@pytest.mark.parametrize("send", [together, one_after_the_other, in_crooked_pieces])
def test_answers_are_whole_and_in_order_though_their_games_belong_to_several_workers(
    sound: tuple[Server, list[str]], send: Sending
) -> None:
    """What one worker has not got rid of yet is not cut off when the connection goes to another."""
    server, games = sound
    for first, second in zip(games, (*games[1:], games[0]), strict=True):
        paths = [LONG, f"/api/games/{first}", LONG, LONG, f"/api/games/{second}"]
        assert [named(answer) for answer in answers(heard(server, paths, send))] == about(paths)


HASTY = """
from digit_duel.web import relay

class Emptied:
    def __init__(self, transport):
        self._transport = transport
    def __getattr__(self, name):
        return getattr(self._transport, name)
    def get_write_buffer_size(self):
        return 0

def complete(self, complete=relay.RelayedHttp.on_headers_complete):
    transport, self.transport = self.transport, Emptied(self.transport)
    complete(self)
    self.transport = transport

relay.RelayedHttp.on_headers_complete = complete
"""


def test_an_answer_that_is_cut_off_by_the_hand_over_is_noticed(tmp_path: Path) -> None:
    """The check above can fail, at a worker that does not wait until its answers have left."""
    with narrow(tmp_path, HASTY) as (server, games):

        def ask_about_all() -> None:
            for game in games * 3:
                answers(heard(server, [LONG, f"/api/games/{game}"], one_after_the_other))

        with pytest.raises(AssertionError, match="an answer was cut off"):
            ask_about_all()
