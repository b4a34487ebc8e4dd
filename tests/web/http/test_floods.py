"""How long others wait while one client floods: SAFETY E1."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.web.client import Client, pair, seated
from tests.web.server import Server, running_server

ROOT = Path(__file__).parents[3]
FLOOD = """
import sys
from contextlib import suppress
from tests.web.raw import TEXT, RawSocket, frame
port, path, token = sys.argv[1:]
pings = frame(TEXT, b'{"type":"ping"}') * 2_000
print("begun", flush=True)
while True:
    with suppress(OSError), RawSocket(int(port), path, [("Authorization", f"Bearer {token}")]) as line:
        more = b"more"
        while more:
            line.line.sendall(pings)
            heard = 0
            while heard < 30_000 and more:
                more = line.line.recv(1 << 20)
                heard += len(more)
"""


@contextmanager
def flooded(server: Server, flooder: Client) -> Iterator[None]:
    """Thousands of messages at once, again and again, from another process."""
    path = f"/api/games/{flooder.open('classic', 'same_device').game}/socket"
    command = [sys.executable, "-c", FLOOD, str(server.port), path, str(flooder.token)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        try:
            yield
        finally:
            process.kill()


def slowness(server: Server, games: int) -> tuple[float, float]:
    """Seconds within which nine of ten moves of others are answered, in peace and during a flood."""

    def ninth_of_ten() -> float:
        waits = []
        for _ in range(games):
            game = seated(anna, ben, "classic")
            for version, move in enumerate(("9a1", "8b1", "7a2", "6b2", "5a3", "4b3"), 3):
                began = time.monotonic()
                assert (ben, anna)[version % 2].move(game, move, version=version).code == "ok"
                waits.append(time.monotonic() - began)
        return sorted(waits)[len(waits) * 9 // 10]

    anna, ben = pair(server.url)
    with anna, ben, Client(server.url) as flooder:
        calm = ninth_of_ten()
        with flooded(server, flooder):
            time.sleep(0.3)
            return calm, ninth_of_ten()


def is_held_up(calm: float, stormy: float) -> bool:
    """Whether others are slower than a busy machine alone makes them."""
    return stormy > 3 * calm + 0.02


@pytest.mark.campaign  # times, which a busy machine blurs
def test_a_flood_delays_nobody_else(tmp_path: Path) -> None:
    """E1: a client floods, is cut off, and comes back at once."""
    with running_server(tmp_path, moves_per_second=200.0) as server:
        assert not all(is_held_up(*slowness(server, 20)) for _ in range(3))


@pytest.mark.campaign  # times, which a busy machine blurs
def test_a_flood_that_delays_others_would_be_noticed(tmp_path: Path) -> None:
    """E1: the check above can fail: it does at a server that processes every message."""
    with running_server(tmp_path, moves_per_second=1e6, bytes_at_once=1 << 30) as server:
        assert any(is_held_up(*slowness(server, 4)) for _ in range(3))
