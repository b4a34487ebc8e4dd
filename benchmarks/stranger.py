"""How much a stranger who spends everything the limits allow slows others down.

Fifty pairs play classic over sockets, each pair from an address of its own. The stranger has one address,
fifty connections and thirty identities, and asks for what costs most, as fast as answers come. The server has
its default limits. Prints the 50th and 99th percentile of the time from a move until the other player has it,
without and with the stranger. Goal: the 99th grows by less than a factor of 2.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

PAIRS, CONNECTIONS, IDENTITIES = 50, 50, 30
PAUSE = 0.7  # seconds between the moves of a pair
MOVES = ("9a1", "8b1", "7a2", "6b2", "5a3", "4b3")
STRANGER = "127.0.0.2"


def client(url: str, source: str, token: str | None = None) -> httpx.AsyncClient:
    """Somebody at an address."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    transport = httpx.AsyncHTTPTransport(local_address=source)
    return httpx.AsyncClient(base_url=url, transport=transport, headers=headers, timeout=60, trust_env=False)


async def sit(url: str, source: str, path: str, **wish: Any) -> dict[str, Any]:
    """Ask for a seat in a new session."""
    async with client(url, source) as http:
        answer = await http.post(path, json={"bearer": True, **wish})
        answer.raise_for_status()
        found: dict[str, Any] = answer.json()
        return found


async def version(line: ClientConnection, wanted: int) -> None:
    """Wait until a socket has told of a version."""
    while True:
        message = json.loads(await line.recv())
        if message["type"] == "view" and message["view"]["version"] >= wanted:
            return


async def pair(url: str, number: int, until: float, times: list[float]) -> None:
    """Play game after game, and note how long each move takes to the other player."""
    source = f"127.1.0.{number + 1}"
    await asyncio.sleep(PAUSE * number / PAIRS)
    while monotonic() < until:
        opened = await sit(url, source, "/api/games", variant="classic", opponent="friend", name="Ada")
        game, secret = opened["game"], opened["invite"]["url"].partition("#")[2]
        joined = await sit(url, source, f"/api/games/{game}/join", name="Bob", invite=secret)
        address = f"{url.replace('http', 'ws')}/api/games/{game}/socket"
        lines = [
            await connect(
                address, additional_headers={"Authorization": f"Bearer {token}"}, proxy=None,
                local_addr=(source, 0),
            )
            for token in (opened["token"], joined["token"])
        ]  # fmt: skip
        for at, move in enumerate(MOVES):
            await asyncio.sleep(PAUSE)
            began, mover = monotonic(), lines[at % 2]
            body = {"type": "command", "id": str(at), "version": 3 + at, "do": "move", "move": move}
            await mover.send(json.dumps(body))
            await version(lines[1 - at % 2], 4 + at)
            times.append(monotonic() - began)
        for line in lines:
            await line.close()


async def attack(url: str, seconds: float) -> Counter[int]:
    """Spend everything that the limits allow, and return the statuses that came back."""
    people = [await sit(url, STRANGER, "/api/sessions") for _ in range(IDENTITIES)]
    wish = {"variant": "sabotage", "opponent": "same_device", "name": "Ada", "second_name": "Bob"}
    opened = await sit(url, STRANGER, "/api/games", **wish)
    game, statuses, rng = opened["game"], Counter[int](), Random(1)
    costly = (
        f"/api/games/{game}/past",
        f"/api/games/{game}",
        "/api/me",
        "/api/catalogue",
        f"/api/games/{game}/news",
    )
    until = monotonic() + seconds

    async def to_and_fro() -> None:
        async with client(url, STRANGER, opened["token"]) as http:
            at = 3
            while monotonic() < until:
                for do, more in (("move", {"move": "9a1"}), ("takeback", {})):
                    body = {"id": f"{do}{at}", "version": at, "do": do, "seat": 0, **more}
                    answer = await http.post(f"/api/games/{game}/commands", json=body)
                    statuses[answer.status_code] += 1
                    at = answer.json().get("version") or at

    async def ask(number: int) -> None:
        token = people[number % IDENTITIES]["token"]
        async with client(url, STRANGER, token) as http:
            while monotonic() < until:
                if rng.random() < 0.1:
                    answer = await http.post("/api/games", json={**wish, "opponent": "friend"})
                else:
                    answer = await http.get(rng.choice(costly))
                statuses[answer.status_code] += 1

    await asyncio.gather(to_and_fro(), *(ask(number) for number in range(CONNECTIONS - 1)))
    return statuses


async def play(url: str, seconds: float) -> list[float]:
    """The times of all moves of fifty pairs."""
    times: list[float] = []
    until = monotonic() + seconds
    await asyncio.gather(*(pair(url, number, until, times) for number in range(PAIRS)))
    return sorted(times)


def told(name: str, times: list[float]) -> float:
    """Print two percentiles in milliseconds, and return the later one."""
    middle, late = (1000 * times[int(len(times) * share)] for share in (0.5, 0.99))
    print(f"{name}: {len(times)} moves, p50 {middle:.1f} ms, p99 {late:.1f} ms")
    return late


def main() -> int:
    """Measure both, and say whether the goal was reached."""
    from tests.web.server import running_server

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--attack", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.attack:
        print(json.dumps(asyncio.run(attack(options.attack, options.seconds))))
        return 0
    from digit_duel.web.settings import Settings

    limits = (
        "asks_per_second", "asks_per_person", "opens_per_minute", "moves_per_second", "events_per_second",
        "views_per_second", "refusal_delay", "sockets_per_person", "sockets_per_address",
        "most_waiting_games",
    )  # fmt: skip
    defaults = {name: getattr(Settings(), name) for name in limits}
    with TemporaryDirectory() as folder, running_server(Path(folder), **defaults) as server:
        calm = told("without", asyncio.run(play(server.url, options.seconds)))
        wanted = [sys.executable, __file__, "--attack", server.url, "--seconds", str(options.seconds + 5)]
        with subprocess.Popen(wanted, stdout=subprocess.PIPE, text=True) as stranger:
            stormy = told("with", asyncio.run(play(server.url, options.seconds)))
            print("the stranger heard", stranger.communicate()[0].strip())
    print(f"factor {stormy / calm:.2f}, goal: below 2")
    return 0 if stormy < 2 * calm else 1


if __name__ == "__main__":
    sys.exit(main())
