"""Rounds with a limited number of discards, against a linear programme that plays them card by card."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.solve.keep_or_give.naive import Naive

from digit_duel.solve import keep_or_give
from digit_duel.solve.keep_or_give import Round, load
from digit_duel.solve.keep_or_give.capped.best_hunts import Hunt, best_hunts
from digit_duel.solve.keep_or_give.capped.certified import solve_capped


@pytest.mark.parametrize(
    ("deck", "cap", "most"),
    [((2, 2, 2), 1, 1e-7), ((2, 1, 2, 1), 1, 1e-7), ((1, 2, 3), 1, 1e-5), ((2, 2, 2), 2, 1e-5)],
)
def test_a_separate_linear_programme_agrees(deck: tuple[int, ...], cap: int, most: float) -> None:
    naive = Naive(deck, (), 2, f"cap:{cap}").fixed_point()
    found = solve_capped(Round(deck, (), 2), cap, target=1e-9, iterations=2_000)
    assert found.gap < most
    assert found.low - 1e-8 <= naive <= found.high + 1e-8


@pytest.mark.parametrize(
    ("hand", "given", "discards"), [((3,), (), 2), ((1,), (2,), 3), ((), (3,), 2), ((2,), (0,), 0)]
)
def test_a_hunt_is_what_trying_every_choice_gives(
    hand: tuple[int, ...], given: tuple[int, ...], discards: int
) -> None:
    copies = [3 - (hand + given).count(digit) for digit in range(4)]
    hunt = Hunt(tuple(copies), hand, given, 2, discards)
    beliefs = np.random.default_rng(5).random((3, len(hunt.hidden)))
    found = best_hunts(hunt, beliefs, 0.3)
    for weights, value in zip(beliefs, found.value, strict=True):
        assert value == pytest.approx(one_by_one(hunt, tuple(weights.tolist())), abs=1e-12)
    assert (beliefs * (found.win + 0.3 * found.tie)).sum(axis=1) == pytest.approx(found.value)


def one_by_one(hunt: Hunt, weights: tuple[float, ...]) -> float:
    """What the best hunt wins, with every card drawn in turn and every choice tried."""

    @cache
    def wins(kept: tuple[int, ...], passed: tuple[int, ...]) -> float:
        if len(kept) == hunt.size:
            total = 0.0
            for weight, hidden in zip(weights, hunt.hidden, strict=True):
                mine, theirs = sorted(kept, reverse=True), sorted(hunt.given + hidden, reverse=True)
                score = 1.0 if mine > theirs else 0.3 if mine == theirs else 0.0
                total += weight * score * chance(hidden, (*kept[len(hunt.hand) :], *passed))
            return total
        total = 0.0
        for digit in range(len(hunt.deck)):
            keep = wins((*kept, digit), passed)
            total += max(keep, wins(kept, (*passed, digit))) if len(passed) < hunt.discards else keep
        return total

    def chance(hidden: tuple[int, ...], seen: tuple[int, ...]) -> float:
        left = [copies - hidden.count(digit) for digit, copies in enumerate(hunt.deck)]
        if min(left) < 0:
            return 0.0
        likely = 1.0
        for digit in seen:
            likely *= max(left[digit], 0) / sum(left)
            left[digit] -= 1
            if left[digit] < 0:
                return 0.0
        return likely

    return wins(hunt.hand, ())


@pytest.mark.slow
def test_one_discard_in_the_standard_round() -> None:
    start = load(Path(keep_or_give.__file__).parent.parent / "tables" / "must_keep.kog").profile()
    found = solve_capped(Round(), 1, start=start, tie_value=0.6155, most_plans=4, iterations=100)
    assert found.low < 0.61547475 < found.high  # as the shipped bounds say
    assert found.gap < 1e-3
