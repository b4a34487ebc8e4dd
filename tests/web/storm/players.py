"""Pairs who play game after game through the proxy, each pair from an address of its own."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from random import Random
from typing import Any

from tests.web.checker import Replica
from tests.web.killing import KINDS, SETTINGS, Survivor
from tests.web.raw import replies_in
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

PACE = 0.25  # seconds before a move, on average
AGAIN = 2.0  # seconds without an answer, after which a command is sent again
SILENCE = 8.0  # seconds without a word, after which a line is taken for dead
REFUSED = {429: "rate_limited", 503: "busy_retry"}  # the documented refusals that ask to come again


class Said:
    """Records what all players were told: statuses, and answers that should never occur."""

    def __init__(self) -> None:
        self.statuses: Counter[int] = Counter()
        self.wrong: list[str] = []

    def note(self, where: str, status: int, body: bytes) -> bool:
        """Record an answer; return whether it asks to retry."""
        self.statuses[status] += 1
        if status in REFUSED:
            try:
                code = json.loads(body)["code"]
            except (ValueError, KeyError):
                code = None
            if code != REFUSED[status]:
                self.wrong.append(f"{where}: {status} {body[:100]!r}")
            return True
        if status >= 500:
            self.wrong.append(f"{where}: {status} {body[:100]!r}")
        return False


class StormPlayer(Survivor):
    """A seat at a game; asks again more and more slowly, as the page does."""

    address = "127.0.0.1"
    said: Said

    async def play(self) -> None:
        pause = 0.2
        while not self.over:
            after = self.replica.versions[-1] if self.replica.versions else 0
            url = f"ws://127.0.0.1:{self.proxy.port}/api/games/{self.replica.game}/socket"
            try:
                async with connect(
                    f"{url}?after={after}&seat={self.replica.seat}", local_addr=(self.address, 0),
                    additional_headers={"Authorization": f"Bearer {self.token}"},
                    compression=None, ping_interval=None, close_timeout=0.1, proxy=None,
                ) as line:  # fmt: skip
                    pause = 0.2
                    self.said.statuses[101] += 1
                    await self._talk(line)
            except InvalidStatus as refused:
                response = refused.response
                self.said.note("socket", response.status_code, bytes(response.body or b""))
            except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError):
                self.said.statuses[0] += 1
            await asyncio.sleep(pause * self.rng.random())
            pause = min(2 * pause, 3.0)

    async def _talk(self, line: ClientConnection) -> None:
        """Pause, send and receive until the connection seems dead or something is missing."""
        silent = 0.0
        while not self.over and silent < SILENCE:
            if self.pending is not None:
                await asyncio.sleep(2 * PACE * self.rng.random())
                await line.send(json.dumps(self.pending))
            waiting = self.pending
            try:
                async with asyncio.timeout(AGAIN):
                    while self.pending is waiting:
                        if not await self._hear(await line.recv()):
                            return  # a gap: ask again from where we are
                        silent = 0.0
            except TimeoutError:
                silent += AGAIN

    async def _hear(self, data: Any) -> bool:
        if any(reply["code"] in REFUSED.values() for reply in replies_in(json.loads(data))):
            self.said.statuses[503] += 1
            return True  # it will be sent again
        return await Survivor._hear(self, data)


class Pair:
    """Two people at one address."""

    def __init__(self, port: int, number: int, said: Said) -> None:
        self.port, self.said = port, said
        self.address = f"127.0.1.{number + 1}"
        self.rng = Random(number)
        self.players: list[StormPlayer] = []
        self.stopping = False

    async def play(self) -> None:
        """Play until asked to stop, and then to the end of the game."""
        people = [str((await self._ask(None, "/api/sessions", {"bearer": True}))["token"]) for _ in range(2)]
        while not self.stopping:
            kind = self.rng.choice(KINDS)
            game = await self._begin(kind, people)
            pair = []
            for seat, token in enumerate(people):
                name = f"p{len(self.players)}"
                player = StormPlayer(
                    [self.port], token, Replica(game, seat), Random(f"{self.address} {name}"), name
                )
                player.address, player.said = self.address, self.said
                pair.append(player)
                self.players.append(player)
            await asyncio.gather(*(player.play() for player in pair))

    async def _begin(self, kind: str, people: list[str]) -> str:
        """A game of the two, asked for until it is there."""
        while True:
            wish = {"variant": kind, "opponent": "friend", "settings": SETTINGS.get(kind, {})}
            opened = await self._ask(people[0], "/api/games", wish)
            path = f"/api/games/{opened['game']}/join"
            secret = opened["invite"]["url"].partition("#")[2]
            joined = [
                await self._ask(people[0], path, {"name": "Anna"}),
                await self._ask(people[1], path, {"name": "Ben", "invite": secret}),
            ]
            if all("seat" in answer for answer in joined):
                return str(opened["game"])

    async def _ask(self, token: str | None, path: str, body: object) -> dict[str, Any]:
        """Ask until there is an answer."""
        while True:
            try:
                status, data = await asyncio.to_thread(self._post, token, path, json.dumps(body))
            except (OSError, HTTPException):
                self.said.statuses[0] += 1
                await asyncio.sleep(0.5)
                continue
            if self.said.note(path, status, data):
                await asyncio.sleep(1 + self.rng.random())
                continue
            found: dict[str, Any] = json.loads(data)
            if status not in (200, 201):
                self.said.wrong.append(f"{path}: {status} {data[:100]!r}")
            return found

    def _post(self, token: str | None, path: str, body: str) -> tuple[int, bytes]:
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        source = (self.address, 0)
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=20, source_address=source)) as line:
            line.request("POST", path, body, headers)
            answer = line.getresponse()
            return answer.status, answer.read()
