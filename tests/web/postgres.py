"""A private PostgreSQL server for tests: its own folder, a socket of its own and a free port."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import quote

import psycopg
from tests.web.server import free_port

PLACES = "/usr/lib/postgresql/*/bin"  # where Debian keeps it; elsewhere it is on the path


def program(name: str) -> str:
    versions = sorted(Path("/").glob(f"{PLACES.lstrip('/')}/{name}"), key=lambda path: int(path.parts[-3]))
    found = str(versions[-1]) if versions else shutil.which(name)
    if found is None:
        raise FileNotFoundError(f"{name} is not installed; tools/install-test-packages installs it")
    return found


class Postgres:
    """One server, which can be stopped as abruptly as by a power cut, and started again."""

    def __init__(self, fsync: bool = False, place: str = "/tmp", **more: str) -> None:
        """Take further settings; without fsync it is faster, and still survives anything but a power cut."""
        self.folder = Path(mkdtemp(prefix="duel-pg-", dir=place))  # a socket's path must be short
        self.data = self.folder / "data"
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(self.folder, "postgres", "postgres")
        self._run(
            program("initdb"),
            *("--pgdata", str(self.data), "--username", "duel", "--auth", "trust", "--encoding", "UTF8"),
            *("--no-locale", "--no-sync"),
        )
        settings = {
            "listen_addresses": "'127.0.0.1'",
            "unix_socket_directories": f"'{self.folder}'",
            "fsync": "on" if fsync else "off",
            "max_connections": "60",
            "shared_buffers": "'32MB'",
            "log_min_messages": "fatal",
            **more,
        }
        with open(self.data / "postgresql.auto.conf", "a", encoding="ascii") as file:
            file.writelines(f"{name} = {value}\n" for name, value in settings.items())
        self.port = 0
        self._databases = 0
        self.start()

    @property
    def host(self) -> str:
        """The folder of its socket."""
        return str(self.folder)

    def url(self, database: str = "postgres", *, tcp: bool = False) -> str:
        """How to reach one of its databases."""
        if tcp:
            return f"postgresql://duel@127.0.0.1:{self.port}/{database}"
        return f"postgresql://duel@/{database}?host={quote(self.host, safe='')}&port={self.port}"

    def create_database(self) -> str:
        """Make an empty database, and tell its address."""
        self._databases += 1
        name = f"duel{self._databases}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} STRATEGY file_copy")
        return self.url(name)

    def start(self) -> None:
        """Run, at the port it had before if there is one."""
        for _ in range(5):  # another process may have taken the free port meanwhile
            port = self.port or free_port()
            if self._control("start", "--options", f"-p {port}", "--wait", check=False):
                self.port = port
                return
            time.sleep(0.2)
        raise RuntimeError((self.folder / "log").read_text())

    def stop(self, mode: str = "immediate") -> None:
        """Stop; immediate is a crash for everybody connected."""
        self._control("stop", "--mode", mode, "--wait")

    def runs(self) -> bool:
        """Whether it runs."""
        return self._control("status", check=False)

    def freeze(self) -> None:
        """Stop all its processes where they are, as a storage that hangs would."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let them go on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        for pid in self._pids():
            with suppress(ProcessLookupError):  # one that served a connection has just ended
                os.kill(pid, number)

    def _pids(self) -> list[int]:
        main = int((self.data / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        return [main, *map(int, children)]

    def remove(self) -> None:
        """Stop, and leave nothing behind."""
        self._control("stop", "--mode", "immediate", "--wait", check=False)
        shutil.rmtree(self.folder)

    def _control(self, what: str, *more: str, check: bool = True) -> bool:
        log = self.folder / "log"
        return self._run(
            program("pg_ctl"), what, "--pgdata", str(self.data), "--log", str(log), *more, check=check
        )

    def _run(self, *command: str, check: bool = True) -> bool:
        done = subprocess.run(
            [*_as_postgres(), *command],
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if command[0].endswith("initdb") else subprocess.DEVNULL,
            stderr=subprocess.STDOUT if command[0].endswith("initdb") else subprocess.DEVNULL,
            cwd="/",
            timeout=300,
        )
        if check and done.returncode != 0:
            raise RuntimeError(f"{command[0]}: {done.stdout!r}")
        return done.returncode == 0


def _as_postgres() -> Sequence[str]:
    if os.getuid() != 0:
        return []
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
