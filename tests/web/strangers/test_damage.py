"""Sockets and streams refuse damaged games as documented, as every other route does: F14."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.web.server import Server, running_server
from tests.web.strangers.plain import Stranger, duel
from tests.web.strangers.sockets import Socket

NEVER = 600.0  # seconds between polls: nothing but a request finds what another server wrote


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with running_server(tmp_path, poll=NEVER) as found:
        yield found
        said = [json.loads(line)["message"] for line in found.log.read_text().splitlines()]
        assert "unforeseen" not in said


def damage(server: Server, statement: str, *values: object) -> None:
    """Write into the database behind the server's back."""
    with closing(sqlite3.connect(server.database)) as link:
        assert link.execute(statement, values).rowcount >= 1
        link.commit()


def test_a_damaged_session_is_refused_on_every_way_in(server: Server) -> None:
    ada, bob, game = duel(server.url)
    invalid = "CAST(x'ff' AS TEXT)"  # which is not UTF-8
    damage(server, f"UPDATE sessions SET person = {invalid} WHERE person = (SELECT owner FROM games)")
    for path in (f"/api/games/{game}", f"/api/games/{game}/events"):
        said = ada.ask("GET", path)
        assert (said.status, said.body["code"], said.headers["retry-after"]) == (503, "busy_retry", "1")
    with Socket(server.url, game, ada.token) as socket:
        assert socket.status == 503
    with Socket(server.url, game, bob.token) as socket:
        assert socket.status == 101, "the others play on"


def damaged_move(server: Server, game: str) -> None:
    """Let another server write a move whose digest is wrong."""
    damage(
        server,
        "INSERT INTO events (game, version, seat, client, body, digest, at) "
        "SELECT game, 4, 0, 'x', body, 'wrong', at FROM events WHERE game = ? AND version = 3",
        game,
    )
    damage(server, "UPDATE games SET version = 4 WHERE id = ?", game)


def test_a_game_that_is_damaged_while_it_is_played_is_refused_over_the_socket(server: Server) -> None:
    ada, bob, game = duel(server.url)
    with Socket(server.url, game, ada.token) as socket:
        assert socket.hear()[1]["type"] == "view"
        damaged_move(server, game)
        for attempt in ("first", "second"):
            socket.say(type="command", id=attempt, version=3, do="move", move="9a1")
            said = socket.hear()[1]
            assert (said["type"], said["id"], said["code"]) == ("reply", attempt, "not_found")
        socket.say(type="ping")
        assert socket.hear()[1]["type"] == "pong"
    with Socket(server.url, game, bob.token) as again:
        assert again.status == 404
    assert bob.ask("GET", f"/api/games/{game}/events").body["code"] == "not_found"


@pytest.mark.parametrize("version", [3, 4])
def test_a_game_that_is_damaged_while_it_is_played_is_refused_by_post(server: Server, version: int) -> None:
    ada, _, game = duel(server.url)
    damaged_move(server, game)
    said = ada.command(game, version, "move", move="9a1")
    assert (said.status, said.body["code"]) == (404, "not_found")
    with Stranger(server.url).begin() as carol:
        other = carol.ask(
            "POST", "/api/games", {"variant": "classic", "opponent": "computer", "name": "Carol"}
        )
        assert other.status == 201, "other games are served"
