"""A real server in a process of its own, for tests to talk to."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom
from typing import Any

TIMEOUT = 60.0
GENEROUS: dict[str, Any] = {  # limits are tested on their own, with their own settings
    "analysis_seconds": 60.0,  # a busy machine takes its time
    "computer_pace": 0.0,
    "asks_per_second": 1e6,
    "opens_per_minute": 1e6,
    "moves_per_second": 1e6,
    "asks_per_person": 1e6,
    "events_per_second": 1e6,
    "views_per_second": 1e6,
    "messages_per_second": 1e6,
    "probes_per_second": 1e6,
    "refusal_delay": 0.0,
    "most_waiting_games": 1_000_000,
    "sockets_per_person": 10_000,
    "sockets_per_address": 100_000,
    "most_open_games": 1_000_000,
}
_RUN = """
import json, sys
from digit_duel.web import serving
from digit_duel.web.settings import Settings
listener = serving.listen("127.0.0.1", int(sys.argv[2]))
print(serving.address(listener, Settings()), flush=True)
serving.serve(Settings(**json.loads(sys.argv[1])), listener)
"""


@dataclass(slots=True)
class Server:
    """A server that runs, or ran."""

    url: str
    process: subprocess.Popen[str]
    database: str
    log: Path

    def kill(self) -> None:
        """Kill it without warning, like a power cut that spares the disk."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(TIMEOUT)

    def stop(self) -> int:
        """Stop it as an operator would."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(TIMEOUT)

    @property
    def port(self) -> int:
        """The port it listens at."""
        return int(self.url.rpartition(":")[2])

    @property
    def processor_seconds(self) -> float:
        """Its CPU time, which does not grow on a busy machine."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            user, system = file.read().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    @property
    def resident(self) -> int:
        """Its memory, in KiB."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(row.split()[1]) for row in file if row.startswith("VmRSS"))


@contextmanager
def running_server(
    folder: Path,
    *,
    port: int = 0,
    env: dict[str, str] | None = None,
    before: str = "",
    **settings: Any,
) -> Iterator[Server]:
    """A server with its files in a folder, ready to answer; stopped at the end if it still runs.

    A test may have its process do something before anything else.
    """
    wanted = {"database": str(folder / "server.sqlite3"), **GENEROUS, **settings}
    log = folder / "server.log"
    with open(log, "a") as errors:
        process = subprocess.Popen(
            [sys.executable, "-c", _RUN, json.dumps(wanted), str(port)],
            stdout=subprocess.PIPE, stderr=errors, text=True,
            env={**os.environ, "DIGIT_DUEL_HOME": str(folder), **_first(folder, before), **(env or {})},
        )  # fmt: skip
    assert process.stdout is not None
    try:
        url = process.stdout.readline().strip()
        assert url, log.read_text()
        wait_until_ready(url, process, log)
        yield Server(url, process, wanted["database"], log)
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(TIMEOUT)
        process.stdout.close()


def _first(folder: Path, code: str) -> dict[str, str]:
    """The environment variables that make every Python process run some code first."""
    if not code:
        return {}
    (folder / "sitecustomize.py").write_text(code)
    return {"PYTHONPATH": os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])}


def until(true: Callable[[], bool], seconds: float = TIMEOUT) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def free_port() -> int:
    """A port that nobody listens at now, below those that the system gives to outgoing connections."""
    while True:
        port = SystemRandom().randrange(10_000, 32_000)
        with socket.socket() as listener, suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port


def wait_until_ready(url: str, process: subprocess.Popen[str], log: Path) -> None:
    """Wait until the server answers."""
    end = time.monotonic() + TIMEOUT
    while True:
        try:
            with urllib.request.urlopen(f"{url}/readyz", timeout=5) as answer:
                if answer.status == 200:
                    return
        except OSError:
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.05)
