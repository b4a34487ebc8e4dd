"""States per second of the general solver, compared with an older commit, and of battle on arrays.

    python -m benchmarks.solvers [--before COMMIT]

Both versions run in turns, in processes of their own, on the same rules; the figure is the median of the
ratios. The older version comes from git, so this needs a clone.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).parent.parent
BEFORE = "1468c38"  # the last one that kept states in dictionaries
ROUNDS = 3
GAMES = {
    "battle pool=1-7": ("battle", {"pool": "1-7"}),
    "classic pool=1-7": ("classic", {"pool": "1-7"}),
    "sabotage places=2 pool=0-4x2": ("sabotage", {"places": "2", "pool": "0-4x2"}),
}
TIMED = """
import sys, time
from digit_duel.games import variant
from digit_duel.solve.general.tablebase import Tablebase
game = variant({id!r}).customised({options!r}).game
begin = time.process_time()
states = Tablebase(game).states
print(states / (time.process_time() - begin))
"""


def rate(source: Path, id: str, options: dict[str, str]) -> float:
    """States per second of processor time, with the package in a given folder."""
    command = [sys.executable, "-c", TIMED.format(id=id, options=options)]
    found = subprocess.run(
        command, env={"PYTHONPATH": str(source)}, check=True, capture_output=True, text=True
    )
    return float(found.stdout)


def general(before: Path) -> bool:
    """Print the ratio for each game; returns whether all are at least three."""
    reached = True
    for name, (id, options) in GAMES.items():
        pairs = [(rate(before, id, options), rate(ROOT / "src", id, options)) for _ in range(ROUNDS)]
        ratio = statistics.median(now / then for then, now in pairs)
        then, now = (statistics.median(column) for column in zip(*pairs, strict=True))
        print(f"{name:<30} {then:>9,.0f} then  {now:>9,.0f} now  {ratio:.2f} times", flush=True)
        reached &= ratio >= 3
    return reached


def battle() -> None:
    """Print the time to solve battles on arrays, on one processor."""
    from digit_duel.games import variant
    from digit_duel.games._battle import Battle
    from digit_duel.solve.battle.table import cells, solve

    for options in ({}, {"pool": "1-9x2"}):
        game = variant("battle").customised(options).game_as(Battle)
        begin = time.process_time()
        solve(game)
        seconds = time.process_time() - begin
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        print(f"battle {options or ''}: {cells(game):,} cells in {seconds:.2f} s, {memory} MiB")


def main() -> int:
    """Print every figure; the exit code tells whether the goal was reached."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--before", default=BEFORE, help="the commit to compare with")
    commit = parser.parse_args().before
    battle()
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, check=True, capture_output=True)
        with tarfile.open(fileobj=BytesIO(archive.stdout)) as packed:
            packed.extractall(folder, filter="data")
        return 0 if general(Path(folder) / "src") else 1


if __name__ == "__main__":
    sys.exit(main())
