"""Counts that go on where the last run ended, for benchmarks that are run for as long as one likes."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from digit_duel.core.files import home_folder, write_whole

ROOT = Path(__file__).parents[2]


class Tally:
    """Counts by name, kept in a file for as long as the code stays what it is."""

    def __init__(self, file: Path, *tests: str) -> None:
        """With what was counted before; tests are the modules that count, beside the server's own."""
        file.parent.mkdir(parents=True, exist_ok=True)
        self._file = file
        folders = [f"src/digit_duel/{part}/**/*.py" for part in ("core", "games", "web")]
        files = sorted(file for folder in folders for file in ROOT.glob(folder))
        files += [ROOT / f"tests/web/{name}.py" for name in tests]
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


def count_on(
    about: str | None, name: str, tests: tuple[str, ...], work: Callable[[float, Tally], bool]
) -> tuple[Tally, bool]:
    """Work for as long as the command line says, and print the counts; they, and whether all was well."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--budget", type=float, default=120, metavar="SECONDS")
    parser.add_argument("--tally", type=Path, help="where the count is kept")
    wanted = parser.parse_args()
    tally = Tally(wanted.tally or home_folder("cache") / name, *tests)
    well = work(wanted.budget, tally)
    for counted, count in sorted(tally.counts.items()):
        print(f"{counted:<14} {count:>9,}")
    return tally, well
