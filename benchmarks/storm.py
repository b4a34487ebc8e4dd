"""Play, floods, and failures of servers, PostgreSQL, nginx, disk and clock, all at the same time.

Two servers on PostgreSQL behind nginx, with the shipped configuration. Pairs play game after game while
strangers flood the site and something fails every few seconds. Fails if an acknowledged move is lost or
duplicated, if anybody gets a 5xx that is not a documented refusal, if a server exits with the wrong code or
logs anything but JSON, or if the memory or descriptors of the server that was never killed keep growing.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import SystemRandom

ROOT = Path(__file__).parent.parent


def main() -> int:
    """Run the storm and print a summary; the exit code tells whether all was well."""
    sys.path.insert(0, str(ROOT))  # for the site, the players and the checker, which the tests share
    from tests.web.storm.course import Storm

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("--floods", type=int, default=4)
    parser.add_argument("--seed", type=int, help="the seed of the faults; random by default")
    wanted = parser.parse_args()
    seed = SystemRandom().randrange(10**6) if wanted.seed is None else wanted.seed
    storm = Storm(seed, wanted.pairs, wanted.floods)
    if not storm.site.has_disk:
        print("the disk is never full in this run: only root can mount a small one")
    report = storm.run(60 * wanted.minutes)
    print(f"seed {seed}; {', '.join(f'{kind} {count}' for kind, count in sorted(report.faults.items()))}")
    print(f"answers by status, where 0 is a broken connection: {dict(sorted(report.statuses.items()))}")
    print(f"memory {report.memory[0]:.0f} to {report.memory[1]:.0f} MB, descriptors {report.descriptors}")
    for wrong in report.wrong:
        print(f"WRONG {wrong}")
    done = f"{report.moves:,} moves acknowledged ({report.repeats:,} told twice) in {report.games:,} games"
    print(f"{done}, {report.flood:,} messages of floods; mistakes: {len(report.wrong)}")
    return int(bool(report.wrong))


if __name__ == "__main__":
    sys.exit(main())
