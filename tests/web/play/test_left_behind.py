"""No memory leaks: clients that left leave nothing behind that grows with their number (SAFETY E3, E4).

The server collects garbage only when told to, and counts the remaining objects.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from tests.web.client import People, bearer, pair, seated
from tests.web.raw import CLOSE, TEXT, RawSocket, dial, frame, request
from tests.web.server import Server, running_server, until

WARM, VISITS = 30, 200
CROWDS = 2  # growth seen only once is a cache that was filled, or belongs to something else
CONNECTIONS = ("H11Protocol", "WebSocketsSansIOProtocol", "_Connection")
MOST_BYTES = 200  # of one that was: a hundredth of what one costs that is there
KEPT_ALIVE = 60.0  # seconds: a connection that ends while it is answered is waited for, 15 s and more
COUNTING = """
import gc, json, os, signal, tracemalloc, weakref
from collections import Counter
from digit_duel.web.http import websocket
from digit_duel.web.play.connected import subscriptions

def told(number, frame):
    gc.collect()
    held = Counter(type(each).__name__ for each in gc.get_objects())
    objects = sum(type(each) is not weakref.ref for each in gc.get_objects())  # which hold nothing
    kept = objects, tracemalloc.get_traced_memory()[0]
    with open(os.environ["COUNTED"] + ".new", "w") as file:
        json.dump([held, *kept], file)
    os.rename(os.environ["COUNTED"] + ".new", os.environ["COUNTED"])

signal.signal(signal.SIGUSR1, told)
gc.disable()
tracemalloc.start()
"""


@dataclass(frozen=True, slots=True)
class Held:
    """What a server holds."""

    connections: int
    objects: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Counted:
    """A server that can be asked what it holds, and a game at it."""

    server: Server
    file: Path
    people: People
    game: str

    def held(self) -> Held:
        """What it holds now."""
        self.file.unlink(missing_ok=True)
        os.kill(self.server.process.pid, signal.SIGUSR1)
        until(self.file.exists)
        kinds, objects, bytes = json.loads(self.file.read_text())
        return Held(sum(kinds.get(kind, 0) for kind in CONNECTIONS), objects, bytes)

    def plug(self) -> RawSocket:
        """Ben's socket, after its first view."""
        line = RawSocket(self.server.port, f"/api/games/{self.game}/socket", bearer(self.people[1]))
        line.hear("view")
        return line

    def alone(self) -> None:
        """Wait until nobody follows the game any more."""
        until(lambda: "\ndigit_duel_connections 0.0\n" in httpx.get(f"{self.server.url}/metrics").text, 30)


@contextmanager
def counted(folder: Path, planted: str = "") -> Iterator[Counted]:
    """A server that counts, perhaps with a defect."""
    file = folder / "counted"
    with running_server(folder, before=COUNTING + planted, env={"COUNTED": str(file)}) as server:
        people = pair(server.url)
        with people[0], people[1]:
            yield Counted(server, file, people, seated(*people, "classic"))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Counted]:
    with counted(tmp_path_factory.mktemp("sound")) as running:
        yield running


def says_goodbye(place: Counted) -> None:
    with place.plug() as line:
        line.say({"type": "ping"})
        line.hear("pong")
        line.send(frame(CLOSE, b"\x03\xe8"))
        assert line.end() == 1000


def hangs_up(place: Counted) -> None:
    with place.plug():
        pass


def leaves_in_the_middle_of_a_frame(place: Counted) -> None:
    with place.plug() as line:
        line.send(frame(TEXT, b'{"type":"ping"}')[:-3])


def is_thrown_out(place: Counted) -> None:
    with place.plug() as line:
        line.send(frame(TEXT, b"\xff"))
        assert line.end() == 1007


def is_turned_away(place: Counted) -> None:
    with RawSocket(place.server.port, f"/api/games/{place.game}/socket") as line:
        assert line.status == 403


def leaves_a_stream(place: Counted) -> None:
    with dial(place.server.port) as line:
        line.sendall(request("GET", f"/api/games/{place.game}/events", bearer(place.people[1])))
        assert line.recv(65536).startswith(b"HTTP/1.1 200 ")


def asks_and_leaves(place: Counted) -> None:
    with dial(place.server.port) as line:
        line.sendall(request("GET", f"/api/games/{place.game}", bearer(place.people[1])))
        assert line.recv(65536).startswith(b"HTTP/1.1 200 ")


def asks_for_half_of_something(place: Counted) -> None:
    with dial(place.server.port) as line:
        line.sendall(request("GET", f"/api/games/{place.game}")[:-4])


Visit = Callable[[Counted], None]
WAYS: list[Visit] = [
    says_goodbye, hangs_up, leaves_in_the_middle_of_a_frame, is_thrown_out, is_turned_away, leaves_a_stream,
    asks_and_leaves, asks_for_half_of_something,
]  # fmt: skip


def crowd(place: Counted, visit: Visit, number: int) -> None:
    """Let so many visitors come and go, one after the other."""
    for _ in range(number):
        visit(place)
    place.alone()


def grown(before: Held, now: Held) -> set[str]:
    """What has grown with the number of visitors."""
    return {
        what
        for what, more in {
            "connections": now.connections - before.connections > VISITS / 10,
            "objects": now.objects - before.objects > VISITS / 2,
            "bytes": now.bytes - before.bytes > VISITS * MOST_BYTES,
        }.items()
        if more
    }


@pytest.mark.slow
@pytest.mark.parametrize("visit", WAYS)
def test_nothing_of_a_closed_connection_stays_in_memory(sound: Counted, visit: Visit) -> None:
    """E3, E4: two hundred visitors come and go, in each of several ways."""
    crowd(sound, visit, WARM)
    kept = [stays(sound, visit) for _ in range(CROWDS)]
    assert not set.intersection(*kept), kept


def stays(place: Counted, visit: Visit) -> set[str]:
    """What is left of a crowd after a while."""
    before = place.held()
    crowd(place, visit, VISITS)
    end = time.monotonic() + KEPT_ALIVE
    while (found := grown(before, place.held())) and time.monotonic() < end:
        time.sleep(0.2)
    return found


PLANTED: dict[str, tuple[str, set[str]]] = {
    "a task that never ends": (
        """
async def run(self, run=websocket._Connection.run):
    await run(self)
    while True:
        await asyncio.sleep(3600)

import asyncio
websocket._Connection.run = run
""",
        {"connections"},
    ),
    "a list of all who were there": (
        """
gone = []

def remove(self, subscriber, remove=subscriptions.Subscriptions.remove):
    gone.append(subscriber)
    remove(self, subscriber)

subscriptions.Subscriptions.remove = remove
""",
        {"objects"},
    ),
    "a copy of all that was told": (
        """
copy = bytearray()

async def send(self, message, send=websocket._Connection._send):
    copy.extend(repr(message).encode())
    await send(self, message)

websocket._Connection._send = send
""",
        {"bytes"},
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("defect", PLANTED)
def test_a_connection_that_stays_in_memory_is_noticed(tmp_path: Path, defect: str) -> None:
    """E3, E4: the check above can fail, for each of these reasons."""
    planted, expected = PLANTED[defect]
    with counted(tmp_path, planted) as place:
        crowd(place, hangs_up, WARM)
        before = place.held()
        crowd(place, hangs_up, VISITS)
        assert expected <= grown(before, place.held())
