"""Many games of classic at once over real sockets, compared with boardgame.io in the same run.

Every move is on disk before it is acknowledged; boardgame.io uses its own file storage, which does not sync.
Both are driven by one load generator (load/generator.mjs, in Node). For the ratio each server has one
processor to itself and the generator the other, in turns, so that they do not compete; the "free" runs may
use all processors. npm packages are installed once into a folder of the user's cache. Without access to a
registry the benchmark is skipped with a message.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from digit_duel.core.files import home_folder

HERE = Path(__file__).parent
PACKAGES = ("boardgame.io@0.50.2", "node-persist@3", "socket.io-client@4", "ws@8")
GOAL_RATE, GOAL_DELAY = 3.0, 0.5  # relative to boardgame.io: moves per second, and 99th percentile
TIMEOUT = 600


def installed() -> Path | None:
    """The folder with boardgame.io and the generator's libraries; None if they cannot be installed."""
    folder = home_folder("cache") / "load"
    if not (folder / "node_modules" / "boardgame.io").exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = [
            "npm",
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--prefix",
            str(folder),
            *PACKAGES,
        ]
        try:
            subprocess.run(command, check=True, timeout=TIMEOUT)
        except (OSError, subprocess.SubprocessError):
            return None
    return folder


@dataclass(frozen=True)
class Load:
    """The load that every server gets."""

    folder: Path
    games: int
    active: int
    apart: bool = False  # the server on the first processor, the generator on the second

    def drive(self, kind: str, url: str, *servers: int) -> dict[str, Any]:
        """Run the generator; returns its figures, with the servers' processor time per move."""
        if self.apart:
            for server in servers:
                keep_to(server, {0})
        command = ["node", str(HERE / "load" / "generator.mjs"), kind, url, str(self.games), str(self.active)]
        process = subprocess.Popen(
            command, cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        if self.apart:
            keep_to(process.pid, {1})
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "ready\n", "the generator could not set up the games"
            before = [processor_time(server) for server in servers]
            told, _ = process.communicate("play\n", timeout=TIMEOUT)
            after = [processor_time(server) for server in servers]
        finally:
            process.kill()
        found: dict[str, Any] = json.loads(told)
        each = [1e6 * (now - then) / found["moves"] for now, then in zip(after, before, strict=True)]
        return {**found, "each": each, "cpu": sum(each)}


def keep_to(pid: int, processors: set[int]) -> None:
    """Restrict a process to these processors, with all its threads and those that they will start."""
    for thread in Path(f"/proc/{pid}/task").iterdir():
        os.sched_setaffinity(int(thread.name), processors)


def peer(load: Load) -> dict[str, Any]:
    """boardgame.io's server under the load."""
    with tempfile.TemporaryDirectory() as storage:
        port = _two_free_ports()
        process = subprocess.Popen(
            ["node", str(HERE / "load" / "peer.cjs"), str(port), storage],
            cwd=load.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert process.stdout is not None
        try:
            while "ready" not in (line := process.stdout.readline()):
                assert line, "boardgame.io did not start"
            time.sleep(0.5)
            return load.drive("peer", f"http://127.0.0.1:{port}", process.pid)
        finally:
            process.kill()
            process.wait()


def _two_free_ports() -> int:
    for port in range(21_000, 60_000, 2):
        with socket.socket() as one, socket.socket() as other:
            try:
                one.bind(("127.0.0.1", port))
                other.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port
    raise OSError("no free ports")


def ours(load: Load, database: str | None = None) -> dict[str, Any]:
    """Our server under the same load, on SQLite or on the given PostgreSQL database."""
    sys.path.insert(0, str(HERE.parent))
    from tests.web.server import running_server

    with tempfile.TemporaryDirectory() as files:
        more: dict[str, Any] = {"database": database, "key_file": f"{files}/server.key"} if database else {}
        with running_server(Path(files), **more) as server:
            found = load.drive("ours", server.url, server.process.pid)
            return {**found, "memory": memory(server.process.pid)}


def cluster(load: Load, database: str, number: int) -> dict[str, Any]:
    """Several of our servers on one database behind nginx with the shipped configuration, but without TLS."""
    from tests.web.nginx import front
    from tests.web.operation.test_nginx import configured
    from tests.web.server import free_port, running_server

    with tempfile.TemporaryDirectory() as files, ExitStack() as stack:
        port = free_port()
        settings: dict[str, Any] = {
            "database": database,
            "key_file": f"{files}/server.key",
            "trusted_proxies": 1,
        }
        servers = []
        for at in range(number):
            folder = Path(files, str(at))
            folder.mkdir()
            servers.append(stack.enter_context(running_server(folder, **settings)))
        site = configured(port, *(server.port for server in servers)).replace(" ssl;", ";")
        left_out = ("ssl_", "limit_req ", "limit_conn ")  # the generator has one address
        site = "".join(
            line for line in site.splitlines(keepends=True) if not line.strip().startswith(left_out)
        )
        proxy = stack.enter_context(front(site, port, connections=20_000))
        pids = [server.process.pid for server in servers]
        found = load.drive("ours", f"http://127.0.0.1:{port}", *pids, proxy.pid)
        *own, nginx = found["each"]
        return {**found, "cpu": sum(own), "nginx": nginx, "memory": sum(map(memory, pids))}


def processor_time(pid: int) -> float:
    """The processor seconds of a process and its children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    ticks = int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK") + sum(processor_time(int(child)) for child in children)


def memory(pid: int) -> int:
    """The peak memory of a process and its children, in MB."""
    fields = Path(f"/proc/{pid}/status").read_text().split()
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(fields[fields.index("VmHWM:") + 1]) // 1000 + sum(memory(int(child)) for child in children)


@contextmanager
def postgres() -> Iterator[Any]:
    """A private PostgreSQL server that syncs to disk."""
    sys.path.insert(0, str(HERE.parent))
    from tests.web.postgres import Postgres

    server = Postgres(fsync=True)
    try:
        yield server
    finally:
        server.remove()


def middle(rounds: list[dict[str, Any]]) -> dict[str, Any]:
    """The round with the median rate."""
    return sorted(rounds, key=lambda each: int(each["rate"]))[len(rounds) // 2]


def line(name: str, found: dict[str, Any], base: dict[str, Any] | None = None) -> str:
    """One line of figures."""
    text = (
        f"{name:<24} {found['moves']:>6} moves {found['rate']:>6}/s  p50 {found['p50']:>7.2f} ms"
        f"  p99 {found['p99']:>7.2f} ms  {found['cpu']:>5.0f} us of processor a move"
        f"  failures {found['failures']}  generator {found['generator']:.2f}"
    )
    if "nginx" in found:
        text += f"  and {found['nginx']:.0f} us of nginx"
    if "memory" in found:
        text += f"  {found['memory']} MB"
    if base is None:
        return text
    return f"{text}  x{found['rate'] / base['rate']:.2f} rate, x{found['p99'] / base['p99']:.2f} p99"


def main() -> int:
    """Measure all servers in turns; fails if the ratio misses its goals, or if any server loses a move."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="games, all connected before the first move")
    parser.add_argument("--active", type=int, default=50, help="games that are played at a time")
    parser.add_argument("--rounds", type=int, default=3, help="rounds for the ratio to boardgame.io")
    parser.add_argument("--only", choices=["apart", "sqlite", "postgres"], help="run only this one")
    wanted = parser.parse_args()
    folder = installed()
    if folder is None:
        print("web_load: skipped, because npm or its registry is not available")
        return 0
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print(
        f"{wanted.games} games of classic, {wanted.active} at a time, {os.cpu_count()} processors for all; "
        f"Python {platform.python_version()}"
    )
    load = Load(folder, wanted.games, wanted.active)
    found: list[dict[str, Any]] = []

    def tell(name: str, measured: dict[str, Any], base: dict[str, Any] | None = None) -> dict[str, Any]:
        print(line(name, measured, base), flush=True)
        found.append(measured)
        return measured

    reached = wanted.only in ("sqlite", "postgres") or ratio(replace(load, apart=True), wanted.rounds, tell)
    if wanted.only in ("sqlite", None):
        base = tell("free: boardgame.io, files", peer(load))
        tell("free: SQLite", ours(load), base)
    if wanted.only in ("postgres", None):
        with postgres() as server:
            tell("free: PostgreSQL", ours(load, server.url()))
            for number in (1, 2):
                tell(f"free: {number} behind nginx", cluster(load, server.url(), number))
    whole = all(each["moves"] == 6 * wanted.games and not each["failures"] for each in found)
    print(f"moves lost: {'none' if whole else 'some'}")
    return 0 if reached and whole else 1


def ratio(load: Load, rounds: int, tell: Callable[..., dict[str, Any]]) -> bool:
    """Whether ours reaches the goals relative to boardgame.io, each on a processor of its own, in turns."""
    theirs: list[dict[str, Any]] = []
    mine: list[dict[str, Any]] = []
    for turn in range(1, rounds + 1):
        theirs.append(tell(f"{turn}. boardgame.io, files", peer(load)))
        mine.append(tell(f"{turn}. SQLite", ours(load), theirs[-1]))
    rate: float = middle(mine)["rate"] / middle(theirs)["rate"]
    delay: float = middle(mine)["p99"] / middle(theirs)["p99"]
    reached = rate >= GOAL_RATE and delay <= GOAL_DELAY
    print(
        f"goal: {GOAL_RATE:g} times its moves at {GOAL_DELAY:g} of its p99; "
        f"the median of {rounds} rounds: x{rate:.2f} at x{delay:.2f}, {'reached' if reached else 'missed'}"
    )
    return reached


if __name__ == "__main__":
    sys.exit(main())
