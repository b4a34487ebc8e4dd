"""What a server on PostgreSQL must not stumble over: strange ids, other programs, missing rights."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from tests.web.server import TIMEOUT, running_server, until
from tests.web.strangers.plain import Stranger, duel
from tests.web.strangers.sockets import Socket, Stream

SENT = (  # none of these is a notification of ours
    "hello",
    "{}",
    '{"from": 1, "games": [5]}',
    '{"from": "us", "games": []}',
    "",
)


def said(log: Path) -> list[str]:
    """The messages of a log, each of which must be JSON."""
    return [json.loads(line)["message"] for line in log.read_text().splitlines()]


def test_an_id_with_a_nul_character_is_unknown_on_postgresql_too(
    tmp_path: Path, new_database: Callable[[], str]
) -> None:
    """D5: PostgreSQL refuses such a text, where SQLite finds nothing."""
    with running_server(tmp_path, database=new_database()) as server:
        with Stranger(server.url) as nobody:
            for path in ("%00", "a%00b/news", "%00/past", "%00/record", "%00/events"):
                answer = nobody.ask("GET", f"/api/games/{path}")
                assert (answer.status, answer.body["code"]) == (404, "not_found")
            assert nobody.ask("GET", "/g/%00").status == 200
        with Socket(server.url, "%00", "whoever") as socket:
            assert socket.status == 403
        ada = Stranger(server.url).begin()
        with Socket(server.url, "%00", ada.token) as socket:
            assert socket.status == 404
        assert "unforeseen" not in said(server.log)


def wait_for(stream: Stream, text: bytes) -> None:
    """Read a stream until a text comes, long before anybody polls."""
    seen, end = b"", time.monotonic() + TIMEOUT
    while text not in seen:
        assert time.monotonic() < end, seen
        seen += stream.read()


def test_notifications_of_other_programs_do_not_end_those_of_the_servers(
    tmp_path: Path, new_database: Callable[[], str]
) -> None:
    """F13: whoever may connect to the database may notify; the servers go on listening to each other."""
    database, never = new_database(), 600.0
    with (
        running_server(tmp_path, database=database, poll=never) as one,
        running_server(tmp_path, database=database, poll=never) as other,
    ):
        ada, bob, game = duel(one.url)
        with Stream(other.url, game, bob.token) as stream:
            wait_for(stream, b'"version":3')
            with psycopg.connect(database, autocommit=True) as link:
                for payload in SENT:
                    link.execute("SELECT pg_notify('digit_duel', %s)", (payload,))
            assert ada.command(game, 3, "move", move="9a1").status == 200
            wait_for(stream, b'"version":4')
        for server in (one, other):
            assert server.stop() == 0
            assert "unforeseen" not in said(server.log)


@contextmanager
def command(folder: Path, database: str) -> Iterator[subprocess.Popen[bytes]]:
    """The command itself, with a log beside its key."""
    serve = [sys.executable, "-m", "digit_duel", "serve", "--port", "0", "--database", database]
    environment = {**os.environ, "DIGIT_DUEL_HOME": str(folder)}
    with (
        open(folder / "log", "wb") as errors,
        subprocess.Popen(serve, stdout=subprocess.DEVNULL, stderr=errors, env=environment) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


def test_a_server_without_the_rights_to_its_database_says_so_and_waits_for_them(
    tmp_path: Path, new_database: Callable[[], str]
) -> None:
    database = new_database()
    name = psycopg.conninfo.conninfo_to_dict(database)["dbname"]
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("CREATE ROLE newcomer LOGIN")
        log = tmp_path / "log"
        try:
            with command(tmp_path, database.replace("//duel@", "//newcomer@")) as process:
                until(lambda: "waiting_for_database" in said(log))
                owner.execute(f"GRANT CREATE ON DATABASE {name} TO newcomer")
                until(lambda: "ready" in said(log))
                process.terminate()
                assert process.wait(60) == 0
            assert f'"why": "The database cannot be used now: permission denied for database {name}."' in (
                log.read_text()
            )
            assert "unforeseen" not in said(log)
        finally:
            owner.execute("DROP OWNED BY newcomer CASCADE; DROP ROLE newcomer")
