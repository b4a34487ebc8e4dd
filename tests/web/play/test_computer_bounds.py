"""House rules of strangers: solved in a separate process, within limits, or refused (E6)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.web.client import Client
from tests.web.played import opened, play_on, seated
from tests.web.server import Server, running_server

from digit_duel.core.game import Seat
from digit_duel.web.analysis.analysis_process import Gone, TooBigToAnalyse, TooLong
from digit_duel.web.play.computer import Computer

QUICK = {"places": "2"}
TOO_BIG = [("sabotage", {"places": "6"}), ("battle", {"pool": "1-9x3"})]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("server"), analysis_seconds=20) as running:
        yield running


def opening(person: Client, variant: str, level: str, settings: dict[str, str]) -> Any:
    wanted = {"variant": variant, "opponent": "computer", "level": level, "settings": settings}
    return person.ask("POST", "/api/games", wanted)


@pytest.mark.parametrize("level", ["random", "sensible", "careful", "sharp", "perfect"])
def test_the_computer_plays_small_rules_of_ones_own_at_any_level(server: Server, level: str) -> None:
    with Client(server.url) as anna:
        game = opening(anna, "sabotage", level, QUICK).body["game"]
        anna.join(game)
        until = time.monotonic() + 60
        while (view := anna.look(game))["phase"] != "over":
            assert time.monotonic() < until
            if view["turn"]:
                assert anna.move(game, view["moves"][-1], version=view["version"]).code == "ok"
        assert view["result"] is not None


def test_a_battle_with_every_digit_twice_is_small_enough_for_the_perfect_computer(server: Server) -> None:
    with Client(server.url) as anna:
        assert opening(anna, "battle", "perfect", {"pool": "1-9x2"}).status == 201


@pytest.mark.parametrize(("variant", "settings"), TOO_BIG)
def test_rules_that_are_too_big_are_refused_for_levels_that_look_ahead(
    server: Server, variant: str, settings: dict[str, str]
) -> None:
    """E6: levels that follow the tips accept any rules, and nobody else waits."""
    with Client(server.url) as anna, Client(server.url) as ben, ThreadPoolExecutor(1) as threads:
        begun = time.monotonic()
        asked = threads.submit(opening, anna, variant, "perfect", settings)
        longest = 0.0
        while not asked.done():
            sent = time.monotonic()
            assert ben.http.get("/healthz").status_code == 200
            longest = max(longest, time.monotonic() - sent)
        took = time.monotonic() - begun
        assert took < 2 or longest < took / 2  # a refusal that comes at once holds nobody up
        refused = asked.result()
        assert (refused.status, refused.code) == (400, "bad_request")
        assert refused.body["message"] == (
            "With these rules the game is too big for a computer that looks ahead: choose random or sensible."
        )
        assert opening(anna, variant, "careful", settings).status == 400
        assert opening(anna, variant, "sensible", settings).status == 201


def test_what_was_solved_for_strangers_is_not_left_on_the_disk(server: Server) -> None:
    """E6: nobody can fill the disk by asking for more and more rules."""
    with Client(server.url) as anna:
        assert opening(anna, "sabotage", "perfect", {"places": "3"}).status == 201
    folder = Path(server.database).parent
    assert not list(folder.rglob("*.ddpt"))
    assert not list(folder.rglob("*.ddvf"))


@pytest.mark.parametrize("trouble", [TooLong(), Gone(), TooBigToAnalyse()])
def test_a_computer_that_cannot_solve_its_rules_still_moves(
    monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    """E6: if an older version opened the game, or solving takes too long, it follows the tips."""
    online_game = play_on(seated(opened("sabotage", QUICK, "computer"), level="perfect"), Random(1), 1)
    assert online_game.session is not None
    assert online_game.acting == (Seat.SECOND,)
    game = online_game.session.game
    legal = {game.text(move) for move in game.legal(online_game.session.state, Seat.SECOND)}
    computer = Computer(0)

    def ask(*question: object) -> object:
        raise trouble

    monkeypatch.setattr(computer._analysis_process, "ask", ask)
    assert asyncio.run(computer.choose(online_game, Seat.SECOND)) in legal
    computer.stop()
