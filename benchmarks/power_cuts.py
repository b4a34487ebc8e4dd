"""Does a simulated power cut ever lose an acknowledged move? Counted over any number of runs.

SAFETY R2: random matches are played on the SQLite store, with a power cut after every call to the disk. The
tally continues where the last run ended, and restarts when the code has changed. Fails if anything is lost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Mapping
from contextlib import aclosing
from hashlib import sha256
from pathlib import Path
from random import Random

from digit_duel.core.files import home_folder, write_whole

ROOT = Path(__file__).parent.parent
GOAL = 100_000  # cuts
CODE = {".c", ".py", ".sql"}


def fingerprint() -> str:
    """A fingerprint of the code of the store and of the power cuts."""
    folders = ((ROOT / "src/digit_duel/web/store", "**/*.*"), (ROOT / "tests/web/store", "[pr]*.*"))
    files = {file for folder, names in folders for file in folder.glob(names) if file.suffix in CODE}
    return sha256(b"".join(file.read_bytes() for file in sorted(files))).hexdigest()[:16]


def resumed(file: Path, code: str) -> dict[str, int]:
    """The tally so far, if it was made with this code."""
    if file.exists():
        kept = json.loads(file.read_text())
        if kept["code"] == code:
            return {"matches": kept["matches"], "cuts": kept["cuts"]}
        print(f"{file.name}: the code has changed, so the count starts again")
    return {"matches": 0, "cuts": 0}


async def cut_for(budget: float, file: Path) -> int:
    """Cut the power until time is up, the goal is reached or a move is lost; returns the exit code."""
    from tests.web.store.power import cut_everywhere
    from tests.web.store.recording_disk import Script, compiled, quick_folder, record, told_too_early

    code = fingerprint()
    tally = resumed(file, code)
    end = time.monotonic() + budget
    found: list[str] = []
    with quick_folder() as tools, quick_folder() as folder:
        library = compiled(Path(tools))
        while not found and tally["cuts"] < GOAL and time.monotonic() < end:
            seed = f"release/{tally['matches']}"
            script = Script.drawn(Random(seed))
            with quick_folder() as place:
                operations = record(library, script, Path(place))
            found += [f"{event}: acknowledged before it was synced" for event in told_too_early(operations)]
            tally["matches"] += 1
            async with aclosing(cut_everywhere(operations, script, Path(folder), seed)) as cuts:
                async for lost in cuts:
                    tally["cuts"] += 1
                    if lost is not None:
                        found += [str(lost), f"What was left: {_kept(file, lost.files)}"]
                    if found or tally["cuts"] == GOAL or time.monotonic() > end:
                        break
            if not found:  # otherwise the next run must find it again
                write_whole(file, json.dumps({"code": code, **tally}).encode())
    for line in found:
        print(line)
    told = f"{'SOMETHING' if found else 'nothing'} lost in {tally['matches']:,} matches"
    print(f"{told}; power cuts, of {GOAL:,}: {tally['cuts']:,}")
    return int(bool(found))


def _kept(file: Path, left: Mapping[str, bytes]) -> Path:
    """Save files for inspection, because a match cannot be replayed exactly."""
    folder = file.with_suffix(".lost")
    for name, content in left.items():
        write_whole(folder / name, content)
    return folder


def main() -> int:
    """Cut the power and print the tally; the exit code tells whether anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=60, metavar="SECONDS")
    parser.add_argument("--tally", type=Path, help="where the count is kept")
    wanted = parser.parse_args()
    sys.path.insert(0, str(ROOT))  # for the power cuts, which the tests share
    return asyncio.run(cut_for(wanted.budget, wanted.tally or home_folder("cache") / "power-cuts.json"))


if __name__ == "__main__":
    sys.exit(main())
