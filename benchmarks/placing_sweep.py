"""Print how long sabotage takes to solve with exact margins, beside a plain C sweep in the same run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
ROUNDS = 3

# A fresh process for every solve, as for C: both pay for the memory they touch, not for loading libraries.
SOLVE = """
import json, resource, time
from digit_duel.games.sabotage import VARIANT
from digit_duel.solve.placing import {module} as solver
SABOTAGE = VARIANT.game
begin = time.perf_counter()
table = solver.solve(SABOTAGE)
seconds = time.perf_counter() - begin
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
cells = solver.fits(SABOTAGE).cells
print(json.dumps({{"states": table.states, "cells": cells, "seconds": seconds, "memory": memory}}))
"""


def run(command: list[str]) -> dict[str, float]:
    """Run one solver and read the figures it prints."""
    figures: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return figures


def main() -> None:
    """Solve in turns, and compare the best times."""
    with TemporaryDirectory() as folder:
        binary = str(Path(folder, "plain_sweep"))
        subprocess.run(["cc", "-O2", str(HERE / "plain_sweep.c"), "-o", binary], check=True)
        commands = {"plain C": [binary]}
        for module in ("packed", "pooled"):
            commands[module] = [sys.executable, "-c", SOLVE.format(module=module)]
        runs = [{name: run(command) for name, command in commands.items()} for _ in range(ROUNDS)]
    best = {name: min(one[name]["seconds"] for one in runs) for name in commands}
    for name in ("packed", "pooled"):
        ratios = sorted(one[name]["seconds"] / one["plain C"]["seconds"] for one in runs)
        memory = max(one[name]["memory"] for one in runs)
        print(
            f"sabotage, exact margins of {runs[0][name]['states']:,} states: "
            f"{name} ({runs[0][name]['cells']:,} cells) {best[name]:.3f} s, {memory} MiB; "
            f"plain C {best['plain C']:.2f} s; {best[name] / best['plain C']:.1%} of its time "
            f"(round by round {', '.join(f'{ratio:.1%}' for ratio in ratios)})"
        )


if __name__ == "__main__":
    main()
