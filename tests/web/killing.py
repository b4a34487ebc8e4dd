"""Kills servers while people play, and compares acknowledgements with what is stored (KILL of SAFETY)."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random
from typing import Any

import uvloop
from tests.web.checker import Acked, Line, Replica, check, read_log
from tests.web.faulty import Faults, Proxy
from tests.web.fork_server import ForkServer
from tests.web.play.test_faulty_network import Player
from tests.web.raw import replies_in
from tests.web.server import GENEROUS, free_port
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

POINTS = ("before_begin", "after_insert", "before_commit", "after_commit")
AT_RANDOM, UNTIL_THE_END = "at random", "until the end"
KINDS = ("classic", "battle", "cards", "sabotage", "cards", "reverse")
SETTINGS: dict[str, dict[str, str]] = {"cards": {"wins_needed": "1"}}
LONGEST = 0.5  # seconds that a server lives at most, if it dies at random
STUCK = 60.0  # seconds after which a server that does not come to its point is a failure


class Survivor(Player):
    """A player who repeats requests at any server that runs, and notes each request before sending it."""

    def __init__(self, ports: Sequence[int], token: str, replica: Replica, rng: Random, name: str) -> None:
        direct = Proxy(rng.choice(ports), 0, Faults(0, 0, 0, 0), rng)
        Player.__init__(self, direct, token, replica, rng, name)
        self.ports = ports
        self.issued: dict[str, str] = {}
        self.repeats = 0

    async def play(self) -> None:
        while not self.over:
            after = self.replica.versions[-1] if self.replica.versions else 0
            url = f"ws://127.0.0.1:{self.proxy.port}/api/games/{self.replica.game}/socket"
            with suppress(ConnectionClosed, InvalidHandshake, OSError, TimeoutError):
                async with connect(
                    f"{url}?after={after}&seat={self.replica.seat}",
                    additional_headers={"Authorization": f"Bearer {self.token}"},
                    compression=None, ping_interval=None, close_timeout=0.1, proxy=None,
                ) as line:  # fmt: skip
                    await self._talk(line)
            self.proxy.port = self.rng.choice(self.ports)
            await asyncio.sleep(0.01 + 0.02 * self.rng.random())

    async def _hear(self, data: Any) -> bool:
        codes = [reply["code"] for reply in replies_in(json.loads(data))]
        if "busy_retry" in codes:
            return True  # it will be sent again
        self.repeats += codes.count("ok_repeat")
        return await Player._hear(self, data)

    def _decide(self) -> None:
        Player._decide(self)
        if self.pending is not None:
            self.issued[self.pending["id"]] = self.pending["move"]


@dataclass(slots=True)
class Tally:
    """The counts of a run."""

    acked: int = 0
    repeats: int = 0  # acknowledged again, after the first answer was lost
    games: int = 0
    deaths: Counter[str] = field(default_factory=Counter)

    @property
    def cycles(self) -> int:
        """How often a server was killed."""
        return self.deaths.total()


class KillRun:
    """Games on one database whose servers are killed while people play."""

    def __init__(
        self, fork_server: ForkServer, database: str, folder: Path, servers: int, seed: str, latest: int = 24
    ) -> None:
        """A server that dies at a point does so after the latest of so many writes."""
        self.fork_server, self.database, self.folder = fork_server, database, folder
        self.ports = [free_port() for _ in range(servers)]
        self.rng, self.tally = Random(seed), Tally()
        self.log = folder / "server.log"
        self._players: list[Survivor] = []
        self._people: list[str] = []
        self._latest, self._dying = latest, servers

    def run(self, cycles: int, games: int) -> Tally:
        """Kill so many times, and let everybody come to the end of their game."""
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(self._run(cycles, games))
        self.verify()
        assert all(player.over for player in self._players)
        assert "unforeseen" not in self.log.read_text(), self.log.read_text()
        self.tally.acked = sum(len(player.acks) for player in self._players)
        self.tally.repeats = sum(player.repeats for player in self._players)
        self.tally.games = len(self._players) // 2
        return self.tally

    async def _run(self, cycles: int, games: int) -> None:
        share = [cycles // len(self.ports) + (at < cycles % len(self.ports)) for at in range(len(self.ports))]
        async with asyncio.TaskGroup() as group:
            lives = [
                group.create_task(self._lives(port, list(self._fates(deaths))))
                for port, deaths in zip(self.ports, share, strict=True)
            ]
            for _ in range(2):
                self._people.append((await self._ask(None, "/api/sessions", {"bearer": True}))["token"])
            kinds = [KINDS[at % len(KINDS)] for at in range(games)]
            await asyncio.gather(*(self._play_on(kind) for kind in kinds))
            for life in lives:
                life.cancel()  # the last servers live until the last game is over

    def _fates(self, deaths: int) -> Iterator[str]:
        """Where servers are killed: at each point in turn, and every third one at a random time."""
        for at in range(deaths):
            if at % 3 == 2:
                yield AT_RANDOM
            else:
                point = POINTS[(at - at // 3) % len(POINTS)]
                yield f"{point}:{self.rng.randint(1, self._latest)}"

    async def _lives(self, port: int, fates: Sequence[str]) -> None:
        """One server after the other at a port; the last one is not killed before the end."""
        settings = {"database": self.database, "key_file": str(self.folder / "key"), **GENEROUS}
        for fate in (*fates, UNTIL_THE_END):
            crash_at = fate if ":" in fate else None
            server = self.fork_server.start(settings, port, crash_at, self.log)
            try:
                if fate == UNTIL_THE_END:
                    self._dying -= 1
                    await asyncio.Event().wait()
                elif fate == AT_RANDOM:
                    await asyncio.sleep(self.rng.random() * LONGEST)
                else:
                    async with asyncio.timeout(STUCK):
                        while not server.died():
                            await asyncio.sleep(0.002)
            finally:
                server.kill()
                server.close()
            self.tally.deaths[fate.partition(":")[0]] += 1
            self.verify()

    def verify(self) -> None:
        """Everything acknowledged so far is stored once, and nothing is stored that nobody asked for."""
        logs = read_log(self.database) if self._players else {}
        acks: list[Acked] = [ack for player in self._players for ack in player.acks]
        check(logs, acks, [player.replica for player in self._players])
        for player in self._players:
            mine = [line for line in logs[player.replica.game] if line.seat == player.replica.seat]
            kept = {line.client: line.body["move"] for line in mine if _moved(line)}
            assert kept.items() <= player.issued.items()

    async def _play_on(self, kind: str) -> None:
        """Game after game."""
        while self._dying:
            game = await self._begin(kind)
            pair = []
            for seat in (0, 1):
                name = f"p{len(self._players)}"
                rng = Random(f"{self.rng.random()}")
                pair.append(Survivor(self.ports, self._people[seat], Replica(game, seat), rng, name))
                self._players.append(pair[-1])
            await asyncio.gather(*(player.play() for player in pair))

    async def _begin(self, kind: str) -> str:
        """A game that two people have begun although servers are killed."""
        anna, ben = self._people
        wanted = {"variant": kind, "opponent": "friend", "settings": SETTINGS.get(kind, {})}
        opened = await self._ask(anna, "/api/games", wanted)
        path = f"/api/games/{opened['game']}/join"
        secret = opened["invite"]["url"].partition("#")[2]
        await self._ask(anna, path, {"name": "Anna"})
        await self._ask(ben, path, {"name": "Ben", "invite": secret})
        return str(opened["game"])

    async def _ask(self, token: str | None, path: str, body: Any) -> dict[str, Any]:
        """Ask until there is an answer."""
        async with asyncio.timeout(STUCK):
            while True:
                try:
                    status, found = await asyncio.to_thread(
                        _post, self.rng.choice(self.ports), token, path, json.dumps(body)
                    )
                except (OSError, HTTPException):
                    await asyncio.sleep(0.02)
                    continue
                if found["code"] != "busy_retry":
                    assert status in (200, 201), found
                    return found


def _post(port: int, token: str | None, path: str, body: str) -> tuple[int, dict[str, Any]]:
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    with closing(HTTPConnection("127.0.0.1", port, timeout=10)) as line:
        line.request("POST", path, body, headers)
        answer = line.getresponse()
        return answer.status, json.loads(answer.read())


def _moved(line: Line) -> bool:
    return bool(line.body["kind"] == "move")
