"""Clocks and claims on several servers and across restarts: F12, F9."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from tests.web.server import Server, running_server
from tests.web.strangers.plain import Stranger, duel
from tests.web.strangers.sockets import Socket


def moved_to(stranger: Stranger, server: Server) -> Stranger:
    """The same person at another server."""
    other = Stranger(server.url)
    other.token = stranger.token
    return other


@pytest.mark.campaign
def test_a_move_after_the_flag_fell_loses_on_time_on_any_server(tmp_path: Path) -> None:
    with running_server(tmp_path) as one, running_server(tmp_path) as other:
        ada, bob, game = duel(one.url)
        assert ada.command(game, 3, "clock", minutes=1).status == 200
        assert bob.command(game, 4, "clock", minutes=1).status == 200
        late = moved_to(ada, other)
        assert late.ask("GET", f"/api/games/{game}").body["clock"]["running"] == 0
        time.sleep(61)
        said = late.command(game, 5, "move", move="9a1")
        assert (said.status, said.body["code"]) == (409, "game_over")
        assert "time is up" in said.body["message"]
        for person in (bob, late):
            view = person.ask("GET", f"/api/games/{game}").body
            assert view["result"]["winner"] == 1
            assert view["result"]["reason"] == "time"


def test_a_clock_runs_from_when_it_was_agreed_on(tmp_path: Path) -> None:
    """Whoever thought for long before is not punished for it, not even after a restart."""
    with running_server(tmp_path) as server:
        ada, bob, game = duel(server.url)
        time.sleep(2)
        assert ada.command(game, 3, "clock", minutes=1).status == 200
        assert bob.command(game, 4, "clock", minutes=1).status == 200
        assert ada.ask("GET", f"/api/games/{game}").body["clock"]["left"][0] > 59_000
    with running_server(tmp_path) as server:
        left = moved_to(ada, server).ask("GET", f"/api/games/{game}").body["clock"]["left"]
        assert 50_000 < left[0] < 60_000
        assert left[1] == 60_000


def test_who_was_seen_a_moment_ago_at_another_server_or_before_a_restart_cannot_be_claimed(
    tmp_path: Path,
) -> None:
    rules: dict[str, Any] = {"claim_after": 3.0, "poll": 0.3}
    with running_server(tmp_path, **rules) as one:
        with running_server(tmp_path, **rules) as other:
            ada, bob, game = duel(one.url)
            assert ada.command(game, 3, "move", move="9a1").status == 200
            with Socket(other.url, game, bob.token) as line:
                line.hear()
                time.sleep(3.5)
                assert ada.command(game, 4, "claim").body["code"] == "illegal_move", "Bob is there"
        assert ada.command(game, 4, "claim").body["code"] == "illegal_move", "Bob was there a moment ago"
    with running_server(tmp_path, **rules) as one:
        again = moved_to(ada, one)
        assert again.command(game, 4, "claim").body["code"] == "illegal_move", "the store remembers it"
        time.sleep(3.5)
        assert again.command(game, 4, "claim").status == 200
