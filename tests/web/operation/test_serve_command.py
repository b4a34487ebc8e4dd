"""digit-duel serve: what it prints, how it ends, and how it refuses."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.web.client import Client, bearer, pair, seated
from tests.web.raw import RawSocket
from tests.web.server import free_port, until, wait_until_ready

TIMEOUT = 60.0


def duel(home: Path, *args: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """A command that should end soon; before it, a line of Python."""
    code = f"import sys; {before or 'pass'}; from digit_duel.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, text=True, timeout=TIMEOUT,
        stdin=subprocess.DEVNULL, env={**os.environ, "DIGIT_DUEL_HOME": str(home)},
    )  # fmt: skip


@contextmanager
def ending(process: subprocess.Popen[str]) -> Iterator[None]:
    """Kill a process at the end: a failed test would otherwise wait for it forever."""
    try:
        yield
    finally:
        process.kill()


def is_open(port: int) -> bool:
    """Whether somebody answers at a port."""
    try:
        socket.create_connection(("127.0.0.1", port), 5).close()
    except ConnectionRefusedError:
        return False
    return True


def test_serve_prints_its_address_and_stops_quietly_on_a_signal(tmp_path: Path) -> None:
    """The address first; a second server at the same port ends with a sentence; Ctrl-C is no failure."""
    process = subprocess.Popen(
        [sys.executable, "-m", "digit_duel", "serve", "--port", "0", "--set", "keep_over=3600"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "DIGIT_DUEL_HOME": str(tmp_path)},
    )  # fmt: skip
    with process, ending(process):
        assert process.stdout is not None
        first = process.stdout.readline()
        assert first.startswith("Digit Duel is at http://127.0.0.1:")
        assert first.endswith(" - Ctrl-C stops it.\n")
        url = first.removeprefix("Digit Duel is at ").partition(" ")[0]
        until(lambda: is_open(int(url.rpartition(":")[2])), TIMEOUT)
        second = duel(tmp_path, "serve", "--port", url.rpartition(":")[2])
        assert (second.returncode, second.stdout) == (1, "")
        assert "cannot listen at 127.0.0.1, port" in second.stderr
        assert "Traceback" not in second.stderr
        with Client(url, stranger=True) as anybody:
            assert anybody.http.get("/").status_code == 200
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=TIMEOUT)
        assert (process.returncode, out) == (0, "")
        assert "Traceback" not in errors
    assert (tmp_path / "server.sqlite3").exists() or list(tmp_path.rglob("server.sqlite3"))


def test_a_port_that_somebody_else_opens_meanwhile_ends_the_server_with_a_sentence(tmp_path: Path) -> None:
    """Two servers that start at once can both bind a port, and only one can open it."""
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", 0))
        process = subprocess.Popen(
            [sys.executable, "-m", "digit_duel", "serve", "--port", str(other.getsockname()[1])],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "DIGIT_DUEL_HOME": str(tmp_path)},
        )  # fmt: skip
        with process, ending(process):
            assert process.stdout is not None
            process.stdout.readline()  # it has bound the port, and loads
            other.listen()
            _, errors = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 1
    assert "cannot open the port: Address already in use." in errors
    assert "Traceback" not in errors


def test_a_server_that_is_stopped_while_it_loads_exits_with_0(tmp_path: Path) -> None:
    """The signal comes with the import of the application."""
    when = "lambda name, *_: os.kill(os.getpid(), signal.SIGTERM) if name == 'digit_duel.web.app' else None"
    finder = f"type('Finder', (), {{'find_spec': staticmethod({when})}})"
    done = duel(
        tmp_path, "serve", "--port", "0", before=f"import os, signal; sys.meta_path.insert(0, {finder})"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_application_runs_under_a_stock_server_with_settings_from_the_environment(tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "log"
    settings = {"DIGIT_DUEL_DATABASE": str(tmp_path / "server.sqlite3"), "DIGIT_DUEL_CLAIM_AFTER": "0.5"}
    with open(log, "w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "uvicorn", "--factory", "digit_duel.web.app:app", "--port", str(port)],
            stdout=errors, stderr=errors, text=True, env={**os.environ, **settings},
        )  # fmt: skip
    with process, ending(process):
        url = f"http://127.0.0.1:{port}"
        wait_until_ready(url, process, log)
        anna, ben = pair(url)
        with anna, ben:
            game = seated(anna, ben, "classic")
            with RawSocket(port, f"/api/games/{game}/socket", bearer(ben)) as line:
                assert line.hear("view")["view"]["version"] == 3
                assert anna.move(game, "9a1").code == "ok"
                assert line.hear("view")["view"]["version"] == 4
            time.sleep(0.6)
            until(lambda: anna.command(game, "claim").code == "ok", 10)
        process.terminate()
        process.wait(TIMEOUT)
    assert "Traceback" not in log.read_text()


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--public-url", "duel.example"), "public_url must be an address such as https://duel.example"),
        (("--public-url", "https://duel.example/path"), "public_url must be an address"),
        (("--set", "keep_ever=1"), "there is no setting 'keep_ever'; there are: database, host,"),
        (("--set", "poll=often"), "poll must be a number."),
        (("--set", "poll=-1"), "poll must be a number from 0 to 10^12."),
        (
            ("--database", "mysql://here"),
            "mysql:// is not supported: use a path, sqlite:///path or postgresql://",
        ),
    ],
)
def test_serve_refuses_invalid_options_with_the_reason(
    tmp_path: Path, args: tuple[str, str], sentence: str
) -> None:
    done = duel(tmp_path, "serve", "--port", "0", *args)
    assert done.returncode == 1
    assert done.stderr.startswith("digit-duel: ")
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
def test_serve_does_not_wait_for_a_folder_that_is_missing(tmp_path: Path, form: str) -> None:
    database = tmp_path / "missing" / "duel.sqlite3"
    done = duel(tmp_path, "serve", "--port", "0", "--database", form.format(database))
    assert done.returncode == 1
    assert f"The database cannot be opened: No such file or directory: {database}." in done.stderr


def test_serve_without_its_packages_says_how_to_get_them(tmp_path: Path) -> None:
    done = duel(tmp_path, "serve", before="sys.modules['starlette'] = None")
    assert done.returncode == 1
    wanted = "digit-duel: the server needs more packages. To install them: pip install 'digit-duel[web]'\n"
    assert (done.stdout, done.stderr) == ("", wanted)


def test_serve_says_that_it_does_not_run_on_windows(tmp_path: Path) -> None:
    """Windows has no module resource, whatever is installed."""
    done = duel(tmp_path, "serve", before="sys.modules['resource'] = None")
    refusal = "digit-duel: the server does not run on Windows; people on any system can play on it.\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", refusal)


def test_serve_refuses_a_database_of_a_later_version(tmp_path: Path) -> None:
    """G4: with one sentence, and without touching it."""
    database = tmp_path / "newer.sqlite3"
    link = sqlite3.connect(database)
    link.execute("PRAGMA user_version = 999")
    link.execute("CREATE TABLE something (new)")
    link.commit()
    link.close()
    before = database.read_bytes()
    done = duel(tmp_path, "serve", "--port", "0", "--database", str(database))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "newer" in done.stderr or "later" in done.stderr, done.stderr
    assert database.read_bytes() == before
