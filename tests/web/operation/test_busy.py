"""An unavailable store, seen by clients: nothing is lost, and they are asked to retry (SAFETY F4, F6)."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from tests.disks import fill
from tests.web.checker import Acked, check, read_log
from tests.web.client import Client, bearer, pair, seated
from tests.web.raw import RawSocket
from tests.web.server import Server, running_server

MOVE = {"do": "move", "move": "9a1"}
BUSY = "The server cannot do this now. Nothing was lost; please try again."


def told_to_come_again(anna: Client, ben: Client, game: str) -> None:
    """Check that the answer is busy_retry, and that the game can be seen and is unchanged."""
    reply = anna.command(game, **MOVE, version=3, id="again")
    assert (reply.status, reply.code, reply.body["message"]) == (503, "busy_retry", BUSY)
    assert int(reply.headers["retry-after"]) >= 1
    assert [person.look(game)["version"] for person in (anna, ben)] == [3, 3]


def told_on_a_socket_to_come_again(server: Server, anna: Client, game: str) -> None:
    """The same there, and the socket stays open."""
    with RawSocket(server.port, f"/api/games/{game}/socket", bearer(anna)) as line:
        line.hear("view")
        line.say({"type": "command", "id": "again", "version": 3, **MOVE})
        assert line.hear("reply")["code"] == "busy_retry"
        line.say({"type": "ping"})
        line.hear("pong")


def taken_now(server: Server, anna: Client, ben: Client, game: str) -> None:
    """Check that the same command under the same id is carried out, once, and the game continues."""
    assert anna.command(game, **MOVE, version=3, id="again").code == "ok"
    assert anna.command(game, **MOVE, version=3, id="again").code == "ok_repeat"
    assert ben.move(game, "8b1", version=4).code == "ok"
    assert len(read_log(server.database)[game]) == 5
    check(read_log(server.database), [Acked(game, 0, "again", 4, MOVE)])
    assert "unforeseen" not in server.log.read_text()


@pytest.mark.slow
def test_requests_wait_for_a_locked_database_and_are_then_refused_as_busy(tmp_path: Path) -> None:
    """F6: after five seconds, by REST and on a socket; when the lock is gone the same command is accepted."""
    with running_server(tmp_path) as server:
        anna, ben = pair(server.url)
        with anna, ben:
            game = seated(anna, ben, "classic")
            with closing(sqlite3.connect(server.database, isolation_level=None)) as holder:
                holder.execute("BEGIN IMMEDIATE")
                began = time.monotonic()
                told_to_come_again(anna, ben, game)
                told_on_a_socket_to_come_again(server, anna, game)
                assert time.monotonic() - began > 8, "five seconds for each of the two"
            taken_now(server, anna, ben, game)


def test_on_a_full_disk_requests_are_refused_as_busy_until_there_is_space(
    tmp_path: Path, small_disk: Path
) -> None:
    """F4: nothing is acknowledged that was not written, and what was written can be seen."""
    with running_server(tmp_path, database=str(small_disk / "server.sqlite3")) as server:
        anna, ben = pair(server.url)
        with anna, ben:
            game = seated(anna, ben, "classic")
            filler = fill(small_disk)
            told_to_come_again(anna, ben, game)
            filler.unlink()
            taken_now(server, anna, ben, game)
