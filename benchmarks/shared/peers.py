"""Packages of peers, installed once, beside the project: a benchmark runs again where it finds them."""

from __future__ import annotations

import os
import subprocess
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"


def run_inside(
    folder: Path, packages: Sequence[str], excuse: str, call: Sequence[str], variables: Mapping[str, str]
) -> int:
    """Install the packages once, and run a file with them; where that cannot be, print the excuse and why."""
    python, ready = folder / "bin" / "python", folder / "ready"
    if not ready.exists():
        venv.create(folder, clear=True, with_pip=True)
        install = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--retries", "1"]
        done = subprocess.run([str(python), *install, *packages], capture_output=True, text=True)
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            print(f"{excuse} ({reason})")
            return 0
        ready.touch()
    inside = {**os.environ, "PYTHONPATH": str(SOURCE), **variables}
    return subprocess.run([str(python), *call], env=inside).returncode
