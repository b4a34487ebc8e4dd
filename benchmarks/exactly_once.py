"""Is each move made exactly once if the network loses, duplicates, delays or reorders 3 in 10 messages?

SAFETY R3, for SQLite and PostgreSQL. The tally continues where the last run ended, and restarts when the code
has changed. Fails if a move is missing, duplicated or not the one requested.
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
MOVES = 1_000_000  # the goal
TOGETHER = 300  # games at a time, in a database of their own
STORES = ("sqlite", "postgres")


def play_for(budget: float, tally: Tally) -> bool:
    """Play over a bad network until the time is up; returns whether all was well."""
    from tests.web.play.test_faulty_network import play_moves
    from tests.web.postgres import Postgres
    from tests.web.server import running_server

    end = time.monotonic() + budget
    postgres = Postgres()
    try:
        while time.monotonic() < end:
            store = min(STORES, key=lambda store: tally[store])
            with TemporaryDirectory() as name:
                folder = Path(name)
                database = postgres.create_database() if store == "postgres" else str(folder / "db")
                with running_server(folder, database=database) as server:
                    try:
                        done = play_moves(server, 1, TOGETHER, tally["moves"])
                    except (AssertionError, LookupError, ExceptionGroup) as wrong:
                        traceback.print_exception(wrong)
                        return False
            tally.add(
                moves=done.moves, resent=done.resent, lines=done.lines, messages=done.passed,
                **{store: done.moves, **done.faults},
            )  # fmt: skip
    finally:
        postgres.remove()
    return True


def main() -> int:
    """Play and print the tally; the exit code tells whether anything went wrong."""
    sys.path.insert(0, str(ROOT))  # for the players, the network and the checker, which the tests share
    from benchmarks.shared.tally import count_on

    tests = ("checker", "faulty", "play/test_faulty_network")
    tally, well = count_on(__doc__, "exactly-once.json", tests, play_for)
    print(f"{tally['moves']:,} of {MOVES:,} moves; rounds with an anomaly: {int(not well)}")
    return int(not well)


if __name__ == "__main__":
    sys.exit(main())
