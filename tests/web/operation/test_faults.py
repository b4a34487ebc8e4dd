"""Databases that are down, frozen or full, missing keys: what players and operators see (F4 to F14)."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from tests.disks import fill
from tests.web.checker import read_log
from tests.web.client import Client, Reply, pair, seated
from tests.web.postgres import Postgres
from tests.web.server import TIMEOUT, Server, free_port, running_server, until

BOUND = 20.0  # seconds: 6 for the database, and some for a busy machine
MOVE: dict[str, Any] = {"do": "move", "move": "9a1", "version": 3, "id": "again"}


@pytest.fixture(scope="module")
def own_postgres() -> Iterator[Postgres]:
    """A server that a test may stop or freeze."""
    server = Postgres()
    yield server
    server.thaw()
    server.remove()


def lines(log: Path) -> list[dict[str, Any]]:
    """The lines of a log, each of which must be JSON."""
    return [json.loads(line) for line in log.read_text().splitlines()]


def metric(server: Server, name: str) -> float:
    """The present value of a metric; 0 if it was never counted."""
    text = httpx.get(f"{server.url}/metrics", trust_env=False).text
    found = [line.rpartition(" ")[2] for line in text.splitlines() if line.startswith(f"{name} ")]
    return float(found[0]) if found else 0.0


def readiness(server: Server) -> tuple[int, str]:
    answer = httpx.get(f"{server.url}/readyz", trust_env=False, timeout=30)
    return answer.status_code, answer.text


def timed(person: Client, game: str) -> tuple[Reply, float]:
    """Make a move; return the answer and the time that it took."""
    began = time.monotonic()
    reply = person.command(game, **MOVE)
    return reply, time.monotonic() - began


def served(tmp_path: Path, *args: str, before: Path | None = None, **more: Any) -> subprocess.Popen[str]:
    """The command itself; a folder may have a sitecustomize.py, which runs first."""
    first = {} if before is None else {"PYTHONPATH": str(before)}
    with open(tmp_path / "log", "a") as errors:
        return subprocess.Popen(
            [sys.executable, "-m", "digit_duel", "serve", "--port", "0", *args],
            stdout=subprocess.PIPE, stderr=errors, text=True,
            env={**os.environ, "DIGIT_DUEL_HOME": str(tmp_path), **first}, **more,
        )  # fmt: skip


def test_a_server_waits_for_a_database_that_is_down(tmp_path: Path, own_postgres: Postgres) -> None:
    """F12: it tries again by itself, and refuses connections meanwhile, so that a proxy asks another one."""
    database, port = own_postgres.create_database(), free_port()
    own_postgres.stop()
    process = served(tmp_path, "--port", str(port), "--database", database)
    with process:
        until(lambda: waits(tmp_path) >= 2)
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"http://127.0.0.1:{port}/healthz", trust_env=False)
        own_postgres.start()
        until(lambda: '"ready"' in (tmp_path / "log").read_text())
        assert httpx.get(f"http://127.0.0.1:{port}/readyz", trust_env=False).text == "ready\n"
        process.terminate()
        assert process.wait(TIMEOUT) == 0
    waited = [line for line in lines(tmp_path / "log") if line["message"] == "waiting_for_database"]
    assert {line["reason"] for line in waited} == {"unreachable"}
    assert len(waited) < 30


def test_a_server_that_waits_for_its_database_ends_at_once_when_asked_to(tmp_path: Path) -> None:
    process = served(tmp_path, "--database", f"postgresql://duel:s3cret@127.0.0.1:{free_port()}/duel")
    with process:
        until(lambda: waits(tmp_path) > 0)
        before = waits(tmp_path)
        process.terminate()
        assert process.wait(TIMEOUT) == 0
        assert waits(tmp_path) <= before + 1, "it may have been about to try again"
    assert "s3cret" not in (tmp_path / "log").read_text()
    lines(tmp_path / "log")


FAILING_LATER = """
from digit_duel.web import preparing
from digit_duel.web.store import Unavailable

check, calls = preparing._check_keys, []

async def fail_later(keys, store):
    calls.append(keys)
    await check(keys, store)
    if 2 <= len(calls) <= {last}:  # the first call is the check before the server starts
        raise Unavailable("The database is gone again.", "locked")

preparing._check_keys = fail_later
"""


def test_a_server_waits_for_a_database_that_fails_after_its_first_checks(tmp_path: Path) -> None:
    with running_server(tmp_path, before=FAILING_LATER.format(last=3)) as server:
        anna, ben = pair(server.url)
        with anna, ben:
            assert anna.move(seated(anna, ben, "classic"), "9a1").code == "ok"
        assert server.stop() == 0
    said = [line["message"] for line in lines(server.log)]
    assert said == ["limits", "waiting_for_database", "waiting_for_database", "ready", "stopped"]


def test_a_server_whose_database_failed_after_its_first_checks_ends_when_asked_to(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(FAILING_LATER.format(last=1000))
    process = served(tmp_path, before=tmp_path)
    with process:
        until(lambda: waits(tmp_path) >= 2)
        process.terminate()
        assert process.wait(TIMEOUT) == 0
    assert {line["message"] for line in lines(tmp_path / "log")} >= {"limits", "waiting_for_database"}


def waits(folder: Path) -> int:
    """How often the log says that the server waits for its database."""
    return (folder / "log").read_text().count("waiting_for_database")


def test_an_address_that_cannot_be_read_is_refused_without_its_password(tmp_path: Path) -> None:
    process = served(tmp_path, "--database", "postgresql://duel:s3/cret%zz@here/duel")
    assert process.wait(TIMEOUT) == 1
    process.communicate()
    text = (tmp_path / "log").read_text()
    assert "the PostgreSQL address is not valid" in text
    assert "s3" not in text


@pytest.mark.slow
def test_requests_to_a_frozen_database_are_refused_in_time_and_play_continues_afterwards(
    tmp_path: Path, own_postgres: Postgres
) -> None:
    """F9: moves and readiness answer busy_retry; afterwards the same command is carried out once."""
    with running_server(tmp_path, database=own_postgres.create_database()) as server:
        anna, ben = pair(server.url)
        with anna, ben:
            game = seated(anna, ben, "classic")
            own_postgres.freeze()
            try:
                reply, seconds = timed(anna, game)
                assert (reply.status, reply.code) == (503, "busy_retry")
                assert int(reply.headers["retry-after"]) >= 1
                assert seconds < BOUND
                waited = 0.0
                for _ in range(8):
                    reply, seconds = timed(anna, game)
                    assert (reply.status, reply.code) == (503, "busy_retry")
                    waited += seconds
                assert waited < 8 * 3, "it is known now, and nobody waits six seconds any more"
                assert readiness(server) == (503, "no database: timeout\n")
                assert httpx.get(f"{server.url}/healthz", trust_env=False).text == "ok\n"
            finally:
                own_postgres.thaw()
            until(lambda: readiness(server) == (200, "ready\n"))
            assert anna.command(game, **MOVE).code in ("ok", "ok_repeat")
            assert ben.move(game, "8b1", version=4).code == "ok"
            kinds = [line.body["kind"] for line in read_log(server.database)[game]]
            assert kinds == ["open", "sit", "sit", "move", "move"]
            assert metric(server, 'digit_duel_store_errors_total{reason="timeout"}') >= 1
        log = lines(server.log)
        assert any((line["message"], line.get("reason")) == ("store_error", "timeout") for line in log)
        assert not any(line["message"] == "unforeseen" for line in log)


@pytest.mark.slow
def test_a_server_ends_though_its_database_is_frozen(tmp_path: Path, own_postgres: Postgres) -> None:
    with running_server(tmp_path, database=own_postgres.create_database()) as server:
        anna, ben = pair(server.url)
        with anna, ben:
            game = seated(anna, ben, "classic")
            own_postgres.freeze()
            try:
                assert timed(anna, game)[0].code == "busy_retry"
                server.process.terminate()
                assert server.process.wait(TIMEOUT) == 0
            finally:
                own_postgres.thaw()
        lines(server.log)


def test_a_locked_file_makes_the_server_unready_until_it_is_free(tmp_path: Path) -> None:
    """F6."""
    with running_server(tmp_path) as server:
        with closing(sqlite3.connect(server.database, isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            until(lambda: readiness(server) == (503, "no database: timeout\n"))
        until(lambda: readiness(server) == (200, "ready\n"))


def test_a_full_disk_shows_in_the_log_a_metric_and_readiness(tmp_path: Path, small_disk: Path) -> None:
    """F4."""
    with running_server(tmp_path, database=str(small_disk / "server.sqlite3")) as server:
        filler = fill(small_disk)
        until(lambda: readiness(server) == (503, "no database: disk_full\n"))
        assert metric(server, 'digit_duel_store_errors_total{reason="disk_full"}') >= 1
        assert {"store_error"} <= {
            line["message"] for line in lines(server.log) if line.get("reason") == "disk_full"
        }
        filler.unlink()
        until(lambda: readiness(server) == (200, "ready\n"))


def test_a_disk_too_full_for_a_move_makes_the_server_unready(tmp_path: Path, own_postgres: Postgres) -> None:
    """F4: the write that readiness tries is smaller than a move, and may still fit."""
    database = own_postgres.create_database()
    with running_server(tmp_path, database=database) as server, Client(server.url) as anna:
        with psycopg.connect(database, autocommit=True) as link:
            link.execute(
                "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full'; END $$"
            )
            link.execute(
                "CREATE TRIGGER full_disk BEFORE INSERT ON digit_duel.events EXECUTE FUNCTION refuse()"
            )
            assert readiness(server) == (200, "ready\n")
            wish = {"variant": "classic", "opponent": "friend", "name": "Anna"}

            def refused_and_unready() -> bool:
                assert anna.ask("POST", "/api/games", wish).code == "busy_retry"
                return readiness(server) == (503, "no database: disk_full\n")

            until(refused_and_unready)
            link.execute("DROP TRIGGER full_disk ON digit_duel.events")
        until(lambda: readiness(server) == (200, "ready\n"))


def test_a_full_disk_under_the_log_does_not_stop_the_server(tmp_path: Path, small_disk: Path) -> None:
    with running_server(tmp_path, before="import sys; sys.stderr = open('/dev/full', 'w')") as server:
        with closing(sqlite3.connect(server.database, isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            until(lambda: readiness(server)[0] == 503)
        until(lambda: readiness(server) == (200, "ready\n"))
        assert metric(server, "digit_duel_lost_log_lines_total") >= 1
        with Client(server.url) as anna:
            assert anna.open("classic").game


def test_a_damaged_game_shows_in_the_log_and_a_metric_and_others_are_served(tmp_path: Path) -> None:
    """F14."""
    with running_server(tmp_path) as server, Client(server.url) as anna:
        damaged, other = anna.open("classic").game, anna.open("classic").game
        server.stop()
    with closing(sqlite3.connect(server.database)) as link:
        change = "UPDATE events SET body = replace(body, 'classic', 'reverse') WHERE game = ?"
        link.execute(change, (damaged,))
        link.commit()
    with running_server(tmp_path) as server, Client(server.url, anna.token) as anna:
        assert anna.ask("GET", f"/api/games/{damaged}").code == "not_found"
        assert anna.look(other)["version"] == 1
        assert metric(server, "digit_duel_damaged_games_total") == 1
        assert [line["game"] for line in lines(server.log) if line["message"] == "damaged_game"] == [damaged]
        assert readiness(server) == (200, "ready\n")


@pytest.mark.parametrize("wrong", [None, bytes(32)])
def test_a_server_refuses_to_start_without_the_key_of_its_games(tmp_path: Path, wrong: bytes | None) -> None:
    with running_server(tmp_path) as server, Client(server.url) as anna:
        anna.open("classic")
        server.stop()
    key = Path(f"{server.database}.key")
    key.unlink()
    if wrong is not None:
        key.touch(0o600)
        key.write_bytes(wrong)
    process = served(tmp_path, "--database", server.database)
    assert process.wait(TIMEOUT) == 1
    process.communicate()
    line = lines(tmp_path / "log")[-1]
    sentence = "but their key {} is missing" if wrong is None else "the key does not match"
    assert (line["message"], line["level"]) == ("ended", "critical")
    assert sentence.format(key) in line["why"]
    assert "Copy" in line["why"]
    assert key.exists() == (wrong is not None)


def test_a_key_that_did_not_fit_on_the_disk_is_created_when_there_is_space(
    tmp_path: Path, small_disk: Path
) -> None:
    """Half a key must not stay behind: no server would start with it."""
    key = small_disk / "server.key"
    filler = fill(small_disk)
    (tmp_path / "duel.toml").write_text(f'key_file = "{key}"')
    process = served(tmp_path, "--config", str(tmp_path / "duel.toml"))
    assert process.wait(TIMEOUT) == 1
    process.communicate()
    line = lines(tmp_path / "log")[-1]
    why = f"the key {key} cannot be created: No space left on device."
    assert (line["message"], line["why"]) == ("ended", why)
    assert list(small_disk.iterdir()) == [filler]
    filler.unlink()
    with running_server(tmp_path, key_file=str(key)) as server, Client(server.url) as anna:
        assert anna.open("classic").game
    assert (key.stat().st_size, key.stat().st_mode & 0o777) == (32, 0o600)
    assert list(small_disk.iterdir()) == [key]


DYING = {
    "while it serves": (
        "import uvicorn\n"
        "async def main_loop(self):\n    raise RuntimeError('a secret')\n"
        "uvicorn.Server.main_loop = main_loop"
    ),
    "without being asked to": (
        "import uvicorn\nasync def main_loop(self):\n    pass\nuvicorn.Server.main_loop = main_loop"
    ),
    "in a thread, with a warning": (
        "import threading, time, uvicorn, warnings\n"
        "async def main_loop(self):\n"
        "    warnings.warn('of something')\n"
        "    thread = threading.Thread(target=lambda: 1 / 0)\n    thread.start()\n    thread.join()\n"
        "uvicorn.Server.main_loop = main_loop"
    ),
    "when it starts": (
        "from digit_duel.web.store import sqlite\n"
        "count = []\n"
        "def begin(self, until):\n    raise RuntimeError('a secret')\n"
        "sqlite.SqliteStore._begin = begin"
    ),
}


@pytest.mark.parametrize("how", DYING)
def test_a_server_that_fails_logs_it_as_json_and_exits_with_an_error(tmp_path: Path, how: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(DYING[how])
    process = subprocess.run(
        [sys.executable, "-m", "digit_duel", "serve", "--port", "0"],
        capture_output=True, text=True, timeout=60,
        env={**os.environ, "DIGIT_DUEL_HOME": str(tmp_path), "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert process.returncode == 1
    said = [json.loads(line) for line in process.stderr.splitlines()]
    assert said[-1]["message"] in ("ended", "unforeseen")
    if how == "when it starts":
        assert [line["kind"] for line in said if line["message"] == "unforeseen"] == ["RuntimeError"]
    assert "secret" not in process.stderr


def test_a_killed_server_never_ends_with_code_0(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        server.process.send_signal(signal.SIGABRT)
        assert server.process.wait(TIMEOUT) == -signal.SIGABRT
