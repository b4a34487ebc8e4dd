"""Servers killed while people play: nothing that anybody was told is lost (SAFETY F1, F2, F12; R1)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from tests.web.checker import Acked, check, read_log
from tests.web.client import Client, pair, seated
from tests.web.killing import AT_RANDOM, POINTS, Siege
from tests.web.nest import Nest
from tests.web.raw import RawSocket
from tests.web.server import running_server

CYCLES = int(os.environ.get("DIGIT_DUEL_KILLS", "30"))  # of each slow test


@pytest.fixture(scope="module")
def nest() -> Iterator[Nest]:
    with Nest() as warm:
        yield warm


def database_of(store: str, folder: Path, new_database: Callable[[], str]) -> str:
    return str(folder / "server.sqlite3") if store == "sqlite" else new_database()


def test_servers_die_at_every_point_and_nobody_was_told_anything_wrong(nest: Nest, tmp_path: Path) -> None:
    """F1, R1: every move that was acknowledged is there once, and none that anybody saw is missing."""
    tally = Siege(nest, str(tmp_path / "server.sqlite3"), tmp_path, 1, "quick").run(6, 8)
    assert tally.deaths == {AT_RANDOM: 2, **dict.fromkeys(POINTS, 1)}
    assert tally.acked > 30
    assert tally.repeats > 0, "no acknowledgement was lost"


@pytest.mark.slow
@pytest.mark.parametrize(("store", "servers"), [("sqlite", 1), ("sqlite", 2), ("postgres", 2)])
def test_servers_die_again_and_again_and_nothing_is_lost(
    nest: Nest, tmp_path: Path, new_database: Callable[[], str], store: str, servers: int
) -> None:
    """F1, F12, R1: DIGIT_DUEL_KILLS says how often; with two servers the games go on at the other one."""
    database = database_of(store, tmp_path, new_database)
    tally = Siege(nest, database, tmp_path, servers, f"{store} {servers}").run(CYCLES, 16)
    assert tally.cycles == CYCLES
    assert set(tally.deaths) == {AT_RANDOM, *POINTS}
    assert tally.acked > 5 * CYCLES
    assert tally.repeats > 0


def test_a_move_that_was_kept_but_not_acknowledged_is_told_again(tmp_path: Path) -> None:
    """F1: killed between commit and answer; the same request under the same id gets ok_repeat, always."""
    env = {"DIGIT_DUEL_CRASH_AT": "after_commit:6"}  # two sessions, a game, two seats; then the move
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


def test_what_was_acknowledged_and_perhaps_not_yet_shown_is_shown_later(tmp_path: Path) -> None:
    """F2: killed as soon as the answer is there; the other seat resumes from what it had, and sees it."""
    with running_server(tmp_path) as first:
        anna, ben = pair(first.url)
        with anna, ben:
            game = seated(anna, ben, "classic")
            assert anna.move(game, "9a1", version=3).code == "ok"
            first.kill()
    bearer = [("Authorization", f"Bearer {ben.token}")]
    with (
        running_server(tmp_path, port=first.port) as second,
        RawSocket(second.port, f"/api/games/{game}/socket?after=3", bearer) as line,
    ):
        view = line.hear("view")["view"]
        assert [(news["version"], news["move"]) for news in view["news"]] == [(4, "9a1")]
