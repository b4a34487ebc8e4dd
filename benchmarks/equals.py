"""Checks the exact odds between equal players against games that the computers really play.

    python -m benchmarks.equals [--games 20000] [GAME ...]

For each game and level: the first player's points by the exact computation, the points in the games played,
and whether the exact figure lies inside the 99% interval.
"""

from __future__ import annotations

import argparse
import sys
from math import sqrt
from statistics import mean, pstdev

from benchmarks.ladder import play

from digit_duel.bots import LEVELS
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant
from digit_duel.games import variant
from digit_duel.lab.equals.balance import between_levels
from digit_duel.lab.equals.pair_statistics import WIDE
from digit_duel.solve.general.tablebase import Tablebase

# Games small enough for the exact computation: a rulebook's, or a small version of it.
GAMES = (
    "classic",
    "battle",
    "sabotage places=2 pool=0-3x2",
    "classic places=2 pick=draw",
    "classic places=2 pool=1-5 swap=yes",
    "reverse",
)


def chosen(text: str) -> AnyVariant:
    """The rule set of a line such as 'classic places=2'."""
    id, *settings = text.split()
    return variant(id).customised(dict(setting.split("=") for setting in settings))


def points(rules: AnyVariant, level: str, games: int) -> tuple[float, float]:
    """The first player's share of the points in games really played, and its standard error."""
    makers = (LEVELS[level], LEVELS[level])
    won = [
        (play(rules, makers, f"equals/{level}/{number}").score(Seat.FIRST) + 1) / 2 for number in range(games)
    ]
    return mean(won), pstdev(won) / sqrt(games)


def main() -> int:
    """Print every figure; returns 1 if more lie outside their interval than chance explains."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("rules", nargs="*", metavar="GAME", default=GAMES)
    asked = parser.parse_args()
    outside = 0
    for text in asked.rules:
        rules = chosen(text)
        exact = between_levels(rules, Tablebase(rules.game))
        for level in LEVELS:
            told, (played, error) = exact[level, level].points, points(rules, level, asked.games)
            inside = abs(played - told) <= WIDE * error + 1e-6
            outside += not inside
            said = "inside" if inside else "OUTSIDE"
            print(
                f"{text:<30} {level:<9} exact {told:.4f}  played {played:.4f} ± {WIDE * error:.4f}  {said}",
                flush=True,
            )
    print(f"{outside} outside")
    return 1 if outside > 1 else 0


if __name__ == "__main__":
    sys.exit(main())
