"""Estimates the cost of solving all placing games of up to four places, from a random sample of rule sets.

    python -m benchmarks.campaign [--minutes 10] [--seed 1]

The campaign covers every pool that is a range of digits, once or twice, up to 0-9x2, and every goal, reach,
tie and pick. Rule sets are sampled from each kind in turn and solved without caches until the time is up.
Times are processor seconds, for best play only.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from itertools import product
from math import sqrt
from random import Random

from digit_duel.lab.sweeps.sweep import Task, row_of

RANGES = [f"{low}-{high}" if low < high else str(low) for low in range(10) for high in range(low, 10)]
POOLS = [f"{digits}{copies}" for digits in RANGES for copies in ("", "x2")]
OPTIONS = ("places", "pool", "goal", "reach", "tie", "pick")
GRID: list[tuple[str, ...]] = list(
    product("1234", POOLS, ("high", "low"), ("own", "any"), ("second", "draw", "first"), ("choose", "draw"))
)
WIDE = 2.576  # standard errors on either side of a 99% interval


def digits(pool: str) -> int:
    """The number of distinct digits in a pool."""
    body, twice, _ = pool.partition("x")
    return (int(body[-1]) - int(body[0]) + 1) * (2 if twice else 1)


def kind(options: tuple[str, ...]) -> str:
    """The kind of a rule set; rule sets of one kind cost about the same."""
    places, _, _, reach, _, pick = options
    if places != "4":
        return f"up to three places, {pick}"
    return f"four places, {reach} board, {pick}"


def seconds(options: tuple[str, ...]) -> tuple[float, str]:
    """The processor time to solve one rule set without cached files, and why it is unsolved, if it is."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        task = Task(0, "classic", tuple(zip(OPTIONS, options, strict=True)), equals=False, games=None)
        begin = time.process_time()
        reason = row_of(task)[1]["reason"]
        return time.process_time() - begin, str(reason or "")


def main() -> None:
    """Print the cost of each kind, then of the campaign on one, ten and a thousand machines."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    source, until = Random(asked.seed), time.monotonic() + 60 * asked.minutes
    kinds: dict[str, list[tuple[str, ...]]] = {}
    for options in GRID:
        if digits(options[1]) >= 2 * int(options[0]):
            kinds.setdefault(kind(options), []).append(options)
    left = {name: source.sample(found, len(found)) for name, found in kinds.items()}
    seconds(("1", "0-9", "high", "own", "draw", "choose"))  # loads the solvers
    taken: dict[str, list[float]] = {name: [] for name in kinds}
    unsolved: list[str] = []
    while time.monotonic() < until and any(left.values()):
        for name, rest in left.items():
            if rest and time.monotonic() < until:
                options = rest.pop()
                spent, reason = seconds(options)
                taken[name].append(spent)
                if reason:
                    unsolved.append(f"{' '.join(options)}: {reason}")
    total, variance, longest = 0.0, 0.0, 0.0
    print("kind | rule sets | sample | mean s | deviation | longest")
    for name, found in taken.items():
        mean, spread, many = statistics.mean(found), statistics.stdev(found), len(kinds[name])
        print(f"{name} | {many:,} | {len(found):,} | {mean:.3f} | {spread:.3f} | {max(found):.2f}")
        total += many * mean
        # Finite population correction: the sampled part is known exactly.
        variance += many**2 * spread**2 / len(found) * (1 - len(found) / many)
        longest = max(longest, *found)
    print(f"in all {total / 3600:.2f} hours of one core, give or take {WIDE * sqrt(variance) / 3600:.2f}")
    for machines in (1, 10, 1000):
        print(f"{machines:,} machines of 16 cores: {max(total / (16 * machines), longest):,.0f} s")
    print(f"{len(unsolved)} of the sample cannot be solved", *unsolved[:5], sep="\n")


if __name__ == "__main__":
    main()
