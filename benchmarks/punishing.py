"""Cards: how often does the perfect computer win a round against the lower levels, now and with older tables?

A line for each rule and level, with the 99% interval. Rounds come in pairs, with swapped seats and the same
cards. With --before FOLDER, a folder with other tables (discard.kog, must_keep.kog), those tables play the
same rounds against the same opponents, too; fails if they win significantly more often.

With --exact no round is played: it computes the same tables' exact share of wins against an opponent who
tosses a coin for every choice and lays out the highest number.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev

from digit_duel import games
from digit_duel.bots import LEVELS
from digit_duel.bots.bot import AnyBot
from digit_duel.bots.cards.players import CardsVariant, PerfectCardsBot
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Arrange, CardsMove, Give, Keep, Sight
from digit_duel.solve.cards.knowledge import round_knowledge
from digit_duel.solve.cards.rounds import shipped_strategy
from digit_duel.solve.keep_or_give import (
    SECOND,
    STARTER,
    FullHandRule,
    RoundStrategy,
    load,
    mover,
    payoffs,
)
from digit_duel.solve.keep_or_give.counterfactual import reaches

ROOT = Path(__file__).parent.parent
RULES = ("discard", "must_keep")
WEAKER = ("random", "sensible", "careful")
SURE = 2.576  # standard deviations on either side of a 99% interval


@dataclass
class TablePlayer:
    """The perfect computer with a given table; records whether another table would have chosen otherwise."""

    variant: CardsVariant
    seat: Seat
    rng: Random
    table: RoundStrategy
    other: RoundStrategy | None
    differs: bool = False

    def choose(self, view: Sight, legal: Sequence[CardsMove]) -> CardsMove:
        game = self.variant.game_as(Cards)
        if isinstance(legal[0], Arrange) or any(game.full(hand) for hand in view.hands):
            return PerfectCardsBot(self.variant, self.seat, self.rng).choose(view, legal)
        luck = self.rng.random()
        keeps = luck < self._share(self.table, view)
        self.differs |= self.other is not None and keeps != (luck < self._share(self.other, view))
        return Keep() if keeps else Give()

    def _share(self, table: RoundStrategy, view: Sight) -> float:
        known = round_knowledge(self.variant.game_as(Cards), view)
        parts = table.round.tree.at(table.keep[mover(known.word)], known.word)
        return float(parts[tuple(digit or 0 for digit in (*known.digits, view.drawn))]) / table.scale


def won(
    variant: AnyVariant, level: str, seat: Seat, seed: str, table: RoundStrategy, other: RoundStrategy | None
) -> tuple[bool, bool]:
    """Whether a table wins a round in a seat, and whether another table would have played it otherwise."""
    from benchmarks.ladder import play

    seated: list[TablePlayer] = []

    def sit(variant: CardsVariant, seat: Seat, rng: Random) -> AnyBot:
        seated.append(TablePlayer(variant, seat, rng, table, other))
        return seated[0]

    makers = (sit, LEVELS[level]) if seat is Seat.FIRST else (LEVELS[level], sit)
    outcome = play(variant, makers, seed)
    return outcome.score(seat) > 0, seated[0].differs


def interval(points: Sequence[float]) -> str:
    """The mean of some points, with its 99% interval."""
    return f"{mean(points):.5f} +- {SURE * stdev(points) / sqrt(len(points)):.5f}"


def compare(rule: str, level: str, rounds: int, before: RoundStrategy | None) -> tuple[str, bool]:
    """The shares of a rule and level as one line, and whether the share is at least as good as before."""
    variant = games.variant("cards").customised({"facing_full": rule, "wins_needed": "1"})
    table, after, earlier, changed = shipped_strategy(rule), [], [], 0
    for number in range(rounds // 2):
        pair = [won(variant, level, seat, f"{rule}/{number}", table, before) for seat in Seat]
        after.append(sum(win for win, _ in pair) / 2)
        if before is not None:
            # A round in which both tables make the same choices need not be played twice.
            again = [
                won(variant, level, seat, f"{rule}/{number}", before, None)[0] if differs else win
                for seat, (win, differs) in zip(Seat, pair, strict=True)
            ]
            earlier.append(sum(again) / 2)
            changed += sum(differs for _, differs in pair)
    line = f"cards {rule}, perfect against {level}: wins {interval(after)} of {rounds:,} rounds"
    if before is None:
        return line, True
    gains = [new - old for new, old in zip(after, earlier, strict=True)]
    line += f"; before {interval(earlier)}; {changed} rounds differ, gain {interval(gains)}"
    good = mean(gains) >= -SURE * stdev(gains) / sqrt(len(gains))
    return f"{line}; goal at least as often: {'reached' if good else 'MISSED'}", good


def coin_share(table: RoundStrategy) -> Fraction:
    """The exact share of rounds, averaged over both seats, that a table wins against coin tosses."""
    round_ = table.round
    tree, exact = round_.tree, payoffs(round_)
    keeping = payoffs(
        replace(round_, facing_full=FullHandRule.MUST_KEEP)
    )  # who tosses coins ends up with any
    share = Fraction(0)
    for seat in (STARTER, SECOND):
        parts = {word: part.astype(object) for word, part in table.counts(seat).items()}
        tosses = {word: part * 0 + 1 for word, part in table.counts(1 - seat).items()}
        own, coins = reaches(tree, seat, parts, table.scale), reaches(tree, 1 - seat, tosses, 2)
        won = tied = Fraction(0)
        for end in tree.ends:
            paid = exact if tree.hunter(end) == seat else keeping
            made = sum(mover(end[:i]) == seat for i in range(len(end)))
            ways = paid.total * table.scale**made * 2 ** (len(end) - made)
            weight = own[end] * coins[end].astype(object)
            won += Fraction(int((paid.win[end] * weight).sum()), ways)
            tied += Fraction(int((paid.tie[end] * weight).sum()), ways)
        first = won / (1 - tied)  # a tie is played again
        share += (first if seat == STARTER else 1 - first) / 2
    return share


def main(arguments: Sequence[str] | None = None) -> int:
    """Print every share; the exit code tells whether any fell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20_000, help="for each rule and level")
    parser.add_argument("--before", type=Path, help="a folder with the tables to compare with")
    parser.add_argument("--exact", action="store_true", help="the exact shares against tosses of a coin")
    options = parser.parse_args(arguments)
    sys.path.insert(0, str(ROOT))  # for benchmarks.ladder, which plays the rounds
    missed = False
    for rule in RULES:
        before = load(options.before / f"{rule}.kog") if options.before else None
        if options.exact:
            shares = [coin_share(table) for table in (shipped_strategy(rule), before) if table is not None]
            told = ", before ".join(f"{float(share):.9f}" for share in shares)
            print(f"cards {rule}, perfect against tosses of a coin: wins exactly {told}", flush=True)
            missed |= shares[0] < shares[-1]
            continue
        for level in WEAKER:
            line, good = compare(rule, level, options.rounds, before)
            print(line, flush=True)
            missed |= not good
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
