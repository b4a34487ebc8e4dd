"""Clocks and claims on several servers and across restarts: F12, F9."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from tests.web.server import Server, running_server, until
from tests.web.strangers.plain import Stranger, duel
from tests.web.strangers.sockets import Socket, Stream

CLAIM_AFTER = 3.0  # seconds
CLOCK = """
import time
true = time.time
def shifted():
    with open({path!r}) as file:
        return true() + float(file.read())
time.time = shifted
"""  # run before a server: its wall clock is off by as much as a file says


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
        for person in (bob, late):
            person.close()  # the server has ended idle connections; the next request dials again
        said = late.command(game, 5, "move", move="9a1")
        assert (said.status, said.body["code"]) == (409, "game_over")
        assert "time is up" in said.body["message"]
        for person in (bob, late):
            view = person.ask("GET", f"/api/games/{game}").body
            assert view["result"]["winner"] == 1
            assert view["result"]["reason"] == "time"


def test_a_clock_runs_from_when_it_was_agreed_on(tmp_path: Path) -> None:
    """Time spent before that does not count, not even after a restart."""
    with running_server(tmp_path) as server:
        ada, bob, game = duel(server.url)
        time.sleep(2)
        assert ada.command(game, 3, "clock", minutes=1).status == 200
        began = time.monotonic()
        assert bob.command(game, 4, "clock", minutes=1).status == 200
        left = ada.ask("GET", f"/api/games/{game}").body["clock"]["left"]
        assert 60_000 - 1000 * (time.monotonic() - began) <= left[0] <= 60_000
    served = time.monotonic() - began
    began = time.monotonic()
    with running_server(tmp_path) as server:
        left = moved_to(ada, server).ask("GET", f"/api/games/{game}").body["clock"]["left"]
        served += time.monotonic() - began
        assert 60_000 - 1000 * served <= left[0] < 60_000
        assert left[1] == 60_000


def test_an_opponent_seen_recently_on_another_server_or_before_a_restart_cannot_be_claimed(
    tmp_path: Path,
) -> None:
    rules: dict[str, Any] = {"claim_after": CLAIM_AFTER, "poll": 0.3}
    with running_server(tmp_path, **rules) as one, running_server(tmp_path, **rules) as other:
        ada, bob, game = duel(one.url)
        assert ada.command(game, 3, "move", move="9a1").status == 200
        with Socket(other.url, game, bob.token) as line:
            line.hear()
            time.sleep(CLAIM_AFTER + 0.5)
            assert ada.command(game, 4, "claim").body["code"] == "illegal_move", "Bob is there"
            left = time.monotonic()
        early = ada.command(game, 4, "claim").body["code"]
        assert early == "illegal_move" or time.monotonic() - left > CLAIM_AFTER, "Bob left a moment ago"
    with running_server(tmp_path, **rules) as one:
        again = moved_to(ada, one)
        early = again.command(game, 4, "claim").body["code"]
        assert early == "illegal_move" or time.monotonic() - left > CLAIM_AFTER, "the store remembers it"
        until(lambda: again.command(game, 4, "claim").status == 200)


@pytest.mark.parametrize("jump", [3600, -3600])
def test_a_clock_that_jumps_lets_nobody_claim_from_an_opponent_at_another_server(
    tmp_path: Path, jump: int
) -> None:
    """G1: after the jump the other server looks as if it were gone, until it says otherwise."""
    offset = tmp_path / "offset"
    offset.write_text("0")
    rules: dict[str, Any] = {"claim_after": CLAIM_AFTER, "poll": 0.3}
    rules["before"] = CLOCK.format(path=str(offset))
    with running_server(tmp_path, **rules) as one, running_server(tmp_path, **rules) as other:
        ada, bob, game = duel(one.url)
        assert ada.command(game, 3, "move", move="9a1").status == 200
        with Stream(other.url, game, bob.token):
            time.sleep(CLAIM_AFTER + 0.5)
            offset.with_name("next").write_text(str(jump))
            offset.with_name("next").replace(offset)
            end = time.monotonic() + CLAIM_AFTER + 1
            while time.monotonic() < end:
                assert ada.command(game, 4, "claim").body["code"] == "illegal_move", "Bob is there"
        left = time.monotonic()
        until(lambda: ada.command(game, 4, "claim").status == 200)
        assert time.monotonic() - left > CLAIM_AFTER - 1
