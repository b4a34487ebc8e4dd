"""Many games of classic at once over real sockets, beside boardgame.io doing the same in the same run.

Every move is on disk before its player is told; boardgame.io runs with its own file storage, which is not
synced. Both are driven by one generator (load/generator.mjs, in Node). What they need from npm is installed
once, into a folder of the user's cache; without a registry in reach this file says so and is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from digit_duel.core.files import home_folder

HERE = Path(__file__).parent
PACKAGES = ("boardgame.io@0.50.2", "node-persist@3", "socket.io-client@4", "ws@8")
GOAL_RATE, GOAL_DELAY = 5.0, 0.5  # times the peer's moves a second, and of its 99th percentile
PATIENCE = 600


def installed() -> Path | None:
    """The folder with the peer and the generator's libraries; None if they cannot be had."""
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
            subprocess.run(command, check=True, timeout=PATIENCE)
        except (OSError, subprocess.SubprocessError):
            return None
    return folder


def drive(folder: Path, kind: str, url: str, games: int, active: int) -> dict[str, Any]:
    """What the generator measured."""
    done = subprocess.run(
        ["node", str(HERE / "load" / "generator.mjs"), kind, url, str(games), str(active)],
        cwd=folder, check=True, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@contextmanager
def peer(folder: Path) -> Iterator[str]:
    """boardgame.io's server."""
    with tempfile.TemporaryDirectory() as storage:
        port = _two_free_ports()
        process = subprocess.Popen(
            ["node", str(HERE / "load" / "peer.cjs"), str(port), storage],
            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert process.stdout is not None
        try:
            while "ready" not in (line := process.stdout.readline()):
                assert line, "the peer did not start"
            time.sleep(0.5)
            yield f"http://127.0.0.1:{port}"
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


def ours(folder: Path, database: str | None, workers: int, games: int, active: int) -> dict[str, Any]:
    """Our server under the same load, on SQLite or on the PostgreSQL database that is named."""
    sys.path.insert(0, str(HERE.parent))
    from tests.web.server import running_server

    with tempfile.TemporaryDirectory() as files:
        more: dict[str, Any] = {"database": database, "key_file": f"{files}/server.key"} if database else {}
        with running_server(Path(files), workers=workers, **more) as server:
            found = drive(folder, "ours", server.url, games, active)
            return {**found, "memory": memory(server.process.pid)}


def memory(pid: int) -> int:
    """The largest memory that a process and its children have had, in MB."""
    fields = Path(f"/proc/{pid}/status").read_text().split()
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(fields[fields.index("VmHWM:") + 1]) // 1000 + sum(memory(int(child)) for child in children)


@contextmanager
def postgres() -> Iterator[Any]:
    """A private PostgreSQL that syncs."""
    sys.path.insert(0, str(HERE.parent))
    from tests.web.postgres import Postgres

    server = Postgres(fsync=True)
    try:
        yield server
    finally:
        server.remove()


def line(name: str, found: dict[str, Any], base: dict[str, Any] | None) -> str:
    """One figure."""
    text = (
        f"{name:<24} {found['moves']:>6} moves {found['rate']:>6}/s  p50 {found['p50']:>7.2f} ms"
        f"  p99 {found['p99']:>7.2f} ms  failures {found['failures']}  generator {found['generator']:.2f}"
    )
    if "memory" in found:
        text += f"  {found['memory']} MB"
    if base is None:
        return text
    return f"{text}  x{found['rate'] / base['rate']:.2f} rate, x{found['p99'] / base['p99']:.2f} p99"


def main() -> int:
    """Measure everybody in turns; the best of ours must reach the goals, and nobody may lose a move."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="tables, all connected before the first move")
    parser.add_argument("--active", type=int, default=50, help="games that are played at a time")
    parser.add_argument("--only", choices=["sqlite", "postgres"], help="leave the other database out")
    wanted = parser.parse_args()
    folder = installed()
    if folder is None:
        print("web_load: left out, for npm or its registry is not there")
        return 0
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print(f"{wanted.games} games of classic, {wanted.active} at a time, {os.cpu_count()} cores for all")
    with peer(folder) as url:
        base = drive(folder, "peer", url, wanted.games, wanted.active)
    print(line("boardgame.io, files", base, None), flush=True)
    found: dict[str, dict[str, Any]] = {}
    if wanted.only != "postgres":
        for workers in (1, 2, 4):
            name = f"SQLite, {workers} workers"
            found[name] = ours(folder, None, workers, wanted.games, wanted.active)
            print(line(name, found[name], base), flush=True)
    if wanted.only != "sqlite":
        with postgres() as server:
            for workers in (1, 4):
                name = f"PostgreSQL, {workers} workers"
                found[name] = ours(folder, server.url(), workers, wanted.games, wanted.active)
                print(line(name, found[name], base), flush=True)
    best = max(found.values(), key=lambda each: int(each["rate"]))
    rate, delay = best["rate"] / base["rate"], best["p99"] / base["p99"]
    reached = rate >= GOAL_RATE and delay <= GOAL_DELAY
    whole = all(each["moves"] == 6 * wanted.games and not each["failures"] for each in found.values())
    print(
        f"goal: {GOAL_RATE:g} times its moves at {GOAL_DELAY:g} of its p99: x{rate:.2f} at x{delay:.2f}, "
        f"{'reached' if reached else 'missed'}; moves lost: {'none' if whole else 'some'}"
    )
    return 0 if reached and whole else 1


if __name__ == "__main__":
    sys.exit(main())
