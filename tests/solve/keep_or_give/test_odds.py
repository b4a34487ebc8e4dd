"""Odds and hunts from one seat's knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest
from numpy.random import Generator

from digit_duel.solve import keep_or_give
from digit_duel.solve.keep_or_give import (
    FullHandRule,
    HuntObservation,
    Observation,
    Round,
    SolvedRound,
    choices,
    even_profile,
    hand_draws,
    hidden_draws,
    hunt_choices,
    hunt_odds,
    load,
    mover,
    quantise,
    seen_draws,
    solved_round,
    standing,
)
from digit_duel.solve.keep_or_give.capped.capped_hunt import best_threshold, look_ahead
from digit_duel.solve.keep_or_give.hunt_beliefs import begin

TABLES = Path(keep_or_give.__file__).parent.parent / "tables"
VALUE = {"discard": 709_348 / 818_697, "must_keep": 0.5859574910552}


Hand: TypeAlias = tuple[int, ...]
Counts: TypeAlias = tuple[int, ...]
Digits: TypeAlias = tuple[int | None, ...]


@cache
def shipped(rule: str) -> SolvedRound:
    return solved_round(load(TABLES / f"{rule}.kog"), VALUE[rule])


@pytest.fixture(params=["discard", "must_keep"])
def solved(request: pytest.FixtureRequest) -> SolvedRound:
    return shipped(request.param)


def deal(rng: Generator, word: str, seat: int, more: int = 0) -> tuple[Digits, list[int]]:
    """Digits of a random deal as a seat sees them, and the cards left."""
    cards: list[int] = rng.permutation(np.repeat(np.arange(10), 4)).tolist()
    known = seen_draws(word, seat)
    digits = tuple(cards[i] if i in known or i >= len(word) else None for i in range(len(word) + more))
    return digits, cards


def test_both_seats_start_with_the_value(solved: SolvedRound) -> None:
    value = VALUE[solved.round.facing_full.value]
    assert standing(solved, 0, Observation("", ())) == pytest.approx(value, abs=1e-9)
    assert standing(solved, 1, Observation("", ())) == pytest.approx(1 - value, abs=1e-9)


def test_the_first_draw_averages_to_the_value(solved: SolvedRound) -> None:
    first = [choices(solved, Observation("", (digit,))) for digit in range(10)]
    mean = sum(max(c.keep, c.give) for c in first) / 10
    assert mean == pytest.approx(VALUE[solved.round.facing_full.value], abs=1e-9)
    kept = [digit for digit, c in enumerate(first) if c.table_keep == 1]
    assert kept == ([] if solved.round.facing_full.value == "discard" else [7, 8, 9])


def test_odds_are_defined_and_sensible_off_the_path(solved: SolvedRound) -> None:
    rng = np.random.default_rng(3)
    for _ in range(400):
        word = solved.round.tree.nodes[int(rng.integers(19))]
        digits, _cards = deal(rng, word, mover(word), more=1)
        found = choices(solved, Observation(word, digits))
        assert -1e-12 <= found.keep <= 1 + 1e-12
        assert -1e-12 <= found.give <= 1 + 1e-12
        assert 0 <= found.table_keep <= 1


def test_knowledge_a_seat_cannot_have_is_refused(solved: SolvedRound) -> None:
    for word, digits in (("k", (7, 5)), ("g", (None, 5)), ("kgk", (1, 2, 3, 4)), ("", (10,)), ("", ())):
        with pytest.raises(ValueError, match=r"cannot be|not a point"):
            choices(solved, Observation(word, digits))
    with pytest.raises(ValueError, match="do not allow"):
        choices(solved, Observation("gggg", (7, 7, 7, 7, 7)))


def test_the_hunter_starts_with_what_the_fold_promised(solved: SolvedRound) -> None:
    rng = np.random.default_rng(1)
    for word in solved.round.tree.ends:
        hunter = solved.round.tree.hunter(word)
        for _ in range(10):
            digits, _cards = deal(rng, word, hunter)
            low, high = hunt_odds(solved, HuntObservation(Observation(word, digits)))
            assert low == high == pytest.approx(standing(solved, hunter, Observation(word, digits)), abs=1e-9)


@pytest.mark.slow
def test_a_hunt_by_the_adviser_always_gets_the_best_completion() -> None:
    """Played out card by card with run-outs, against any hidden hand whatever."""
    solved = shipped("discard")  # with must_keep a hunter has nothing to choose
    rng, lengths = np.random.default_rng(2), []
    for _ in range(150):
        word = solved.round.tree.ends[int(rng.integers(20))]
        hunter = solved.round.tree.hunter(word)
        digits, cards = deal(rng, word, hunter)
        full = sorted((cards[i] for i in hand_draws(word, 1 - hunter)), reverse=True)
        hand = [cards[i] for i in hand_draws(word, hunter)]
        deck, run_outs = cards[len(word) :], 0
        pile: list[int] = []
        since: list[tuple[int, bool]] = []
        best = sorted(hand + sorted(deck, reverse=True)[: 3 - len(hand)], reverse=True)
        while len(hand) < 3:
            if not deck:
                deck, pile, run_outs = rng.permutation(pile).tolist(), [], run_outs + 1
            digit = deck.pop(0)
            advice = hunt_choices(solved, HuntObservation(Observation(word, digits), tuple(since)), digit)
            kept = advice.best == "k"
            since.append((digit, kept))
            (hand if kept else pile).append(digit)
        assert run_outs <= 1
        lengths.append(len(since))
        mine = sorted(hand, reverse=True)
        assert (mine > full, mine == full) == (best > full, best == full)
    assert np.mean(lengths) < 20


def test_a_hunter_who_passed_too_much_is_advised_to_gamble() -> None:
    solved = shipped("discard")
    rng = np.random.default_rng(4)
    word, digits = "kkkkk", (None, 0, None, 0, None)
    rest = [d for d in range(10) for _ in range(4)]
    for d in (1, 1, 2, 0, 0):  # the full hand, 211, and the hunter's own
        rest.remove(d)
    first, second = rng.permutation(rest).tolist(), sorted(rest, reverse=True)
    since = tuple((d, False) for d in first) + tuple((d, False) for d in second[:-1])
    advice = hunt_choices(solved, HuntObservation(Observation(word, digits), since), second[-1])
    # The last card of the last pass, a 0, loses for certain; 28 of the 35 cards that come back win.
    assert (second[-1], advice.best) == (0, "g")
    assert advice.keep == (0.0, 0.0)
    assert advice.give == pytest.approx((0.8, 0.8))
    after = hunt_choices(solved, HuntObservation(Observation(word, digits), (*since, (second[-1], False))), 9)
    assert (after.give, after.keep) == (None, (1, 1))


def test_look_ahead_is_exact_and_bounds_hold() -> None:
    solved = shipped("must_keep")
    rng = np.random.default_rng(6)
    for _ in range(12):
        word = solved.round.tree.ends[int(rng.integers(8, 20))]
        hunter = solved.round.tree.hunter(word)
        digits, _cards = deal(rng, word, hunter)
        scoring, cards = begin(solved, HuntObservation(Observation(word, digits)))
        exact = [look_ahead(scoring, cards, n) for n in range(4)]
        plans = [best_threshold(scoring, cards, n) for n in range(4)]
        assert exact == sorted(exact)
        assert plans[0] == pytest.approx(exact[0], abs=1e-12)
        assert all(plan <= value + 1e-12 for plan, value in zip(plans, exact, strict=True))
        assert exact[3] <= cards.mean(scoring.certain(cards)) + 1e-12
        low, high = hunt_odds(solved, HuntObservation(Observation(word, digits)), cap=12)
        assert exact[3] - 1e-3 <= low <= high


def test_a_capped_look_ahead_agrees_with_plain_enumeration() -> None:
    """One empty place and the whole hand known: best of the next cards, by recursion over the deck."""
    solved = shipped("must_keep")
    word = next(
        w for w in solved.round.tree.ends if not hidden_draws(w, solved.round.tree.hunter(w)) and len(w) == 5
    )
    hunter = solved.round.tree.hunter(word)
    digits = (5, 8, 7, 6, 2)
    full = sorted((digits[i] for i in hand_draws(word, 1 - hunter)), reverse=True)
    held = [digits[i] for i in hand_draws(word, hunter)]
    tie = solved.tie_value if hunter == 0 else 1 - solved.tie_value

    def best(left: Sequence[int], discards: int) -> float:
        total = 0.0
        for digit, copies in enumerate(left):
            if copies:
                mine = sorted([*held, digit], reverse=True)
                keep = 1.0 if mine > full else tie if mine == full else 0.0
                rest = [c - (d == digit) for d, c in enumerate(left)]
                total += copies / sum(left) * max(keep, best(rest, discards - 1) if discards else 0.0)
        return total

    left = [4 - digits.count(d) for d in range(10)]
    for cap in range(4):
        assert hunt_odds(solved, HuntObservation(Observation(word, digits)), cap=cap)[0] == pytest.approx(
            best(left, cap), abs=1e-12
        )


def test_the_last_pass_agrees_with_plain_recursion() -> None:
    """Small cards, every state of the last pass after any mistakes, against a full search."""
    round_ = Round((2, 2, 2, 1), (), 2, FullHandRule.DISCARD)
    solved = solved_round(quantise(round_, even_profile(round_.tree)), 0.5)

    @cache
    def search(deck: Counts, pile: Counts, hand: Hand, full: Hand, run_outs: int) -> float:
        if len(hand) == 2:
            mine, theirs = sorted(hand, reverse=True), sorted(full, reverse=True)
            return 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
        if not any(deck):
            deck, pile, run_outs = pile, (0,) * 4, run_outs + 1
        total = 0.0
        for digit, copies in enumerate(deck):
            if copies:
                keep, give = both(deck, pile, hand, full, run_outs, digit)
                total += copies / sum(deck) * (keep if give is None else max(keep, give))
        return total

    def both(
        deck: Counts, pile: Counts, hand: Hand, full: Hand, run_outs: int, digit: int
    ) -> tuple[float, float | None]:
        left = tuple(c - (d == digit) for d, c in enumerate(deck))
        keep = search(left, pile, tuple(sorted((*hand, digit))), full, run_outs)
        down = tuple(c + (d == digit) for d, c in enumerate(pile))
        return keep, None if run_outs >= 2 else search(left, down, hand, full, run_outs)

    def count(held: list[int]) -> Counts:
        return tuple(held.count(d) for d in range(4))

    rng, checked = np.random.default_rng(9), 0
    while checked < 300:
        word = round_.tree.ends[int(rng.integers(len(round_.tree.ends)))]
        hunter = round_.tree.hunter(word)
        cards: list[int] = rng.permutation(np.repeat(np.arange(4), round_.deck)).tolist()
        digits = tuple(cards[i] if i in seen_draws(word, hunter) else None for i in range(len(word)))
        full = tuple(cards[i] for i in hand_draws(word, 1 - hunter))
        hand = tuple(cards[i] for i in hand_draws(word, hunter))
        deck, run_outs = cards[len(word) :], 0
        pile: list[int] = []
        since: list[tuple[int, bool]] = []
        while len(hand) < 2 and len(since) < 25:
            if not deck:
                deck, pile, run_outs = rng.permutation(pile).tolist(), [], run_outs + 1
            digit = deck[0]
            found = hunt_choices(solved, HuntObservation(Observation(word, digits), tuple(since)), digit)
            if run_outs:
                keep, give = both(count(deck), count(pile), hand, full, run_outs, digit)
                assert found.keep == pytest.approx((keep, keep))
                assert found.give == (None if give is None else pytest.approx((give, give)))
                checked += 1
            deck = deck[1:]
            kept = run_outs >= 2 or rng.random() < 0.1
            since.append((digit, kept))
            if kept:
                hand = (*hand, digit)
            else:
                pile.append(digit)
