"""Exact best responses to a strategy, in fractions: what it guarantees, without rounding errors."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import DTypeLike

from digit_duel.solve.keep_or_give.counterfactual import fold, reached_values, reaches
from digit_duel.solve.keep_or_give.payoffs import Payoffs
from digit_duel.solve.keep_or_give.public_tree import SECOND, STARTER, AnyArray, mover
from digit_duel.solve.keep_or_give.strategy import RoundStrategy

_INT64 = 2**62


@dataclass(frozen=True)
class Certificate:
    """Proven bounds: the starter's strategy wins at least low, the second seat's concedes at most high."""

    low: Fraction
    high: Fraction

    @property
    def nash_conv(self) -> Fraction:
        """The sum of both seats' gains from a best response, in winning probability."""
        return self.high - self.low


def _counts(payoffs: Payoffs, table: RoundStrategy, seat: int) -> tuple[dict[str, AnyArray], int]:
    """The starter's wins and ties at every end, by what a seat has seen; and the number of deals counted."""
    tree, other = payoffs.round.tree, 1 - seat
    keep = table.counts(other)
    most = max(sum(mover(end[:i]) == other for i in range(len(end))) for end in tree.ends)
    total = payoffs.total * table.scale**most
    # Every number below is a sum of non-negative parts of the total, so a bound on the total bounds them all.
    dtype: DTypeLike = np.int64 if total < _INT64 else object
    reach = reaches(tree, other, {word: part.astype(dtype) for word, part in keep.items()}, table.scale)
    both: dict[str, AnyArray] = {}
    for end in tree.ends:
        made = sum(mover(end[:i]) == other for i in range(len(end)))
        reach[end] = reach[end] * table.scale ** (most - made)  # one denominator for all ends
        both[end] = np.stack([payoffs.win[end], payoffs.tie[end]]).astype(dtype)
    return reached_values(tree, seat, both, reach), total


def best_response(
    payoffs: Payoffs,
    table: RoundStrategy,
    seat: int,
    tie_value: Fraction | None,
    guess: Fraction = Fraction(1, 2),
) -> Fraction:
    """The starter's exact value if a seat plays a best response; ties are replayed if their value is None."""
    counts, total = _counts(payoffs, table, seat)
    value = guess if tie_value is None else tie_value
    while True:
        wins, ties = _best_counts(payoffs, counts, seat, value)
        if tie_value is not None:
            return (wins + value * ties) / total
        # Dinkelbach's method: the best response for one tie value gives the next, wins / (total - ties). The
        # sequence improves strictly until it repeats, over finitely many pure responses; when it repeats, no
        # response is better.
        better = Fraction(wins, total - ties)
        if better == value:
            return value
        value = better


def _best_counts(
    payoffs: Payoffs, counts: dict[str, AnyArray], seat: int, value: Fraction
) -> tuple[int, int]:
    p, q = value.numerator, value.denominator

    def best(_word: str, keep: AnyArray, give: AnyArray) -> AnyArray:
        # Python integers, because the products with a fraction's parts overflow 64 bits.
        gain = (keep[0] - give[0]).astype(object) * q + (keep[1] - give[1]).astype(object) * p
        return np.where((gain > 0 if seat == STARTER else gain < 0).astype(bool), keep, give)

    wins, ties = fold(payoffs.round.tree, seat, dict(counts), best)
    return int(wins), int(ties)


def certify(
    payoffs: Payoffs, table: RoundStrategy, ties: tuple[Fraction, Fraction] | None = None
) -> Certificate:
    """Exact bounds for a strategy, with ties replayed, or valued between two given numbers."""
    low_tie, high_tie = ties or (None, None)
    low = best_response(payoffs, table, SECOND, low_tie)
    high = best_response(payoffs, table, STARTER, high_tie, guess=low)
    return Certificate(low, high)
