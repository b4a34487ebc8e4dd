"""Connections: descriptors, one address, readers who do not read: E3, E4, E8."""

from __future__ import annotations

import json
import resource
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.web.server import Server, running_server, until
from tests.web.strangers.plain import Stranger, duel
from tests.web.strangers.sockets import Socket, Stream

MOST_EACH = 100  # KiB
NARROW = 4096  # bytes that a client takes before it stops reading


def lines(server: Server, message: str) -> list[dict[str, object]]:
    """The lines of a server's log with a message."""
    found = [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
    return [line for line in found if line["message"] == message]


def test_the_limit_of_descriptors_is_raised_and_stated(tmp_path: Path) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    low = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (256, resource.getrlimit(7)[1]))"
    with running_server(tmp_path, before=low) as server:
        found = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
        assert found[0] == min(hard, 1 << 20)
        assert [line["descriptors"] for line in lines(server, "limits")] == [found[0]]


def test_when_the_server_is_full_players_still_get_in(tmp_path: Path) -> None:
    limits = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))"
    with running_server(tmp_path, before=limits, reserved_for_players=0.5) as server, ExitStack() as stack:
        ada, bob, game = duel(server.url)
        watcher = Stranger(server.url).begin()
        statuses = []
        for _ in range(45):
            line = stack.enter_context(Socket(server.url, game, watcher.token))
            statuses.append(line.status)
        assert statuses[:35].count(101) == 35
        assert statuses[-1] == 503
        for player in (ada, bob):
            assert stack.enter_context(Socket(server.url, game, player.token)).status == 101


def test_a_request_for_the_headers_of_a_stream_does_not_follow_the_game(tmp_path: Path) -> None:
    """It has no body to wait for, so it must neither hang nor count as a player who is there."""
    with running_server(tmp_path) as server:
        ada, bob, game = duel(server.url)
        for person in (Stranger(server.url), ada):
            said = person.ask("HEAD", f"/api/games/{game}/events")
            assert (said.status, said.size) == (200, 0)
            assert said.headers["content-type"].startswith("text/event-stream")
            # On the same connection, so the first answer has ended.
            assert person.ask("GET", "/healthz").status == 200
        assert [player["here"] for player in bob.ask("GET", f"/api/games/{game}").body["players"]] == [
            False,
            False,
        ]


def unread(server: Server, number: int) -> int:
    """By how many KiB a server grows with so many streams that nobody reads."""
    with Stranger(server.url) as ada, ExitStack() as stack:
        ada.begin()
        wish = {"variant": "sabotage", "opponent": "same_device", "name": "Ada", "second_name": "Bob"}
        game = ada.ask("POST", "/api/games", wish).body["game"]
        view = ada.ask("GET", f"/api/games/{game}").body
        before = server.resident
        for _ in range(number):
            stack.enter_context(Stream(server.url, game, ada.token, receive=NARROW))
        until(lambda: f"digit_duel_connections {number}.0" in ada.ask("GET", "/metrics").body.decode(), 60)
        version, move, largest = view["version"], view["moves"][0], 0
        for _ in range(45):
            ada.command(game, version, "move", move=move, seat=0)
            ada.command(game, version + 1, "takeback", seat=0)
            version += 2
            largest = max(largest, server.resident)
            time.sleep(0.02)
        return largest - before


def test_streams_that_nobody_reads_hold_little_memory(tmp_path: Path) -> None:
    """A stream holds 16 KiB of what is unsent, one view, and its own objects."""
    with running_server(tmp_path) as server:
        assert unread(server, 100) < 100 * MOST_EACH


@pytest.mark.campaign
def test_a_thousand_streams_that_nobody_reads_hold_less_than_100_megabytes(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        assert unread(server, 1000) < 100_000
