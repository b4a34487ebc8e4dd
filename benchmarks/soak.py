"""Random games for any length of time, checking every law on every state; stops at the first violation."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from random import Random, SystemRandom

from digit_duel import games
from digit_duel.core.laws import LawBroken, Witness, check_playout
from digit_duel.core.variant import AnyVariant

TOGETHER = 50  # games that share a witness, which compares their histories with each other


def soak(variant: AnyVariant, seed: int) -> int:
    """Play a batch of random games of one kind; returns the number of moves."""
    rng, witness = Random(seed), Witness()
    return sum(len(check_playout(variant.game, variant.voice, rng, witness)) for _ in range(TOGETHER))


def main() -> int:
    """Soak, and print a summary; a broken law is printed with the seed that reproduces it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--game", choices=games.ids(), action="append", help="only this game")
    parser.add_argument("--seed", type=int, help="play only one batch of games, with this seed")
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
                print(f"To reproduce it: python benchmarks/soak.py --game {id} --seed {seed}")
                return 1
            played[id] += TOGETHER
    for id, count in played.items():
        print(f"{id:<10} {count:>9,} games, {moves[id]:>11,} moves, no law broken")
    return 0


if __name__ == "__main__":
    sys.exit(main())
