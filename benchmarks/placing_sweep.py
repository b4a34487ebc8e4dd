"""The time to solve sabotage with exact margins, compared with a plain C sweep in the same run."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
ROUNDS = 3
SHARE, MEMORY = 0.40, 2048  # goals: a share of the C sweep's time, and MiB

# A fresh process for every solve, as for C: both are charged for touching memory, not for loading libraries.
SOLVE = """
import json, resource, time
from digit_duel.games.sabotage import VARIANT
from digit_duel.solve.placing import {module} as solver
SABOTAGE = VARIANT.game
begin, cpu = time.perf_counter(), time.process_time()
table = solver.solve(SABOTAGE)
seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
cells = solver.fits(SABOTAGE).cells
print(json.dumps(dict(states=table.states, cells=cells, seconds=seconds, cpu=cpu, memory=memory)))
"""


def run(command: list[str]) -> dict[str, float]:
    """Run one solver and read the figures it prints, adding its processor time if it prints none."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    figures: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, **figures}


def main() -> int:
    """Solve in turns and compare the best times; the exit code tells whether every goal was reached."""
    with TemporaryDirectory() as folder:
        binary = str(Path(folder, "plain_sweep"))
        subprocess.run(["cc", "-O2", str(HERE / "plain_sweep.c"), "-o", binary], check=True)
        commands = {"plain C": [binary]}
        for module in ("packed", "pooled"):
            commands[module] = [sys.executable, "-c", SOLVE.format(module=module)]
        runs = [{name: run(command) for name, command in commands.items()} for _ in range(ROUNDS)]
    best, cpu = (
        {name: min(one[name][what] for one in runs) for name in commands} for what in ("seconds", "cpu")
    )
    missed = False
    for name in ("packed", "pooled"):
        ratios = sorted(one[name]["seconds"] / one["plain C"]["seconds"] for one in runs)
        memory = max(one[name]["memory"] for one in runs)
        reached = best[name] <= SHARE * best["plain C"] and memory < MEMORY
        missed |= not reached
        print(
            f"sabotage, exact margins of {runs[0][name]['states']:,} states: "
            f"{name} ({runs[0][name]['cells']:,} cells) {best[name]:.3f} s ({cpu[name]:.3f} s of processor), "
            f"{memory} MiB; plain C {best['plain C']:.2f} s ({cpu['plain C']:.2f} s of processor); "
            f"{best[name] / best['plain C']:.1%} of its time "
            f"(round by round {', '.join(f'{ratio:.1%}' for ratio in ratios)}), "
            f"{cpu[name] / cpu['plain C']:.1%} of its processor time; "
            f"goal {SHARE:.0%} of the time and {MEMORY} MiB: {'reached' if reached else 'MISSED'}"
        )
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
