"""Open hands and turns that alternate, against small rounds played out choice by choice."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from digit_duel.solve.cards.player_model import PlayerModel
from digit_duel.solve.keep_or_give import FullHandRule, Round, even_profile, payoffs, quantise, solved_round
from digit_duel.solve.keep_or_give.other_rules.alternate import alternate_bracket, alternate_payoffs
from digit_duel.solve.keep_or_give.other_rules.open_against import open_against
from digit_duel.solve.keep_or_give.other_rules.open_hands import open_estimate, open_value

MUST_KEEP = FullHandRule.MUST_KEEP


def played_openly(cards: tuple[int, ...], size: int, alternate: bool, tie: Fraction) -> Fraction:
    """A round with open hands in which a hunter must keep, card by card and choice by choice."""

    @cache
    def value(deck: tuple[int, ...], mine: tuple[int, ...], theirs: tuple[int, ...], turn: int) -> Fraction:
        hands = (mine, theirs)
        if len(mine) == len(theirs) == size:
            one, two = sorted(mine, reverse=True), sorted(theirs, reverse=True)
            return tie if one == two else Fraction(int(one > two))
        if len(hands[turn]) == size and not alternate:
            return value(deck, mine, theirs, 1 - turn)
        assert deck, "these decks last"
        total = Fraction(0)
        for i, digit in enumerate(deck):
            left = deck[:i] + deck[i + 1 :]
            to_mine, to_theirs = (
                (tuple(sorted((*mine, digit))), theirs),
                (mine, tuple(sorted((*theirs, digit)))),
            )
            keep, give = (to_mine, to_theirs) if turn == 0 else (to_theirs, to_mine)
            options = []
            if len(hands[turn]) < size:
                options.append(value(left, *keep, 1 - turn))
            else:
                options.append(value(left, mine, theirs, 1 - turn))
            if len(hands[1 - turn]) < size:
                options.append(value(left, *give, 1 - turn))
            total += max(options) if turn == 0 else min(options)
        return total / len(deck)

    return value(cards, (), (), 0)


@pytest.mark.parametrize("cards", [(0, 0, 1, 1, 2, 2), (0, 1, 1, 2, 3, 3)])
@pytest.mark.parametrize("tie", [Fraction(0), Fraction(1, 3), Fraction(1)])
def test_open_hands_are_what_playing_them_out_gives(cards: tuple[int, ...], tie: Fraction) -> None:
    round_ = Round(tuple(cards.count(digit) for digit in range(max(cards) + 1)), (), 2, MUST_KEEP)
    assert open_value(payoffs(round_), tie) == played_openly(cards, 2, False, tie)


def test_the_standard_round_with_open_hands() -> None:
    assert open_value(payoffs(Round())) == Fraction(709_348, 818_697)
    assert open_value(payoffs(Round(facing_full=MUST_KEEP))) == Fraction(50_485_601, 86_051_421)


def test_a_round_without_skipping_lies_within_its_bracket() -> None:
    cards = (0, 0, 0, 1, 1, 1, 2, 2)
    low, high = (open_estimate(worst) for worst in alternate_payoffs(Round((3, 3, 2), (), 2), 0))
    value = 0.5
    for _ in range(12):
        value = float(played_openly(cards, 2, True, Fraction(value)))
    assert low < value < high


def test_the_standard_round_without_skipping() -> None:
    found = alternate_bracket(Round(), None, target=1e-4, limit=40)
    assert 0.38 < found.low < 0.583 < found.high < 0.76


def against_errors(
    cards: tuple[int, ...], seat: int, errs: float, tie: float, perfect_tie: float
) -> tuple[float, float]:
    """What the starter wins of a round with open hands of two: if both do their best, and if one errs."""

    @cache
    def value(
        deck: tuple[int, ...], mine: tuple[int, ...], theirs: tuple[int, ...], turn: int
    ) -> tuple[float, float]:
        if len(mine) == len(theirs) == 2:
            one, two = sorted(mine, reverse=True), sorted(theirs, reverse=True)
            return (perfect_tie, tie) if one == two else (float(one > two), float(one > two))
        if len((mine, theirs)[turn]) == 2:
            return value(deck, mine, theirs, 1 - turn)
        perfect = erring = 0.0
        for i, digit in enumerate(deck):
            left = deck[:i] + deck[i + 1 :]
            to_mine = left, tuple(sorted((*mine, digit))), theirs, 1 - turn
            to_theirs = left, mine, tuple(sorted((*theirs, digit))), 1 - turn
            keep, give = (to_mine, to_theirs) if turn == 0 else (to_theirs, to_mine)
            options = [value(*keep)]
            if len((mine, theirs)[1 - turn]) < 2:
                options.append(value(*give))
            better = max if turn == 0 else min
            perfect += better(option[0] for option in options)
            if turn == seat:
                erring += better(option[1] for option in options)
            else:  # the first of equals: keeping
                chosen = better(options, key=lambda option: option[0])
                erring += (1 - errs) * chosen[1] + errs * sum(option[1] for option in options) / len(options)
        return perfect / len(deck), erring / len(deck)

    return value(cards, (), (), 0)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("cards", [(0, 0, 1, 1, 2, 2), (0, 1, 1, 2, 3, 3, 4)])
def test_open_hands_against_somebody_who_errs(cards: tuple[int, ...], seat: int) -> None:
    round_ = Round(tuple(cards.count(digit) for digit in range(max(cards) + 1)), (), 2, MUST_KEEP)
    tie = float(open_value(payoffs(round_)))
    solved = solved_round(quantise(round_, even_profile(round_.tree)), tie)
    found = open_against(solved, PlayerModel(coin=0.2), seat)
    perfect, erring = against_errors(cards, seat, 0.2, found.solved.tie_value, tie)
    expected = (erring, perfect) if seat == 0 else (1 - erring, 1 - perfect)
    assert found.worth("", ()) == pytest.approx(expected)
    assert erring == pytest.approx(found.solved.tie_value, abs=1e-4)  # a tie is worth the round itself
    never_erring = open_against(solved, PlayerModel(), seat)
    assert never_erring.worth("", ()) == pytest.approx((expected[1], expected[1]))
