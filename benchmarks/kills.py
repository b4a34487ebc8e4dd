"""Servers killed while people play, counted over as many runs as you like: is any acknowledged move lost?

SAFETY R1, for SQLite under one and two servers and for PostgreSQL under two. The tally goes on where the last
run ended, and begins anew when the code has changed. Fails if a move is lost, doubled or seen and then gone.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from digit_duel.core.files import home_folder, write_whole

ROOT = Path(__file__).parent.parent
CYCLES, MOVES = 10_000, 1_000_000  # the goal
TOGETHER = 24  # kills of one database, after which a new one is begun
TABLES = 12
LATEST = 100  # writes of one server, at most, before it dies
HOUSES = (("sqlite", 1), ("sqlite", 2), ("postgres", 2))


class Tally:
    """Counts by name, kept in a file for as long as the code stays what it is."""

    def __init__(self, file: Path, *tests: str) -> None:
        """With what was counted before; tests are the modules that count, beside the server's own."""
        file.parent.mkdir(parents=True, exist_ok=True)
        self._file = file
        folders = [f"src/digit_duel/{part}/**/*.py" for part in ("core", "games", "web")]
        parts = [*folders, *(f"tests/web/{name}.py" for name in tests)]
        files = sorted(file for part in parts for file in ROOT.glob(part))
        self._code = sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]
        self.counts: dict[str, int] = {}
        try:
            kept = json.loads(file.read_text())
        except FileNotFoundError:
            return
        if kept["code"] == self._code:
            self.counts = kept["counts"]
        else:
            print(f"{file.name}: the code has changed, so the count begins anew")

    def __getitem__(self, name: str) -> int:
        return self.counts.get(name, 0)

    def add(self, **counts: int) -> None:
        """Count on, and keep it."""
        for name, count in counts.items():
            self.counts[name] = self[name] + count
        write_whole(self._file, json.dumps({"code": self._code, "counts": self.counts}).encode())


def kill_for(budget: float, tally: Tally) -> bool:
    """Kill servers until the time is up; whether all was well."""
    from tests.web.killing import Siege
    from tests.web.nest import Nest
    from tests.web.postgres import Postgres

    end = time.monotonic() + budget
    postgres = Postgres()
    try:
        with Nest() as nest:
            while time.monotonic() < end:
                store, servers = min(HOUSES, key=lambda house: tally[f"{house[0]} {house[1]}"])
                with TemporaryDirectory() as name:
                    folder = Path(name)
                    database = postgres.create_database() if store == "postgres" else str(folder / "db")
                    siege = Siege(nest, database, folder, servers, f"release {tally['cycles']}", LATEST)
                    try:
                        done = siege.run(TOGETHER, TABLES)
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
    """Kill, print, and say by the exit code whether anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=120, metavar="SECONDS")
    parser.add_argument("--tally", type=Path, help="where the count is kept")
    wanted = parser.parse_args()
    sys.path.insert(0, str(ROOT))  # the people and the checker are the tests' own
    file = wanted.tally or home_folder("cache") / "kills.json"
    tally = Tally(file, "checker", "killing", "nest", "test_faulty_network")
    well = kill_for(wanted.budget, tally)
    for name, count in sorted(tally.counts.items()):
        print(f"{name:<14} {count:>9,}")
    done = f"{tally['cycles']:,} of {CYCLES:,} kills, {tally['moves']:,} of {MOVES:,} acknowledged moves"
    print(f"{done}; databases in which one was lost or doubled: {int(not well)}")
    return int(not well)


if __name__ == "__main__":
    sys.exit(main())
