"""How much does a hostile client that uses up all its limits slow down everybody else?

Fifty pairs play classic over sockets, each pair from an address of its own. The hostile client ("the
stranger") has one address, fifty connections and thirty identities: ten sockets watch a game of its own in
which it moves and takes back, and forty connections send the most expensive requests, as fast as answers
come. From another address, five sockets send only pings and five connections send bodies in chunks of one
byte, 100,000 per second each, and reconnect a moment after the server hangs up. The server has its default
limits, and no proxy.

The machine may be busy with other things, so short windows with and without the stranger alternate, and both
kinds are compared within one run. Prints the 50th and 99th percentile of the time from a move until the other
player has it, and the ratio of the two 99th percentiles, with its 90% bootstrap interval over pairs of
windows. Goal: a factor below 2.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.web.server import Server, running_server  # noqa: E402  # the root is on the path only now

PAIRS, CONNECTIONS, SOCKETS, IDENTITIES = 50, 50, 10, 30
PAUSE = 1.0  # seconds between the moves of a pair
MOVES = ("9a1", "8b1", "7a2", "6b2", "5a3", "4b3")
STRANGER, FLOODER = "127.0.0.2", "127.0.0.3"
FLOODS = 5  # connections of each kind
MOMENT, GAP = 0.1, 0.005  # seconds before reconnecting, and between two pieces of a flood
PINGS = 500 * (b"\x89\x80" + bytes(4))  # empty, with a mask of zeros
CHUNKS = 500 * b"1\r\n \r\n"
WISH = {"variant": "sabotage", "opponent": "same_device", "name": "Ada", "second_name": "Bob"}
DEFAULTS = (
    "asks_per_second", "asks_per_person", "opens_per_minute", "moves_per_second", "events_per_second",
    "views_per_second", "messages_per_second", "refusal_delay", "sockets_per_person", "sockets_per_address",
    "most_waiting_games",
)  # fmt: skip
CHUNKED = (
    b"POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
Window = tuple[list[float], list[float]]  # times of moves without the stranger, and with them


def client(url: str, source: str, token: str | None = None) -> httpx.AsyncClient:
    """An HTTP client at a source address."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    transport = httpx.AsyncHTTPTransport(local_address=source)
    return httpx.AsyncClient(base_url=url, transport=transport, headers=headers, timeout=60, trust_env=False)


async def ask(http: httpx.AsyncClient, path: str, **body: Any) -> dict[str, Any]:
    """The answer to a request that must succeed."""
    answer = await http.post(path, json=body)
    answer.raise_for_status()
    found: dict[str, Any] = answer.json()
    return found


async def start(url: str, source: str) -> str:
    """Start a session and return its token."""
    async with client(url, source) as http:
        return str((await ask(http, "/api/sessions", bearer=True))["token"])


def follow(url: str, game: str, source: str, token: str) -> connect:
    """Connect a socket to a game."""
    return connect(
        f"{url.replace('http', 'ws')}/api/games/{game}/socket", local_addr=(source, 0), proxy=None,
        additional_headers={"Authorization": f"Bearer {token}"},
    )  # fmt: skip


async def version(line: ClientConnection, wanted: int) -> None:
    """Wait until a socket has received a version."""
    while True:
        message = json.loads(await line.recv())
        if message["type"] == "view" and message["view"]["version"] >= wanted:
            return


class Players:
    """Fifty pairs of players, and the times of their moves in each window."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.times: list[float] = []  # in the current window
        self.playing = 0  # the number of pairs that have started

    async def pair(self, number: int) -> None:
        """Play game after game."""
        source = f"127.1.0.{number + 1}"
        ada, bob = [await start(self._url, source) for _ in range(2)]
        self.playing += 1
        while self.playing < PAIRS:
            await asyncio.sleep(0.1)
        await asyncio.sleep(PAUSE * number / PAIRS)
        async with client(self._url, source, ada) as hers, client(self._url, source, bob) as his:
            while True:
                opened = await ask(hers, "/api/games", variant="classic", opponent="friend", name="Ada")
                game, secret = opened["game"], opened["invite"]["url"].partition("#")[2]
                await ask(his, f"/api/games/{game}/join", name="Bob", invite=secret)
                async with (
                    follow(self._url, game, source, ada) as first,
                    follow(self._url, game, source, bob) as second,
                ):
                    await self._game((first, second))

    async def _game(self, lines: Sequence[ClientConnection]) -> None:
        for at, move in enumerate(MOVES):
            await asyncio.sleep(PAUSE)
            began, window = monotonic(), self.times
            body = {"type": "command", "id": str(at), "version": 3 + at, "do": "move", "move": move}
            await lines[at % 2].send(json.dumps(body))
            await version(lines[1 - at % 2], 4 + at)
            window.append(monotonic() - began)


class Line:
    """One kept-alive connection of the stranger, which uses as little of this machine as possible."""

    def __init__(self, url: str, token: str) -> None:
        self._port = int(url.rpartition(":")[2])
        self._token = token
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: object) -> tuple[int, bytes]:
        """The status and body of an answer."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port, local_addr=(STRANGER, 0))
        reader, writer = self._streams
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self._token}\r\n"
        sent = f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n" if data else ""
        writer.write(f"{head}{sent}\r\n".encode() + data)
        heard = (await reader.readuntil(b"\r\n\r\n")).lower()
        size = int(heard.partition(b"content-length: ")[2].split(b"\r\n")[0])
        return int(heard[9:12]), await reader.readexactly(size)

    def close(self) -> None:
        """Hang up; the next request reconnects."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


class Attack:
    """The stranger, which attacks only while it is told to."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._rng = Random(1)
        self.going = asyncio.Event()
        self.statuses: Counter[int] = Counter()
        self.floods = 0  # the number of pieces of 500 pings or chunks sent

    async def run(self) -> None:
        """Prepare, report readiness, and attack whenever told to."""
        people = [await start(self._url, STRANGER) for _ in range(IDENTITIES)]
        flooder = await start(self._url, FLOODER)
        async with client(self._url, STRANGER, people[0]) as http:
            self._game = (await ask(http, "/api/games", **WISH))["game"]
        print("ready", flush=True)
        await asyncio.gather(
            self._to_and_fro(people[0]),
            *(self._watch(people[number % IDENTITIES]) for number in range(SOCKETS)),
            *(self._ask(people[number % IDENTITIES]) for number in range(CONNECTIONS - SOCKETS - 1)),
            *(self._flood(lambda: self._handshake(flooder), PINGS) for _ in range(FLOODS)),
            *(self._flood(lambda: CHUNKED, CHUNKS) for _ in range(FLOODS)),
        )

    async def _to_and_fro(self, token: str) -> None:
        """Move and take back, and start another game when no more moves can be taken back."""
        at, numbers = 3, count()
        line = Line(self._url, token)
        while await self.going.wait():
            for do, more in (("move", {"move": "9a1"}), ("takeback", {})):
                body = {"id": f"{do}{next(numbers)}", "version": at, "do": do, "seat": 0, **more}
                status, found = await self._told(line, "POST", f"/api/games/{self._game}/commands", body)
                at = found.get("version") or at
                if status == 409:
                    status, found = await self._told(line, "POST", "/api/games", WISH)
                    if status == 201:
                        self._game, at = found["game"], 3

    async def _watch(self, token: str) -> None:
        while await self.going.wait():
            with suppress(OSError, ConnectionClosed, InvalidHandshake):
                async with follow(self._url, self._game, STRANGER, token) as line:
                    while self.going.is_set():
                        await line.recv()
                        self.statuses[101] += 1

    async def _ask(self, token: str) -> None:
        line = Line(self._url, token)
        while await self.going.wait():
            await self._told(line, *self._costly())

    def _handshake(self, token: str) -> bytes:
        return (
            f"GET /api/games/{self._game}/socket HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {token}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        ).encode()

    async def _flood(self, head: Callable[[], bytes], more: bytes) -> None:
        """Keep sending, whatever the server answers."""
        port = int(self._url.rpartition(":")[2])
        while await self.going.wait():
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(FLOODER, 0))
            with suppress(OSError, EOFError):
                writer.write(head())
                while self.going.is_set() and not reader.at_eof():
                    writer.write(more)
                    await writer.drain()
                    self.floods += 1
                    await asyncio.sleep(GAP)
            writer.close()
            await asyncio.sleep(MOMENT)

    async def _told(
        self, line: Line, method: str, path: str, body: object = None
    ) -> tuple[int, dict[str, Any]]:
        """The status and the JSON of an answer; the status is 0 if the connection broke."""
        try:
            status, data = await line.ask(method, path, body)
        except (OSError, EOFError):
            line.close()
            status, data = 0, b""
        self.statuses[status] += 1
        return status, json.loads(data) if data.startswith(b"{") else {}

    def _costly(self) -> tuple[str, str, object]:
        """A request that is expensive compared with its charge, according to benchmarks/route_costs.py."""
        game, rng = f"/api/games/{self._game}", self._rng
        kind = rng.randrange(10)
        if kind == 0:
            return "POST", "/api/games", {**WISH, "opponent": "friend"}
        if kind <= 2:  # a position that is not cached
            digits, cells = rng.sample("123456789", 6), rng.sample(["a1", "a2", "a3"], 3)
            moves = [
                digits[at] + (cells[at // 2] if at % 2 == 0 else cells[at // 2].replace("a", "b"))
                for at in range(rng.randrange(1, 6))
            ]
            return "POST", "/api/analysis", {"variant": "classic", "moves": moves}
        paths = (
            "/api/me", "/api/me/games", "/api/me/statistics", "/api/me/sessions", "/api/catalogue",
            "/api/tutorials/sabotage", "/api/openapi.json", "/", f"/g/{self._game}", f"{game}/picture",
            game, f"{game}/news", f"{game}/past",
        )  # fmt: skip
        return "GET", rng.choice(paths), None


async def attack(url: str) -> None:
    """Attack whenever a line on standard input says "on"; print the statuses received at its end."""
    stranger = Attack(url)
    running = asyncio.create_task(stranger.run())
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    while line := await reader.readline():
        if line == b"on\n":
            stranger.going.set()
        else:
            stranger.going.clear()
    running.cancel()
    print(
        json.dumps(dict(sorted(stranger.statuses.items()))),
        f"and sent {500 * stranger.floods} pings and chunks",
    )


def processor_time(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(
    server: Server, stranger: subprocess.Popen[str], windows: int, seconds: float
) -> list[Window]:
    """Measure moves in alternating windows; prints the server's processor use in both kinds of window."""
    assert stranger.stdin is not None
    assert stranger.stdout is not None
    await asyncio.to_thread(stranger.stdout.readline)
    players = Players(server.url)
    pairs = [asyncio.create_task(players.pair(number)) for number in range(PAIRS)]
    while players.playing < PAIRS or not players.times:
        await asyncio.sleep(1)
    found: list[Window] = []
    used = {"off": 0.0, "on": 0.0}
    for _ in range(windows):
        both: list[list[float]] = []
        for told in used:
            used[told] -= processor_time(server.process.pid)
            stranger.stdin.write(f"{told}\n")
            stranger.stdin.flush()
            players.times = []
            both.append(players.times)
            done, _ = await asyncio.wait(pairs, timeout=seconds)
            for pair in done:
                pair.result()  # pairs never stop by themselves, so this raises their exception
            used[told] += processor_time(server.process.pid)
        found.append((both[0], both[1]))
    for pair in pairs:
        pair.cancel()
    await asyncio.gather(*pairs, return_exceptions=True)
    calm, stormy = (used[told] / (windows * seconds) for told in ("off", "on"))
    print(f"the server used {calm:.0%} of a processor without the stranger, {stormy:.0%} with")
    return found


def percentile(times: Sequence[float], share: float) -> float:
    """The time within which a share of all moves arrived, in milliseconds."""
    return 1000 * sorted(times)[int(len(times) * share)]


def times_of(windows: Sequence[Window], stormy: bool) -> list[float]:
    """All times of one kind of window: with the stranger, or without."""
    return [took for window in windows for took in window[stormy]]


def factor(windows: Sequence[Window]) -> float:
    """The 99th percentile with the stranger, divided by that without."""
    return percentile(times_of(windows, True), 0.99) / percentile(times_of(windows, False), 0.99)


def report(windows: Sequence[Window]) -> float:
    """Print the measurements, and return the factor."""
    for stormy, name in ((False, "without"), (True, "with")):
        times = times_of(windows, stormy)
        middle, late = percentile(times, 0.5), percentile(times, 0.99)
        print(f"{name}: {len(times)} moves, p50 {middle:.1f} ms, p99 {late:.1f} ms")
    rng = Random(1)
    drawn = sorted(factor(rng.choices(windows, k=len(windows))) for _ in range(1000))
    found = factor(windows)
    print(f"factor {found:.2f} (90% of resamplings: {drawn[50]:.2f} to {drawn[949]:.2f}), goal: below 2")
    return found


def main() -> int:
    """Measure; the exit code tells whether the goal was reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--windows", type=int, default=10, help="the number of windows of each kind")
    parser.add_argument("--seconds", type=float, default=5.0, help="the length of each window")
    parser.add_argument("--attack", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.attack:
        asyncio.run(attack(options.attack))
        return 0
    from digit_duel.web.settings import Settings

    defaults = {name: getattr(Settings(), name) for name in DEFAULTS}
    with TemporaryDirectory() as folder, running_server(Path(folder), **defaults) as server:
        command = [sys.executable, __file__, "--attack", server.url]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as stranger:
            try:
                windows = asyncio.run(measure(server, stranger, options.windows, options.seconds))
                print("the stranger received", stranger.communicate(timeout=30)[0].strip())
            finally:
                stranger.kill()
    return 0 if report(windows) < 2 else 1


if __name__ == "__main__":
    sys.exit(main())
