"""Rounds with a limited number of discards, against a linear programme that plays them card by card."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from tests.solve.keep_or_give.naive import Naive

from digit_duel.solve import keep_or_give
from digit_duel.solve.keep_or_give import Round, load
from digit_duel.solve.keep_or_give.capped.best_hunts import Hunts, best_hunts
from digit_duel.solve.keep_or_give.capped.capped_hunt import _expected, look_ahead
from digit_duel.solve.keep_or_give.capped.certified import solve_capped
from digit_duel.solve.keep_or_give.hunt_beliefs import HuntObservation, begin
from digit_duel.solve.keep_or_give.solved_round import Observation, solved_round


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
    # Another hunt beside it, and beliefs of both in turns: they must not get mixed up.
    hands = np.array([hand, (0,) * len(hand)], dtype=np.int64).reshape(2, len(hand))
    givens = np.array([given, (1,) * len(given)], dtype=np.int64).reshape(2, len(given))
    hunts = Hunts((3, 3, 3, 3), hands, givens, 2, discards)
    hunt = OneHunt(hand, given, 2, discards)
    beliefs = np.random.default_rng(5).random((5, len(hunts.hidden)))
    found = best_hunts(hunts, np.array([1, 0, 0, 1, 0]), beliefs, 0.3)
    for row in (1, 2, 4):
        assert found.value[row] == pytest.approx(one_by_one(hunt, tuple(beliefs[row].tolist())), abs=1e-12)
    assert (beliefs * (found.win + 0.3 * found.tie)).sum(axis=1) == pytest.approx(found.value)


class OneHunt(NamedTuple):
    """A hunt with four digits, three copies each."""

    hand: tuple[int, ...]
    given: tuple[int, ...]
    size: int
    discards: int

    @property
    def deck(self) -> list[int]:
        return [3 - (self.hand + self.given).count(digit) for digit in range(4)]


def one_by_one(hunt: OneHunt, weights: tuple[float, ...]) -> float:
    """What the best hunt wins, with every card drawn in turn and every choice tried."""

    @cache
    def wins(kept: tuple[int, ...], passed: tuple[int, ...]) -> float:
        if len(kept) == hunt.size:
            total = 0.0
            hidden_sets = combinations_with_replacement(range(4), hunt.size - len(hunt.given))
            for weight, hidden in zip(weights, hidden_sets, strict=True):
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


TABLES = Path(keep_or_give.__file__).parent.parent / "tables"


@pytest.mark.slow
def test_one_discard_in_the_standard_round() -> None:
    start = load(TABLES / "must_keep.kog").profile()
    found = solve_capped(Round(), 1, start=start, tie_value=0.6155, most_plans=2, iterations=100)
    assert found.low < 0.61547475 < found.high  # as the shipped bounds say
    assert found.gap < 5e-3


def test_every_cap_up_to_eight_is_proved_within_a_millionth() -> None:
    proofs = [line.split() for line in (TABLES / "caps.txt").read_text().splitlines()]
    assert [int(proof[0]) for proof in proofs] == [1, 2, 3, 4, 5, 6, 7, 8]
    # More discards help the hunter, who is the starter more often than not.
    middles = [(float(low) + float(high)) / 2 for _cap, low, high in proofs]
    assert middles == sorted(middles)
    assert middles[0] > 0.585957491
    assert middles[-1] < 709348 / 818697
    assert all(0 <= float(high) - float(low) <= 1e-6 for _cap, low, high in proofs)


def test_a_look_ahead_that_puts_digits_together_agrees_with_one_that_does_not() -> None:
    solved = solved_round(load(TABLES / "cap3.kog"), 0.66968)
    hunt = HuntObservation(Observation("kkkkg", (7, None, 8, None, 2)))
    scoring, cards = begin(solved, hunt)
    cards = cards.explained()
    for discards in (1, 2):
        plain = _expected(scoring, cards, discards, {}) / cards.weight.sum()
        assert look_ahead(scoring, cards, discards) == pytest.approx(plain, abs=1e-12)
