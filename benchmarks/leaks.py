"""Compares pairs of worlds with different secrets at every outlet of the server, over any number of runs.

SAFETY R9: the tally continues where the last run ended, and restarts when the code has changed. --timing
takes ten thousand answers for each hidden value and prints Welch's t (R9c). --servers plays cards at two real
servers with one PostgreSQL database, without a tally. Fails if a secret can be inferred.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from digit_duel.core.files import home_folder

ROOT = Path(__file__).parent.parent
GOAL = 1_000_000  # pairs
ANSWERS = 10_000  # for each of two hidden values
MOVES, PACE = 1000, 0.008  # of the computer
SAVED_EVERY = 5.0  # seconds


def fingerprint() -> str:
    """A fingerprint of the code of the server and of the comparison."""
    folders = (*(f"src/digit_duel/{part}/**" for part in ("core", "games", "web")), "tests/web/leaks")
    files = sorted(file for folder in folders for file in ROOT.glob(f"{folder}/*.py"))
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def resumed(file: Path, code: str) -> dict[str, int]:
    """The tally so far, if it was made with this code."""
    try:
        kept: dict[str, Any] = json.loads(file.read_text())
    except FileNotFoundError:
        return {}
    if kept["code"] != code:
        print(f"{file.name}: the code has changed, so the count starts again")
        return {}
    return {name: count for name, count in kept.items() if name != "code"}


async def compare_for(budget: float, file: Path) -> int:
    """Compare worlds until the time is up; returns the exit code."""
    from tests.web.leaks.sweep import Tally, a_server, compare
    from tests.web.leaks.worlds import story
    from tests.worlds import Leak

    code = fingerprint()
    tally = Tally(**resumed(file, code))
    end = saved = time.monotonic()
    end += budget
    found: Leak | None = None
    async with a_server() as server:
        while found is None and time.monotonic() < end:
            try:
                await compare(server, story(f"release/{tally.stories}"), tally)
            except Leak as leak:
                found = leak
            if found or time.monotonic() > min(end, saved + SAVED_EVERY):
                _save(file, {"code": code, **asdict(tally)})
                saved = time.monotonic()
    if found is not None:
        print(found)
    told = f"worlds that can be told apart: {int(found is not None)} after {tally.stories:,} stories"
    done = f"{tally.worlds:,} worlds, {tally.answers:,} answers; pairs alike, of {GOAL:,}"
    print(f"{told}, {done}: {tally.pairs:,}")
    return int(found is not None)


def _save(file: Path, kept: dict[str, Any]) -> None:
    new = file.with_suffix(".new")
    new.write_text(json.dumps(kept))
    new.replace(file)


def compare_on_servers(budget: float) -> int:
    """Compare worlds at two servers with one PostgreSQL database until time is up; returns the exit code."""
    from tests.web.leaks.two_servers import a_site, compare
    from tests.web.postgres import Postgres
    from tests.worlds import Leak

    postgres = Postgres()
    end = time.monotonic() + budget
    pairs, answers, found = 0, 0, ""
    try:
        with TemporaryDirectory() as folder, a_site(Path(folder), postgres.create_database()) as site:
            while not found and time.monotonic() < end:
                try:
                    answers += compare(site, f"{time.time_ns()}")
                    pairs += 1
                except Leak as leak:
                    found = str(leak)
    finally:
        postgres.remove()
    if found:
        print(found)
    print(f"pairs of worlds told apart: {int(bool(found))}; alike: {pairs:,}, with {answers:,} answers")
    return int(bool(found))


async def measure(answers: int) -> int:
    """Print Welch's t for every timed outlet and for the computer's pause; returns the exit code."""
    from tests.web.leaks.sweep import a_server
    from tests.web.leaks.timing import THRESHOLD, TIMED, delayed, repeated, sampled, tells

    moves = min(MOVES, answers)
    leaks = 0
    async with a_server() as server:
        for name, timed in TIMED.items():
            rounds = await repeated(partial(sampled, server, timed, answers), f"release/{name}")
            leaks += tells(rounds)
            _report(name, answers, rounds, THRESHOLD)
        for level in ("sharp", "perfect"):
            rounds = await repeated(partial(delayed, server, PACE, level, moves), f"release/{level}")
            leaks += tells(rounds)
            _report(f"the computer's pause, {level}", moves, rounds, THRESHOLD)
    return int(leaks > 0)


def _report(name: str, count: int, rounds: list[float], threshold: float) -> None:
    each = ", ".join(f"{t:.2f}" for t in rounds)
    goal = f"goal below {threshold} in one of three rounds"
    print(f"{name}: {count:,} + {count:,}, {goal}; t = {each}", flush=True)


def main() -> int:
    """Compare or measure; the exit code tells whether a secret can be inferred."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=60, metavar="SECONDS")
    parser.add_argument("--tally", type=Path, help="where the count is kept")
    parser.add_argument("--servers", action="store_true", help="at two real servers on PostgreSQL instead")
    parser.add_argument("--timing", action="store_true", help="measure times instead")
    parser.add_argument("--answers", type=int, default=ANSWERS, help="for each hidden value, with --timing")
    wanted = parser.parse_args()
    sys.path.insert(0, str(ROOT))  # for the comparison, which the tests share
    if wanted.servers:
        return compare_on_servers(wanted.budget)
    if wanted.timing:
        return asyncio.run(measure(wanted.answers))
    file = wanted.tally or home_folder("state") / "leaks.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    return asyncio.run(compare_for(wanted.budget, file))


if __name__ == "__main__":
    sys.exit(main())
