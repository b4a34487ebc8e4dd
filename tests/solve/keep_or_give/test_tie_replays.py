"""Ties that are replayed with the cards that are left, against small rounds worked out card by card."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest

from digit_duel.solve import keep_or_give
from digit_duel.solve.keep_or_give import (
    FullHandRule,
    Round,
    even_profile,
    load,
    payoffs,
    replay_bounds,
    solve,
    solve_again,
)
from digit_duel.solve.keep_or_give.other_rules.tie_replays import (
    _rest_of_deck,
    against_foresight,
    least_after_tie,
)

TABLES = Path(keep_or_give.__file__).parent.parent / "tables"


def by_hand(deck: tuple[int, ...], pile: tuple[int, ...], ties: int, last: Fraction) -> Fraction:
    """A round with one card in a hand, all kept: so many ties are replayed, a further one is worth last."""
    if ties < 0:
        return last
    if not deck:
        deck, pile = pile, ()
    total = Fraction(0)
    for i, drawn in enumerate(deck):
        left, under = deck[:i] + deck[i + 1 :], pile
        if not left:
            left, under = under, ()
        keep = give = Fraction(0)
        for j, other in enumerate(left):
            rest = left[:j] + left[j + 1 :]
            again = by_hand(rest, (*under, drawn, other), ties - 1, last) if drawn == other else Fraction(0)
            keep += again if drawn == other else int(drawn > other)
            give += again if drawn == other else int(other > drawn)
        total += max(keep, give) / len(left)
    return total / len(deck)


def test_a_small_round_lies_within_its_bounds() -> None:
    low, high = (by_hand((0, 0, 1, 1, 2, 2), (), 3, Fraction(last)) for last in (0, 1))
    assert (low, high) == (Fraction(38, 45), Fraction(193, 225))
    round_ = Round((2, 2, 2), (), 1, FullHandRule.MUST_KEEP)
    found = replay_bounds(round_, solve(payoffs(round_), target=1e-12, limit=200).profile)
    assert found.low <= low < high <= found.high
    assert found.gap < 0.1


def test_the_rest_of_a_deck_is_what_all_orders_leave() -> None:
    pool = (0, 0, 1, 1, 2, 2, 2)
    value = np.random.default_rng(1).random((3, 3, 3))
    for needed in (1, 2):
        total = Fraction(0)
        orders = list(permutations(pool))
        for order in orders:
            stop = [i for i, digit in enumerate(order) if digit == 2][needed - 1] + 1
            rest = order[stop:]
            total += Fraction(float(value[rest[:3]])) if len(rest) >= 3 else Fraction(1, 4)
        counts = np.bincount(pool)
        assert _rest_of_deck(counts, 2, needed, value, 0.25) == pytest.approx(float(total / len(orders)))


def test_no_deck_is_worse_after_a_tie_than_the_least_that_is_claimed() -> None:
    whole = Counter({0: 3, 1: 3, 2: 3})
    round_ = Round((3, 3, 3), (), 2)
    exact = payoffs(round_)
    profile = solve(exact, target=1e-9, limit=500).profile
    least = least_after_tie(exact, profile)
    cards = sorted(whole.elements())
    for size in range(6):
        for deck in set(combinations(cards, size)):
            if deck.count(2) > 1:
                continue  # two cards of the highest digit lie in the pile after a tie
            left = whole - Counter(deck)
            again = Round(tuple(deck.count(d) for d in range(3)), tuple(left[d] for d in range(3)), 2)
            found = solve_again(again, even_profile(round_.tree), ties=(least, least), iterations=100)
            assert found.high >= least - 1e-9


@pytest.mark.parametrize("pool", [(2, 2, 2, 2), (1, 1, 1, 1)])
def test_a_round_of_few_cards_leaves_no_large_deck(pool: tuple[int, ...]) -> None:
    round_ = Round(pool, (), 1)
    exact = payoffs(round_)
    assert 0 <= least_after_tie(exact, even_profile(round_.tree)) <= 1


def test_a_seat_that_knows_all_cards_wins_no_less_than_one_that_does_not() -> None:
    table = load(TABLES / "discard.kog")
    worst, best = (against_foresight(payoffs(table.round), table.profile(), seat, 0.5) for seat in (1, 0))
    assert (worst <= best).all()
    assert worst[0, 0, 0, 0, 1] == best[0, 0, 0, 0, 1] == 1  # no 9 among the first cards: the starter hunts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "low", "high"), [("discard", 0.86561, 0.86710), ("must_keep", 0.58594, 0.58598)]
)
def test_the_standard_rounds_by_the_letter(name: str, low: float, high: float) -> None:
    table = load(TABLES / f"{name}.kog")
    found = replay_bounds(table.round, table.profile())
    assert low < found.low < found.high < high
