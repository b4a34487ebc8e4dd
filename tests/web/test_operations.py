"""Running a server: how it stops, what it bears, and what it tells its operator (SAFETY E, F and G)."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest
from tests.web.checker import Acked, check, read_log
from tests.web.client import Client, pair, seated
from tests.web.raw import RawSocket
from tests.web.server import Server, running_server

RESTART = 1012
QUICKLY = 4.0  # seconds on a busy machine; what is begun may take five more


def bearer(person: Client) -> list[tuple[str, str]]:
    return [("Authorization", f"Bearer {person.token}")]


def hear_the_end(url: str, token: str | None, game: str) -> list[str]:
    """All lines of a stream of events, until the server ends it in order."""
    with (
        Client(url, token) as person,
        person.http.stream("GET", f"/api/games/{game}/events") as stream,
    ):
        return list(stream.iter_lines())


@pytest.mark.parametrize("workers", [1, 2])
def test_a_server_that_is_asked_to_stop_says_goodbye_at_once(tmp_path: Path, workers: int) -> None:
    """F8: sockets are closed with 1012, streams end, nothing is lost, and it is no failure."""
    with ExitStack() as stack:
        server = stack.enter_context(running_server(tmp_path, workers=workers))
        anna, ben = map(stack.enter_context, pair(server.url))
        threads = stack.enter_context(ThreadPoolExecutor(4))
        game = seated(anna, ben, "classic")
        path = f"/api/games/{game}/socket"
        lines = [
            stack.enter_context(RawSocket(server.port, path, bearer(person))) for person in (anna, ben) * 3
        ]
        streams = [threads.submit(hear_the_end, server.url, ben.token, game) for _ in range(4)]
        wait_for_connections(server, workers, 10)
        assert anna.move(game, "9a1", version=3, id="first").code == "ok"
        began = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - began < QUICKLY
        assert [line.end() for line in lines] == [RESTART] * 6
        assert all(stream.result(5)[0].startswith("id: ") for stream in streams)
        check(read_log(server.database), [Acked(game, 0, "first", 4, {"do": "move", "move": "9a1"})])
        assert "unforeseen" not in server.log.read_text()


def wait_for_connections(server: Server, workers: int, wanted: int) -> None:
    """Come back when a game is followed by so many; several workers are not asked one by one."""
    if workers > 1:
        time.sleep(0.5)
        return
    with Client(server.url, stranger=True) as operator:
        while f"digit_duel_connections {wanted}.0" not in operator.http.get("/metrics").text:
            time.sleep(0.01)
