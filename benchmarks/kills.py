"""Is any acknowledged move lost when servers are killed during play? Counted over any number of runs.

SAFETY R1, for SQLite under one and two servers and for PostgreSQL under two. The tally continues where the
last run ended, and restarts when the code has changed. Fails if a move is lost, duplicated, or seen and then
gone.
"""

from __future__ import annotations

import sys
import time
import traceback
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.shared.tally import Tally

ROOT = Path(__file__).parent.parent
CYCLES, MOVES = 10_000, 1_000_000  # the goal
TOGETHER = 24  # kills per database, before a new one is started
GAMES = 12
LATEST = 100  # a server is killed after at most this many writes
HOUSES = (("sqlite", 1), ("sqlite", 2), ("postgres", 2))


def kill_for(budget: float, tally: Tally) -> bool:
    """Kill servers until the time is up; returns whether all was well."""
    from tests.web.fork_server import ForkServer
    from tests.web.killing import KillRun
    from tests.web.postgres import Postgres

    end = time.monotonic() + budget
    postgres = Postgres()
    try:
        with ForkServer() as fork_server:
            while time.monotonic() < end:
                store, servers = min(HOUSES, key=lambda house: tally[f"{house[0]} {house[1]}"])
                with TemporaryDirectory() as name:
                    folder = Path(name)
                    database = postgres.create_database() if store == "postgres" else str(folder / "db")
                    kills = KillRun(
                        fork_server, database, folder, servers, f"release {tally['cycles']}", LATEST
                    )
                    try:
                        done = kills.run(TOGETHER, GAMES)
                    except (AssertionError, LookupError, ExceptionGroup) as wrong:
                        traceback.print_exception(wrong)
                        return False
                tally.add(
                    cycles=done.cycles, moves=done.acked, repeats=done.repeats, games=done.games,
                    **{f"{store} {servers}": done.cycles, **done.deaths},
                )  # fmt: skip
    finally:
        postgres.remove()
    return True


def main() -> int:
    """Kill servers and print the tally; the exit code tells whether anything was lost."""
    sys.path.insert(0, str(ROOT))  # for the players and the checker, which the tests share
    from benchmarks.shared.tally import count_on

    tests = ("checker", "killing", "fork_server", "play/test_faulty_network")
    tally, well = count_on(__doc__, "kills.json", tests, kill_for)
    done = f"{tally['cycles']:,} of {CYCLES:,} kills, {tally['moves']:,} of {MOVES:,} acknowledged moves"
    print(f"{done}; databases in which a move was lost or duplicated: {int(not well)}")
    return int(not well)


if __name__ == "__main__":
    sys.exit(main())
