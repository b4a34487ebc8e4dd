"""Rounds from cards other than a fresh deck, solved again with stated bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement

import numpy as np

from digit_duel.solve.keep_or_give.cfr import refine
from digit_duel.solve.keep_or_give.counterfactual import Profile, end_values
from digit_duel.solve.keep_or_give.payoffs import Payoffs, Round, payoffs
from digit_duel.solve.keep_or_give.public_tree import SECOND, STARTER, Array


@dataclass(frozen=True)
class Bounds:
    """A profile and the bounds it proves on the starter's winning probability, up to float64 rounding."""

    profile: Profile = field(repr=False)
    low: float  # the least that the starter's strategy wins
    high: float  # the most that the second seat's strategy concedes

    @property
    def gap(self) -> float:
        """The width of the bounds: NashConv, plus the uncertainty about the value of a tie."""
        return self.high - self.low

    @property
    def value(self) -> float:
        """The midpoint of the bounds."""
        return (self.low + self.high) / 2


TieValue = float | Array


def bounds(exact: Payoffs, profile: Profile, ties: tuple[TieValue, TieValue]) -> Bounds:
    """The bounds that a profile proves if the value of a tie is between two numbers."""
    # Both hold for every tie value in between, because the starter's value never decreases with it.
    low = end_values(exact, ties[0]).best_response(SECOND, profile)
    high = end_values(exact, ties[1]).best_response(STARTER, profile)
    return Bounds(profile, low, high)


def replayed(exact: Payoffs, profile: Profile) -> Bounds:
    """The bounds that a profile proves if a tie is replayed from the same cards."""
    found = []
    for seat in (SECOND, STARTER):
        value, last = 0.5, np.inf
        while abs(value - last) > 1e-15:  # shrinks each time by a factor, the probability of a tie
            value, last = end_values(exact, value).best_response(seat, profile), value
        found.append(value)
    return Bounds(profile, found[0], found[1])


def solve_again(
    round_: Round,
    start: Profile,
    *,
    ties: tuple[TieValue, TieValue] = (0.0, 1.0),
    iterations: int = 30,
    target: float = 0.0,
) -> Bounds:
    """Solve a round from any cards, starting from a similar profile; `ties` bounds the value of a tie."""
    return improve(payoffs(round_), start, ties=ties, iterations=iterations, target=target)


def improve(
    exact: Payoffs, start: Profile, *, ties: tuple[TieValue, TieValue], iterations: int, target: float = 0.0
) -> Bounds:
    """The best bounds found in this many iterations, starting from a profile for similar payoffs."""
    middle = (np.asarray(ties[0]) + np.asarray(ties[1])) / 2
    best = bounds(exact, start, ties)
    for solution in refine(exact, start=start, tie_value=middle):
        found = bounds(exact, solution.profile, ties)
        best = found if found.gap < best.gap else best
        if best.gap <= target or solution.iterations >= iterations:
            return best
    raise AssertionError("refine never ends")


def after_tie(round_: Round, hand: tuple[int, ...]) -> Round:
    """The round that follows when both hands held these digits and nothing was discarded (C5)."""
    taken = np.bincount(2 * hand, minlength=len(round_.deck))
    deck, pile = np.array(round_.deck) - taken, np.array(round_.pile or (0,) * len(round_.deck)) + taken
    return replace(round_, deck=tuple(deck.tolist()), pile=tuple(pile.tolist()))


def tied_hands(round_: Round) -> Iterator[tuple[int, ...]]:
    """Every hand that both seats can hold at once, when the deck does not run out."""
    for hand in combinations_with_replacement(range(len(round_.deck)), round_.hand_size):
        if all(2 * hand.count(digit) <= round_.deck[digit] for digit in hand):
            yield hand
