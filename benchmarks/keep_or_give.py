"""Every figure of the report as one line."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from digit_duel.solve.keep_or_give import *  # noqa: F403

TABLES = Path("tables")


class Clock:
    def __init__(self): self.wall, self.cpu = perf_counter(), process_time()
    def __str__(self): return f"{perf_counter() - self.wall:.3f} s wall, {process_time() - self.cpu:.3f} s cpu"


def solving():
    for rule in FacingFull:
        clock = Clock(); exact = payoffs(Round(facing_full=rule)); print(rule.value, "payoffs", clock)
        clock, marks = Clock(), [1e-5, 1e-6, 1e-8, 1e-9, 1e-10, 1e-12, 1e-13]
        def tell(s):
            while marks and s.gap <= marks[0]: print(f"  gap {marks.pop(0):g}: {s.iterations} iterations, {clock}")
        found = solve(exact, target=1e-13, limit=4000, progress=tell)
        print("  value", found.value)
        for scale in (1, 65535):
            table = quantise(exact.round, found.profile, scale); clock = Clock(); proof = certify(exact, table)
            print(f"  certify scale {scale}: NashConv {float(proof.nash_conv):.4g}", clock)


def asking():
    rng = np.random.default_rng(0)
    for rule, value in (("discard", 709348 / 818697), ("must_keep", 0.5859574910552)):
        clock = Clock(); table = load(TABLES / f"{rule}.kog"); print(rule, "load", clock, (TABLES / f"{rule}.kog").stat().st_size, "bytes")
        clock = Clock(); book = open_book(table, value); print("  open", clock)
        clock = Clock(); proof = certify(payoffs(table.round), table); print("  certify shipped", float(proof.nash_conv), clock)
        times = {n: [] for n in range(5)}
        for _ in range(2000):
            word = book.round.tree.nodes[int(rng.integers(19))]
            cards = rng.permutation(np.repeat(np.arange(10), 4)).tolist()
            known = seen_draws(word, mover(word))
            seen = Seen(word, tuple(cards[i] if i in known or i == len(word) else None for i in range(len(word) + 1)))
            start = perf_counter(); choices(book, seen); times[len(word)].append(perf_counter() - start)
        print("  choices ms median/max by length", {n: (round(np.median(t) * 1e3, 2), round(max(t) * 1e3, 2)) for n, t in times.items()})


def rounds(count=3000):
    rng = np.random.default_rng(1)
    for rule, value in (("discard", 709348 / 818697), ("must_keep", 0.5859574910552)):
        book = open_book(load(TABLES / f"{rule}.kog"), value)
        draws, score, ask = [], 0.0, []
        for _ in range(count):
            cards = rng.permutation(np.repeat(np.arange(10), 4)).tolist(); word, n = "", 0
            while not book.round.tree.is_end(word):
                at = book.profile.at(word); index = tuple(c if s > 1 else 0 for c, s in zip(cards, at.shape))
                word += "k" if rng.random() < at[index] else "g"
            hunter = book.round.tree.hunter(word); hands = [[cards[i] for i in hand_draws(word, s)] for s in (0, 1)]
            seen = Seen(word, tuple(cards[i] if i in seen_draws(word, hunter) else None for i in range(len(word))))
            deck, pile, since = cards[len(word):], [], []
            while len(hands[hunter]) < 3:
                if not deck: deck, pile = rng.permutation(pile).tolist(), []
                d = deck.pop(0); start = perf_counter(); best = pursue(book, Hunt(seen, tuple(since)), d).best; ask.append(perf_counter() - start)
                since.append((d, best == "k")); (hands[hunter] if best == "k" else pile).append(d)
            a, b = (sorted(h, reverse=True) for h in hands); score += 1.0 if a > b else value if a == b else 0.0; draws.append(len(word) + len(since))
        print(rule, count, "rounds: starter", round(score / count, 4), "+-", round(1.96 * (value * (1 - value) / count) ** .5, 4), "draws", np.mean(draws), "pursue ms median/max", np.median(ask) * 1e3, max(ask) * 1e3)


def again():
    for rule, tie in (("discard", .8664), ("must_keep", .586)):
        table = load(TABLES / f"{rule}.kog"); rng = np.random.default_rng(2); gaps, times = [], []
        decks = [after_tie(table.round, h) for h in list(tied_hands(table.round))[::30]]
        for size in (28, 20, 12, 8, 4):  # persistent decks
            cards = rng.permutation(np.repeat(np.arange(10), 4)); deck = np.bincount(cards[:size], minlength=10); pile = 4 - deck
            decks.append(Round(tuple(deck.tolist()), tuple(pile.tolist()), 3, table.round.facing_full))
        for r in decks:
            clock = perf_counter(); b = solve_again(r, table.profile(), ties=(tie, tie), iterations=30); times.append(perf_counter() - clock); gaps.append(b.gap)
            print("   ", rule, "deck", sum(r.deck), r.deck, f"gap {b.gap:.2g} value {b.value:.6f} {times[-1]:.2f} s")


if __name__ == "__main__":
    import sys
    for name in sys.argv[1:] or ("solving", "asking", "again", "rounds"):
        globals()[name]()
