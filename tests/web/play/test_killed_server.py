"""Servers killed while people play: nothing acknowledged or shown is lost (SAFETY F1, F2, F12; R1)."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import random
from typing import Any

import httpx
import pytest
import uvloop
from tests.web.checker import Acked, check, read_log
from tests.web.client import Client, bearer, pair, seated
from tests.web.fork_server import ForkedServer, ForkServer, allow_many_files
from tests.web.killing import AT_RANDOM, POINTS, KillRun
from tests.web.raw import RawSocket
from tests.web.server import GENEROUS, free_port, running_server
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

CYCLES = int(os.environ.get("DIGIT_DUEL_KILLS", "30"))  # of each slow test


@pytest.fixture(scope="module")
def fork_server() -> Iterator[ForkServer]:
    with ForkServer() as warm:
        yield warm


def database_of(store: str, folder: Path, new_database: Callable[[], str]) -> str:
    return str(folder / "server.sqlite3") if store == "sqlite" else new_database()


def test_servers_killed_at_every_point_have_told_nobody_anything_wrong(
    fork_server: ForkServer, tmp_path: Path
) -> None:
    """F1, R1: every move that was acknowledged is there once, and none that anybody saw is missing."""
    kills = KillRun(fork_server, str(tmp_path / "server.sqlite3"), tmp_path, 1, "quick")
    tally = kills.run(6, 8)
    assert tally.deaths == {AT_RANDOM: 2, **dict.fromkeys(POINTS, 1)}
    assert tally.acked > 30
    assert tally.repeats > 0, "no acknowledgement was lost"
    with closing(sqlite3.connect(kills.database)) as link:  # and the checker would have noticed
        link.execute("DELETE FROM events WHERE rowid = (SELECT max(rowid) FROM events WHERE client <> '')")
        link.commit()
    with pytest.raises((AssertionError, LookupError)):
        kills.verify()


@pytest.mark.slow
@pytest.mark.parametrize(("store", "servers"), [("sqlite", 1), ("sqlite", 2), ("postgres", 2)])
def test_servers_killed_again_and_again_lose_nothing(
    fork_server: ForkServer, tmp_path: Path, new_database: Callable[[], str], store: str, servers: int
) -> None:
    """F1, F12, R1: DIGIT_DUEL_KILLS says how often; with two servers the games go on at the other one."""
    database = database_of(store, tmp_path, new_database)
    tally = KillRun(fork_server, database, tmp_path, servers, f"{store} {servers}").run(CYCLES, 16)
    assert tally.cycles == CYCLES
    assert set(tally.deaths) == {AT_RANDOM, *POINTS}
    assert tally.acked > 5 * CYCLES
    assert tally.repeats > 0


def test_a_move_that_was_saved_but_not_acknowledged_is_acknowledged_on_retry(tmp_path: Path) -> None:
    """F1: killed between commit and answer; the same request under the same id gets ok_repeat, always."""
    env = {"DIGIT_DUEL_CRASH_AT": "after_commit:4"}  # a game, two seats, the move
    with running_server(tmp_path, env=env) as first:
        anna, ben = pair(first.url)
        with anna, ben:
            game = seated(anna, ben, "classic")
            with pytest.raises(httpx.TransportError):
                anna.move(game, "9a1", version=3, id="lost")
            assert first.process.wait(30) == 137
    check(read_log(first.database), [wanted := Acked(game, 0, "lost", 4, {"do": "move", "move": "9a1"})])
    with (
        running_server(tmp_path) as second,
        Client(second.url, anna.token) as anna,
        Client(second.url, ben.token) as ben,
    ):
        assert ben.look(game)["version"] == 4
        assert ben.move(game, "8b1", version=4).code == "ok"
        for _ in range(2):
            again = anna.move(game, "9a1", version=3, id="lost")
            assert (again.code, again.body["applied"], again.version) == ("ok_repeat", 4, 5)
        check(read_log(second.database), [wanted])


SILENT = """
from digit_duel.web.play.connected import subscriptions
subscriptions.Subscriptions.notify = lambda self, game_id: None
"""


def test_a_move_that_was_acknowledged_but_not_shown_is_shown_later(tmp_path: Path) -> None:
    """F2: killed between answer and news; the other seat resumes from what it had, and sees it."""
    with running_server(tmp_path, before=SILENT) as first:
        anna, ben = pair(first.url)
        with anna, ben:
            game = seated(anna, ben, "classic")
            with RawSocket(first.port, f"/api/games/{game}/socket", bearer(ben)) as line:
                assert line.hear("view")["view"]["version"] == 3
                assert anna.move(game, "9a1", version=3).code == "ok"
                line.say({"type": "ping"})
                assert line.hear("pong", "view") == {"type": "pong"}, "there was no news before the kill"
                first.kill()
    with (
        running_server(tmp_path, port=first.port) as second,
        RawSocket(second.port, f"/api/games/{game}/socket?after=3", bearer(ben)) as line,
    ):
        view = line.hear("view")["view"]
        assert [(news["version"], news["move"]) for news in view["news"]] == [(4, "9a1")]


@pytest.mark.campaign
@pytest.mark.slow
def test_a_thousand_connections_are_in_sync_soon_after_a_kill(
    fork_server: ForkServer, tmp_path: Path
) -> None:
    """R7, A16: without asking anybody to reload, and with the same boards; the goal is five seconds."""
    allow_many_files()
    port = free_port()
    settings = {"database": str(tmp_path / "server.sqlite3"), **GENEROUS}

    def start() -> ForkedServer:
        return fork_server.start(settings, port, None, tmp_path / "server.log")

    first = start()
    while not first.died() and not is_open(port):
        time.sleep(0.02)
    anna, ben = pair(f"http://127.0.0.1:{port}")
    with anna, ben:
        games = [seated(anna, ben, "classic") for _ in range(50)]
        for game in games:
            assert anna.move(game, "9a1", version=3).code == "ok"
        followers = [Follower(port, game, token) for game in games for token in (anna.token, ben.token) * 10]

        async def storm() -> float:
            await asyncio.gather(*(follower.sync() for follower in followers))
            before = [follower.view["scene"] for follower in followers]
            first.kill()
            began = time.monotonic()
            second = start()
            try:
                await asyncio.gather(*(follower.sync_again() for follower in followers))
                taken = time.monotonic() - began
                assert [follower.view["scene"] for follower in followers] == before
                assert {follower.view["version"] for follower in followers} == {4}
                await asyncio.gather(*(follower.close() for follower in followers))
            finally:
                second.kill()
                second.close()
            return taken

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            assert runner.run(storm()) < 15  # on a machine with much else to do
    first.close()


class Follower:
    """One open page: it has a line, and looks for another when that breaks."""

    def __init__(self, port: int, game: str, token: str | None) -> None:
        self._url = f"ws://127.0.0.1:{port}/api/games/{game}/socket"
        self._headers = {"Authorization": f"Bearer {token}"}
        self._line: ClientConnection | None = None
        self.view: dict[str, Any] = {}

    async def sync(self) -> None:
        """Connect, and see what there is; again and again after random pauses."""
        while True:
            with suppress(ConnectionClosed, InvalidHandshake, OSError, TimeoutError):
                self._line = await connect(
                    self._url,
                    additional_headers=self._headers,
                    compression=None,
                    proxy=None,
                    ping_interval=None,
                )
                self.view = json.loads(await self._line.recv())["view"]
                return
            await asyncio.sleep(0.2 + random())

    async def sync_again(self) -> None:
        """Wait for the line to break, and connect anew."""
        assert self._line is not None
        with suppress(ConnectionClosed):
            while True:
                await self._line.recv()
        self.view = {}
        await asyncio.sleep(random())
        await self.sync()

    async def close(self) -> None:
        """Hang up."""
        assert self._line is not None
        await self._line.close()


def is_open(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/readyz", trust_env=False).status_code == 200
    except httpx.TransportError:
        return False
