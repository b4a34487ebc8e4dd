"""Random games for as long as you like, every law checked on every state; stops at the first one broken."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from random import Random, SystemRandom

from digit_duel import games
from digit_duel.core.laws import LawBroken, Witness, check_playout
from digit_duel.core.variant import AnyVariant

TOGETHER = 50  # games that share a witness, so that their histories are compared with each other


def soak(variant: AnyVariant, seed: int) -> int:
    """A handful of random games of one kind; how many moves they had."""
    rng, witness = Random(seed), Witness()
    return sum(len(check_playout(variant.game, variant.voice, rng, witness)) for _ in range(TOGETHER))


def main() -> int:
    """Soak, and print what was done; a broken law is printed with the seed that finds it again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--game", choices=games.ids(), action="append", help="only this game")
    parser.add_argument("--seed", type=int, help="one handful of games with this seed, and no more")
    wanted = parser.parse_args()
    played: Counter[str] = Counter()
    moves: Counter[str] = Counter()
    end = time.monotonic() + 60 * wanted.minutes
    once = wanted.seed is not None
    while not played or (time.monotonic() < end and not once):
        for id in wanted.game or games.ids():
            seed = wanted.seed if once else SystemRandom().randrange(10**9)
            try:
                moves[id] += soak(games.variant(id), seed)
            except LawBroken as broken:
                print(f"{id}, seed {seed}: {broken}")
                print(f"To see it again: python benchmarks/soak.py --game {id} --seed {seed}")
                return 1
            played[id] += TOGETHER
    for id, count in played.items():
        print(f"{id:<10} {count:>9,} games, {moves[id]:>11,} moves, no law broken")
    return 0


if __name__ == "__main__":
    sys.exit(main())
