"""Open hands with a cap on discards, against small rounds played out choice by choice."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from tests.coach.positions import variant

from digit_duel.games._cards import Cards
from digit_duel.solve.cards.player_model import PlayerModel
from digit_duel.solve.cards.report import cards_report
from digit_duel.solve.cards.rounds import open_value_of
from digit_duel.solve.keep_or_give import FullHandRule, Round, even_profile, quantise, solved_round
from digit_duel.solve.keep_or_give.capped.cap_bounds import capped_payoffs
from digit_duel.solve.keep_or_give.capped.open_hunts import open_capped_payoffs
from digit_duel.solve.keep_or_give.other_rules.open_against import open_against
from digit_duel.solve.keep_or_give.other_rules.open_hands import open_estimate

MUST_KEEP = FullHandRule.MUST_KEEP
Digits = tuple[int, ...]


def played_out(cards: Digits, size: int, cap: int, tie: Fraction) -> Fraction:
    """What the starter wins if both see everything, card by card and choice by choice."""

    @cache
    def value(deck: Digits, mine: Digits, theirs: Digits, turn: int, thrown: int) -> Fraction:
        if len(mine) == len(theirs) == size:
            one, two = mine[::-1], theirs[::-1]
            return tie if one == two else Fraction(int(one > two))
        if len((mine, theirs)[turn]) == size:
            turn = 1 - turn  # a full hand is skipped
        total = Fraction(0)
        for i, digit in enumerate(deck):
            left = deck[:i] + deck[i + 1 :]
            to_mine = left, tuple(sorted((*mine, digit))), theirs, 1 - turn, thrown
            to_theirs = left, mine, tuple(sorted((*theirs, digit))), 1 - turn, thrown
            keep, give = (to_mine, to_theirs) if turn == 0 else (to_theirs, to_mine)
            options = [value(*keep)]
            if len((mine, theirs)[1 - turn]) < size:
                options.append(value(*give))
            elif thrown < cap:
                options.append(value(left, mine, theirs, turn, thrown + 1))
            total += max(options) if turn == 0 else min(options)
        return total / len(deck)

    return value(cards, (), (), 0, 0)


@pytest.mark.parametrize("tie", [Fraction(0), Fraction(1, 3), Fraction(1)])
@pytest.mark.parametrize(
    ("cards", "size", "cap"),
    [
        ((0, 0, 1, 1, 2, 2), 2, 1),
        ((0, 1, 1, 2, 3, 3), 2, 2),
        ((0, 1, 1, 2, 3, 3, 4), 2, 3),
        ((0, 1, 2, 2, 3, 4, 5), 1, 5),
        ((0, 0, 1, 1, 1, 2, 2), 3, 1),
        ((0, 1, 1, 2, 2, 3, 3, 4), 3, 2),
    ],
)
def test_a_round_is_what_playing_it_out_gives(cards: Digits, size: int, cap: int, tie: Fraction) -> None:
    copies = tuple(cards.count(digit) for digit in range(max(cards) + 1))
    round_ = Round(copies, (), size, MUST_KEEP, cap)
    ends = open_capped_payoffs(round_, float(tie))
    solved = solved_round(quantise(round_, even_profile(round_.tree)), float(tie), ends)
    perfect = open_against(solved, PlayerModel(), 0).perfect[""]
    assert float(perfect) == pytest.approx(float(played_out(cards, size, cap, tie)), abs=1e-12)


def test_a_deck_that_could_run_out_is_refused() -> None:
    with pytest.raises(ValueError, match="run out"):
        open_capped_payoffs(Round((2, 2, 2), (), 2, MUST_KEEP, 3), 0.5)


@pytest.mark.parametrize(
    "cap", [1, 2, 3, *(pytest.param(cap, marks=pytest.mark.slow) for cap in range(4, 9))]
)
def test_the_shipped_values_are_those_of_the_standard_round(cap: int) -> None:
    value = open_value_of(f"cap{cap}")
    # A tie is worth the round itself.
    assert open_estimate(open_capped_payoffs(Round(facing_full=MUST_KEEP, cap=cap), value)) == pytest.approx(
        value, abs=1e-12
    )
    # Hunters by a threshold get less, and those who foresee the cards more.
    low, high = (open_estimate(worst) for worst in capped_payoffs(Round(), cap))
    assert low < value < high


def test_a_solve_tells_the_value() -> None:
    table = variant("cards", visibility="open", facing_full="cap:1")
    report = cards_report(table.game_as(Cards), lambda *_args, **_more: None)
    assert "0.6167576 to 0.6167577" in report.notes[0]
    assert report.more["starter_wins_at_least"] == pytest.approx(open_value_of("cap1"))
