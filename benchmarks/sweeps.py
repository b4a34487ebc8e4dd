"""A sweep over placing rule sets of up to three places: local processes compared with a Dask cluster.

    python -m benchmarks.sweeps [--rounds 3] [--processes 2]

Both work on the same rule sets in turns, with equally many processes. The cluster is started before the first
round; local processes are started for every sweep, so the time of a sweep of two rule sets is subtracted from
theirs. It needs the extra [cluster].
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from digit_duel.lab.sweeps.sweep import Plan, Row, Workers, run
from digit_duel.lab.sweeps.workers import Cluster, Processes

POOLS = ("1-4", "1-5", "1-6", "1-7", "1-8", "1-9", "0-9", "0-5x2", "1-9x2", "0-9x2")
PLAN = Plan(
    "classic",
    (),
    (
        ("places", ("1", "2", "3")),
        ("pool", POOLS),
        ("goal", ("high", "low")),
        ("reach", ("own", "any")),
        ("tie", ("second", "draw", "first")),
        ("pick", ("choose", "draw")),
        ("bonus", ("0", "11")),
    ),
)
START = Plan("classic", (("places", "1"),), (("pool", ("1-4", "1-5")),))
GOAL = 0.10  # the largest overhead allowed for a cluster


def timed(workers: Workers, folder: Path, plan: Plan = PLAN) -> tuple[float, list[Row]]:
    """The time that a sweep takes, and its rows."""
    begin = time.perf_counter()
    rows = run(plan, folder / f"{begin}.journal", workers)
    return time.perf_counter() - begin, rows


def main() -> int:
    """Print the times and the overhead; returns 1 if the goal is missed or the rows differ."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    distributed: Any = import_module("distributed")  # has no types
    ratios, alike = [], True
    with (
        tempfile.TemporaryDirectory() as name,
        distributed.LocalCluster(
            asked.processes, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
    ):
        folder, remote, local = Path(name), Cluster(cluster.scheduler_address), Processes(asked.processes)
        timed(remote, folder)  # a warm-up: the workers load the package once
        for _ in range(asked.rounds):
            started, _ = timed(local, folder, START)
            here, rows = timed(local, folder)
            here -= started
            there, others = timed(remote, folder)
            alike &= rows == others
            ratios.append(there / here)
            print(f"{len(PLAN):,} rule sets: {here:.1f} s locally, {there:.1f} s on the cluster", flush=True)
    more = statistics.median(ratios) - 1
    print(f"overhead {more:+.1%}; the rows are {'the same' if alike else 'DIFFERENT'}")
    return 0 if alike and more < GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
