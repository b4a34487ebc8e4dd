"""Backups of a running server: made, verified and restored by commands, on both kinds of database."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import psycopg
import pytest
from tests.web.checker import read_log
from tests.web.client import Client, pair, play_on, seated
from tests.web.postgres import Postgres
from tests.web.server import Server, running_server, until

from digit_duel.web.configuration import read_settings

DATABASES = ["sqlite", "postgres"]


def duel(home: Path, *args: str, code: int = 0) -> str:
    """A command that should end with a code; what it said."""
    done = subprocess.run(
        [sys.executable, "-m", "digit_duel", *args], capture_output=True, text=True, timeout=60,
        env={**os.environ, "DIGIT_DUEL_HOME": str(home)},
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def address(tmp_path: Path, new_database: Callable[[], str]) -> Callable[[str], str]:
    """Gives the address of a database that is empty, or not there yet."""

    def give(kind: str) -> str:
        return new_database() if kind == "postgres" else str(tmp_path / "restored.sqlite3")

    return give


@pytest.fixture(params=DATABASES)
def played(request: pytest.FixtureRequest, tmp_path: Path, postgres: Postgres) -> Iterator[Server]:
    """A server with some games."""
    database = postgres.create_database() if request.param == "postgres" else str(tmp_path / "server.sqlite3")
    with running_server(tmp_path, database=database, key_file=str(tmp_path / "key")) as server:
        anna, ben = pair(server.url)
        with anna, ben:
            for variant in ("classic", "cards", "battle"):
                play_on(seated(anna, ben, variant), (anna, ben), Random(1), 8)
        yield server


@pytest.mark.slow
@pytest.mark.parametrize("target", DATABASES)
def test_a_backup_of_a_running_server_holds_one_moment_and_can_be_restored(
    tmp_path: Path, played: Server, target: str, address: Callable[[str], str]
) -> None:
    """While moves are made: every game in it is complete, and continues after the restore."""
    (tmp_path / "duel.toml").write_text(f'database = "{played.database}"\nkey_file = "{tmp_path}/key"\n')
    config = ("--config", str(tmp_path / "duel.toml"))
    anna, ben = pair(played.url)
    stop = threading.Event()
    with anna, ben:
        game = seated(anna, ben, "classic")
        before = {id: len(log) for id, log in read_log(played.database).items()}

        def play() -> None:
            rng = Random(2)
            while not stop.is_set():
                play_on(seated(anna, ben, "cards"), (anna, ben), rng, 5)

        thread = threading.Thread(target=play)
        thread.start()
        try:
            said = duel(tmp_path, "backup", str(tmp_path / "copy"), *config)
        finally:
            stop.set()
            thread.join()
        assert "all verified." in said
        assert f"The key {tmp_path}/key is not in it" in said
    saved = read_log(str(tmp_path / "copy"))
    assert before.items() <= {id: len(log) for id, log in saved.items()}.items()
    assert "all verified." in duel(tmp_path, "check", *config)
    assert "all verified." in duel(tmp_path, "check", str(tmp_path / "copy"), *config)
    database = address(target)
    again = ("--database", database, *config)
    assert "all verified." in duel(tmp_path, "restore", str(tmp_path / "copy"), *again)
    assert read_log(database) == saved
    assert "already" in duel(tmp_path, "restore", str(tmp_path / "copy"), *again, code=1)
    with (
        running_server(tmp_path, database=database, key_file=str(tmp_path / "key")) as server,
        Client(server.url, anna.token) as back,
    ):
        assert back.move(game, "9a1", version=3).code == "ok"


def test_a_backup_has_the_mode_of_the_original_and_replaces_nothing(tmp_path: Path) -> None:
    with running_server(tmp_path) as server, Client(server.url) as anna:
        anna.open("classic")
        os.chmod(server.database, 0o640)
        copy = tmp_path / "copy"
        args = ("backup", str(copy), "--database", server.database, "--with-key")
        said = duel(tmp_path, *args)
        assert f"{copy} holds 1 game with 1 event, all verified." in said
        assert copy.stat().st_mode & 0o777 == 0o640
        key = tmp_path / "copy.key"
        assert (key.stat().st_mode & 0o777, key.read_bytes()) == (
            0o600, Path(f"{server.database}.key").read_bytes()
        )  # fmt: skip
        assert "copy already exists; nothing was written." in duel(tmp_path, *args, code=1)
        assert not list(tmp_path.glob("*.draft*")) + list(tmp_path.glob(".*draft*"))
    new = tmp_path / "new.sqlite3"
    assert "all verified." in duel(tmp_path, "restore", str(copy), "--database", str(new))
    assert Path(f"{new}.key").read_bytes() == key.read_bytes()


def test_damage_is_found_and_named(tmp_path: Path) -> None:
    with running_server(tmp_path) as server, Client(server.url) as anna:
        games = [anna.open("classic").game for _ in range(3)]
        duel(tmp_path, "backup", str(tmp_path / "copy"), "--database", server.database, "--with-key")
    with closing(sqlite3.connect(tmp_path / "copy")) as link:
        change = "UPDATE events SET body = replace(body, 'classic', 'reverse') WHERE game = ?"
        link.execute(change, (games[1],))
        link.commit()
    said = duel(tmp_path, "check", str(tmp_path / "copy"), code=1)
    assert f"holds 3 games with 2 events, but 1 game is damaged: {games[1]}." in said
    data = bytearray((tmp_path / "copy").read_bytes())
    data[4096 * 3 : 4096 * 4] = bytes(4096)
    (tmp_path / "copy").write_bytes(data)
    assert "damaged" in duel(tmp_path, "check", str(tmp_path / "copy"), code=1)
    new = tmp_path / "new.sqlite3"
    assert "damaged" in duel(tmp_path, "restore", str(tmp_path / "copy"), "--database", str(new), code=1)
    assert not new.exists()


def test_nothing_is_verified_without_the_key(tmp_path: Path) -> None:
    with running_server(tmp_path) as server, Client(server.url) as anna:
        anna.open("classic")
    Path(f"{server.database}.key").unlink()
    said = duel(tmp_path, "backup", str(tmp_path / "copy"), "--database", server.database, code=1)
    assert f"the key {server.database}.key is missing" in said
    assert not (tmp_path / "copy").exists()


def test_a_wrong_key_is_not_taken_for_damage_and_nothing_is_restored_with_it(tmp_path: Path) -> None:
    copy, new = tmp_path / "copy", tmp_path / "new.sqlite3"
    with running_server(tmp_path) as server, Client(server.url) as anna:
        game = anna.open("classic").game
        duel(tmp_path, "backup", str(copy), "--database", server.database)
    key, wrong = Path(f"{server.database}.key"), Path(f"{new}.key")
    wrong.write_bytes(bytes(32))
    wrong.chmod(0o600)
    said = duel(tmp_path, "restore", str(copy), "--database", str(new), code=1)
    assert f"the key {wrong} is not the one of these games; nothing was restored." in said
    assert not new.exists()
    wrong.write_bytes(key.read_bytes())
    assert "1 game with 1 event, all verified." in duel(
        tmp_path, "restore", str(copy), "--database", str(new)
    )
    key.write_bytes(bytes(32))
    said = duel(tmp_path, "check", "--database", server.database, code=1)
    assert f"but the key of 1 game is missing: {game}." in said


def test_a_new_key_deals_new_games_and_old_games_continue(tmp_path: Path) -> None:
    """Also on a server that was not restarted, and the proof of an old game is the same as before."""
    database, key = str(tmp_path / "server.sqlite3"), tmp_path / "server.sqlite3.key"
    with running_server(tmp_path) as server:
        anna, ben = pair(server.url)
        with anna, ben:
            old = seated(anna, ben, "battle", settings={"pool": "1-2", "start_life": "20"})
            assert anna.move(old, "+1").code == "ok"
            first = key.read_bytes()
            assert f"{key} holds 2 keys now." in duel(tmp_path, "rotate-key", "--database", database)
            assert key.read_bytes()[32:] == first
            assert key.stat().st_mode & 0o777 == 0o600
            with (
                running_server(tmp_path, database=database) as other,
                Client(other.url, anna.token) as there,
                Client(other.url, ben.token) as ben_there,
            ):
                new = there.open("classic")
                assert ben.look(new.game)["version"] == 1, "a server that was not restarted knows the key"
                assert ben_there.move(old, "+2").code == "ok"
                assert there.look(old)["version"] >= 5
    assert "holds 2 games" in duel(tmp_path, "check", "--database", database)
    both = key.read_bytes()
    for kept, lost, fits, misses in (
        (both[:32], both[32:], new.game, old),
        (both[32:], both[:32], old, new.game),
    ):
        key.write_bytes(kept)
        said = duel(tmp_path, "check", "--database", database, code=1)
        assert f"the key of 1 game is missing: {misses}." in said
        with running_server(tmp_path, database=database) as server, Client(server.url) as anybody:
            until(lambda: "missing_key" in server.log.read_text())
            line = [
                found
                for text in server.log.read_text().splitlines()
                if (found := json.loads(text))["message"] == "missing_key"
            ][-1]
            assert (line["games"], line["first"], line["file"]) == (1, [misses], str(key))
            assert anybody.look(fits)["version"] >= 1
            assert anybody.ask("GET", f"/api/games/{misses}").code == "not_found"
            key.write_bytes(kept + lost)
            assert anybody.look(misses)["version"] >= 1, "copied back, without a restart"
        server.log.unlink()


STEPS_BEFORE_RESULTS = """
    DROP TABLE results; DROP TABLE results_due; DROP INDEX games_by_position;
    CREATE INDEX games_not_over ON games (variant) WHERE NOT over;
    DELETE FROM steps WHERE number > 3"""


@pytest.mark.parametrize("target", DATABASES)
def test_a_backup_of_an_older_version_is_migrated(
    tmp_path: Path, target: str, address: Callable[[str], str]
) -> None:
    """The results of its games were not stored then, so the server has to find them."""
    with running_server(tmp_path) as server:
        anna, ben = pair(server.url)
        with anna, ben:
            game = seated(anna, ben, "classic")
            assert anna.command(game, "resign").code == "ok"
        copy, key = tmp_path / "copy", f"{server.database}.key"
        duel(tmp_path, "backup", str(copy), "--database", server.database)
    with closing(sqlite3.connect(copy)) as link:
        link.executescript(STEPS_BEFORE_RESULTS)
    (tmp_path / "duel.toml").write_text(f'database = "{address(target)}"\nkey_file = "{key}"\n')
    config = ("--config", str(tmp_path / "duel.toml"))
    assert "holds 1 game with 4 events, all verified." in duel(tmp_path, "restore", str(copy), *config)
    assert not [file for file in tmp_path.iterdir() if file.is_dir()], "no temporary files are left"
    database = read_settings({}, {}, config[1]).database
    with (
        running_server(tmp_path, database=database, key_file=key) as server,
        Client(server.url, anna.token) as back,
    ):

        def results() -> list[str]:
            return [ended["result"] for ended in back.ask("GET", "/api/me/games").body["ended"]]

        until(lambda: results() == ["you lost"])


@pytest.mark.parametrize("target", DATABASES)
def test_a_backup_of_a_newer_version_is_refused(
    tmp_path: Path, target: str, address: Callable[[str], str]
) -> None:
    with running_server(tmp_path) as server, Client(server.url) as anna:
        anna.open("classic")
        copy, key = tmp_path / "copy", f"{server.database}.key"
        duel(tmp_path, "backup", str(copy), "--database", server.database)
    with closing(sqlite3.connect(copy)) as link:
        link.executescript("INSERT INTO steps VALUES (99); ALTER TABLE games RENAME TO tables")
    (tmp_path / "duel.toml").write_text(f'database = "{address(target)}"\nkey_file = "{key}"\n')
    config = ("--config", str(tmp_path / "duel.toml"))
    for command in ("restore", "check"):
        said = duel(tmp_path, command, str(copy), *config, code=1)
        assert "A newer version of Digit Duel wrote this database (its step is 99;" in said
    empty = {"sqlite": "there is no file", "postgres": "this PostgreSQL database has no Digit Duel games"}
    assert empty[target] in duel(tmp_path, "check", *config, code=1), "nothing was restored"


def test_both_schemas_have_the_same_tables_and_columns(tmp_path: Path, postgres: Postgres) -> None:
    """Otherwise a backup of PostgreSQL would leave something out."""
    database = postgres.create_database()
    with running_server(tmp_path), running_server(tmp_path, database=database):
        pass
    with closing(sqlite3.connect(tmp_path / "server.sqlite3")) as link:
        tables = link.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        here = {
            (table, row[1])
            for (table,) in tables
            if not table.startswith("sqlite_")
            for row in link.execute(f"PRAGMA table_info({table})")
        }
    with psycopg.connect(database) as connection:
        there = connection.execute(
            "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'digit_duel'"
        ).fetchall()
    assert here - {("events", "number")} == set(there)
