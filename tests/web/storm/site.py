"""A whole site: PostgreSQL on a small disk, two servers that are started again when they die, and nginx."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from errno import ENOSPC
from pathlib import Path
from random import Random
from tempfile import mkdtemp

from tests.web.nginx import Nginx
from tests.web.operation.test_nginx import configured
from tests.web.postgres import Postgres

DISK = 320  # megabytes
_BLOCK = bytes(1 << 20)
CLOCK = """
import threading, time
real, offset = time.time, [0.0]
def read():
    try:
        with open({path!r}) as file:
            offset[0] = float(file.read() or 0)
    except OSError:
        pass
def follow():
    while True:
        read()
        time.sleep(0.2)
read()
time.time = lambda: real() + offset[0]
threading.Thread(target=follow, daemon=True).start()
"""  # run before a server: its wall clock is off by as much as a file says


def _lasting_ports(number: int) -> list[int]:
    """Ports that no connection is given while their server is down, as the system gives out higher ones."""
    found: list[int] = []
    for port in Random(os.getpid()).sample(range(10_000, 32_000), 1000):
        with socket.socket() as listener, suppress(OSError):
            listener.bind(("127.0.0.1", port))
            found.append(port)
        if len(found) == number:
            return found
    raise RuntimeError("no port is free")


# SIGTERM before Python has handlers ends a process with -15, as systemd expects it.
CODES = {signal.SIGTERM: {0, -signal.SIGTERM}, signal.SIGKILL: {-signal.SIGKILL}}


class Unit:
    """One server, started again whenever it ends, as systemd would."""

    def __init__(self, folder: Path, config: Path, port: int) -> None:
        folder.mkdir()
        self.port, self.log, self.clock = port, folder / "log", folder / "clock"
        self.ended = False
        self._expected: set[int] = set()  # exit codes, after the signals that were sent
        self.wrong: list[str] = []
        self.process: subprocess.Popen[bytes] | None = None
        (folder / "sitecustomize.py").write_text(CLOCK.format(path=str(self.clock)))
        path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
        self._environment = {**os.environ, "DIGIT_DUEL_HOME": str(folder), "PYTHONPATH": path}
        self._command = [sys.executable, "-m", "digit_duel", "serve", "--config", str(config)]

    async def run(self) -> None:
        """Start the server again and again, until the end."""
        while not self.ended:
            self._expected = set()
            with open(self.log, "ab") as log:
                self.process = subprocess.Popen(
                    [*self._command, "--port", str(self.port)],
                    stdout=subprocess.DEVNULL, stderr=log, env=self._environment,
                )  # fmt: skip
            code = await asyncio.to_thread(self.process.wait)
            if code not in self._expected:
                last = self.log.read_text().splitlines()[-3:]
                self.wrong.append(f"a server ended with {code}, not one of {self._expected}: {last}")
            await asyncio.sleep(0.5)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process that runs now."""
        if self.process is not None and self.process.poll() is None:
            self._expected |= CODES.get(number, set())  # a busy machine may get both at once
            self.process.send_signal(number)

    @property
    def memory(self) -> float:
        """Its resident memory in megabytes."""
        assert self.process is not None
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    @property
    def descriptors(self) -> int:
        """How many files and sockets it has open."""
        assert self.process is not None
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


class Site:
    """All of it; the second server is never killed, so that its memory can be watched."""

    def __init__(self) -> None:
        self.folder = Path(mkdtemp(prefix="storm-", dir="/tmp"))
        self.disk = self.folder / "d"
        self.disk.mkdir()
        self.has_disk = self._mount()
        os.chmod(self.folder, 0o755)
        self.postgres = Postgres(
            place=str(self.disk), listen_addresses="''",  # its socket has a path, which nobody else takes
            max_wal_size="'48MB'", min_wal_size="'32MB'", checkpoint_timeout="'30s'",
        )  # fmt: skip
        self.postgres_wanted = True
        self.database = self.postgres.create_database()
        config = self.folder / "duel.toml"
        config.write_text(
            f'database = "{self.database}"\nkey_file = "{self.folder}/key"\ntrusted_proxies = 1\n'
            "most_tables = 300\ncomputer_pace = 0.0\n"
        )
        self.port, *ports = _lasting_ports(3)
        self.units = [Unit(self.folder / str(at), config, port) for at, port in enumerate(ports)]
        site = configured(self.port, *ports).replace(" ssl;", ";")
        plain = [line for line in site.splitlines() if not line.strip().startswith("ssl_")]
        self.nginx = Nginx("\n".join(plain), self.port, connections=4096)
        self.nginx.start()

    def _mount(self) -> bool:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}m,mode=755", "tmpfs", str(self.disk)]
        return subprocess.run(mount, capture_output=True, check=False).returncode == 0

    def fill_disk(self) -> Path:
        """Fill PostgreSQL's disk."""
        filler = self.disk / "filler"
        with open(filler, "wb", buffering=0) as file:
            while True:  # until it is full: how much is free changes while PostgreSQL writes
                try:
                    file.write(_BLOCK)
                except OSError as full:
                    if full.errno != ENOSPC:
                        raise
                    return filler

    async def keep_postgres(self) -> None:
        """Start PostgreSQL again whenever it is gone and should not be."""
        while True:
            await asyncio.sleep(0.5)
            if self.postgres_wanted and not await asyncio.to_thread(self.postgres.runs):
                try:
                    await asyncio.to_thread(self.postgres.start)
                except RuntimeError:
                    continue  # the disk is full; it is tried again

    def state(self) -> str:
        """What there is to see when it does not get well again."""
        lines = [f"PostgreSQL runs: {self.postgres.runs()}; {shutil.disk_usage(self.disk)}"]
        logs = [self.postgres.folder / "log", *(unit.log for unit in self.units)]
        for log in logs:
            lines += [str(log), *log.read_text(errors="replace").splitlines()[-5:]]
        return "\n".join(lines)

    def remove(self) -> None:
        """Stop everything, and leave nothing behind."""
        self.nginx.remove()
        self.postgres.remove()
        if self.has_disk:
            subprocess.run(["umount", "-l", str(self.disk)], check=True)
        shutil.rmtree(self.folder)
