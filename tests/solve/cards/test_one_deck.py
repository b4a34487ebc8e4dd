"""Matches with one deck for all rounds, against small ones played out choice by choice."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import permutations, product

import numpy as np
import pytest
from tests.coach.positions import variant

from digit_duel.games._cards import Cards
from digit_duel.solve.cards.one_deck import MatchBounds, Samples, encloses, one_deck_bounds
from digit_duel.solve.cards.played_games import played_games
from digit_duel.solve.cards.report import cards_report, match_odds
from digit_duel.solve.cards.rounds import fresh_round, shipped_match
from digit_duel.solve.keep_or_give import FullHandRule, Round, hand_draws, payoffs, solve
from digit_duel.solve.keep_or_give.other_rules.by_cards_used import payoffs_by_cards, used_cards
from digit_duel.solve.keep_or_give.other_rules.deck_values import (
    fit,
    random_after_ties,
    random_decks,
    ties_possible,
)

MUST_KEEP = FullHandRule.MUST_KEEP
FEW = Samples(60, 40, 10)
STARTERS = ("alternate", "loser", "winner", "same")
Digits = tuple[int, ...]


def match_of(**options: str) -> Cards:
    return variant("cards", deck="persistent", facing_full="must_keep", **options).game_as(Cards)


def bounds_of(game: Cards, samples: Samples = FEW) -> MatchBounds:
    round_ = fresh_round(game)
    solution = solve(payoffs(round_), target=1e-9, limit=200)
    by = encloses(game, solution.profile)
    return one_deck_bounds([game], solution.value, by, samples, 1, lambda *_args, **_more: None)[0]


def played_out(pool: Digits, starter: str, unknown: int) -> Fraction:
    """A match to two rounds, one card in a hand; after two ties it is worth the unknown to the first seat."""

    @cache
    def value(deck: Digits, needs: tuple[int, int], first_starts: bool, ties: int) -> Fraction:
        if 0 in needs:
            return Fraction(int(needs[0] == 0))
        if ties == 2:
            return Fraction(unknown)
        total = Fraction(0)
        for i, mine in enumerate(deck):
            kept, given = Fraction(0), Fraction(0)
            for j, other in enumerate(deck):
                if i == j:
                    continue
                left = tuple(card for at, card in enumerate(deck) if at not in (i, j))
                if mine == other:
                    again = value(left, needs, first_starts, ties + 1)
                    kept, given = kept + again, given + again
                    continue
                for keeps in (True, False):
                    first_won = ((mine > other) == keeps) == first_starts
                    still = needs[0] - first_won, needs[1] - (not first_won)
                    starts = {
                        "alternate": not first_starts,
                        "loser": not first_won,
                        "winner": first_won,
                        "same": first_starts,
                    }
                    won = value(left, still, starts[starter], ties)
                    kept, given = (kept + won, given) if keeps else (kept, given + won)
            total += max(kept, given) if first_starts else min(kept, given)
        return total / (len(deck) * (len(deck) - 1))

    return value(pool, (2, 2), True, 0)


@pytest.mark.parametrize(
    ("starter", "value"),
    [
        ("alternate", Fraction(437, 630)),
        ("loser", Fraction(29, 42)),
        ("winner", Fraction(43, 63)),
        ("same", Fraction(557, 630)),
    ],
)
def test_ten_cards_and_one_in_a_hand(starter: str, value: Fraction) -> None:
    assert played_out(tuple(range(10)), starter, 0) == value
    found = bounds_of(match_of(pool="0-9", hand_size="1", next_starter=starter), Samples(80, 40, 2))
    assert found.low == pytest.approx(float(value), abs=1e-9)
    assert found.high == pytest.approx(float(value), abs=1e-9)


@pytest.mark.parametrize("starter", STARTERS)
def test_a_deck_with_ties_lies_within_its_bounds(starter: str) -> None:
    pool = (0, 1, 2, 3, 3, 4, 5, 6, 7)
    low, high = (float(played_out(pool, starter, unknown)) for unknown in (0, 1))
    found = bounds_of(match_of(pool="0-7,3", hand_size="1", next_starter=starter))
    assert found.low <= low <= high <= found.high
    assert found.high - found.low < 0.05
    fresh = match_odds(match_of(pool="0-7,3", hand_size="1", next_starter=starter), Fraction(3, 4))
    assert not found.low <= float(fresh) - 0.1 <= found.high


def test_a_match_in_which_the_deck_runs_out_is_refused() -> None:
    with pytest.raises(ValueError, match="runs out"):
        bounds_of(match_of(pool="0-4", hand_size="1"))


@pytest.mark.parametrize(("deck", "size"), [((2, 1, 2), 1), ((2, 2, 1), 2), ((1, 1, 2, 2), 2)])
def test_a_result_is_worth_what_the_cards_used_make_it(deck: Digits, size: int) -> None:
    round_ = Round(deck, (), size, MUST_KEEP)
    counts, _rows = used_cards(len(deck), 2 * size)
    random = np.random.default_rng(5)
    win, loss = random.random(len(counts)), random.random(len(counts))
    row = {tuple(one): at for at, one in enumerate(counts.tolist())}
    found = payoffs_by_cards(round_, win, loss, 0.3)
    cards = [digit for digit, copies in enumerate(deck) for _ in range(copies)]
    orders = list(permutations(cards, 2 * size))
    for end in round_.tree.ends:
        expected: defaultdict[Digits, float] = defaultdict(float)
        hunter = round_.tree.hunter(end)
        for order in orders:
            full = sorted((order[i] for i in hand_draws(end, 1 - hunter)), reverse=True)
            taken = [order[i] for i in hand_draws(end, hunter)] + list(order[len(end) :])
            hunted = sorted(taken, reverse=True)
            starter, second = (hunted, full) if hunter == 0 else (full, hunted)
            at = row[tuple(order.count(digit) for digit in range(len(deck)))]
            worth = 0.3 if starter == second else win[at] if starter > second else loss[at]
            expected[order[: len(end)]] += worth / len(orders)
        for digits in product(range(len(deck)), repeat=len(end)):
            assert found.win[end][digits] == pytest.approx(expected[digits])


def test_ties_need_cards_that_make_two_equal_hands() -> None:
    # Of 40 cards six make two equal hands if they are three pairs, or four of a digit and a pair.
    pairs, four = 120 * 6**3, 90 * 6
    assert ties_possible((4,) * 10, 3, 1) == pytest.approx((pairs + four) / 3_838_380)
    assert ties_possible((2, 1, 1), 1, 1) == pytest.approx(1 / 6)
    assert ties_possible((2, 2), 1, 2) == pytest.approx(1 / 3)
    assert ties_possible((1, 1, 1), 1, 1) == 0
    random = np.random.default_rng(3)
    assert {random_after_ties((2, 1, 2), 1, 1, random) for _ in range(40)} == {(0, 1, 2), (2, 1, 0)}


def test_values_of_decks_are_estimated_from_others() -> None:
    random = np.random.default_rng(2)
    decks = random_decks((4,) * 10, 28, 350, random)
    assert set(decks.sum(axis=1).tolist()) == {28}
    values = np.sin(decks @ np.arange(10) / 60)
    guess = fit(decks[:300], values[:300])(decks[300:])  # the shipped bounds fit 360 and 600 last rounds
    assert np.abs(guess - values[300:]).mean() < 0.01 * values.std()


def test_the_standard_match_is_bounded() -> None:
    for visibility, starter in product(("private", "open"), STARTERS):
        bounds = shipped_match(match_of(visibility=visibility, next_starter=starter))
        assert bounds is not None
        low, high = bounds
        assert 0 < (high - low) / 2 < 1e-3
    assert shipped_match(match_of(wins_needed="3")) is None
    assert shipped_match(variant("cards", facing_full="must_keep").game_as(Cards)) is None


def test_a_solve_tells_the_bounds_on_the_game_or_why_there_are_none() -> None:
    def told(game: Cards) -> tuple[str, str]:
        report = cards_report(game, lambda *_args, **_more: None)
        return report.sentence, report.notes[-1]

    sentence, note = told(match_of(pool="0-9", hand_size="1"))
    assert sentence == "the first player wins the game with probability 0.69365 to 0.69366."
    assert "three standard errors" in note
    assert "can run out" in told(match_of(pool="0-4", hand_size="1"))[1]
    shaped = variant("cards", deck="persistent", pool="0-4x2", hand_size="1").game_as(Cards)
    assert "this is proved for the first round, " in told(shaped)[1]
    assert "Whoever throws cards away shapes the deck of the next round" in told(shaped)[1]


def test_where_players_shape_the_deck_played_games_are_called_a_measurement() -> None:
    game = variant("cards", deck="persistent").game_as(Cards)
    played = played_games(game)
    assert played is not None
    assert played.games == 20_000
    low, high = played.interval
    assert high - low == pytest.approx(2 * 2.576 * (played.share * (1 - played.share) / 20_000) ** 0.5)
    report = cards_report(game, lambda *_args, **_more: None)
    assert report.sentence == (
        f"the first player won {played.share:.2%} of 20,000 games between two perfect computers."
    )
    assert report.notes[0].startswith("This is measured, not proved;")
    assert float(report.value) == pytest.approx(2 * played.share - 1)
    assert "proved for the first round" in report.notes[-1]
    # Rules that nobody has played, and those that need no games.
    assert played_games(variant("cards", deck="persistent", wins_needed="3").game_as(Cards)) is None
    assert played_games(variant("cards").game_as(Cards)) is None
