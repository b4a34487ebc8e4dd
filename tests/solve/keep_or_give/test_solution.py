"""The tree, the payoffs, the equilibria and their proofs."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from tests.solve.keep_or_give.naive import Naive

from digit_duel.games._cards import Cards
from digit_duel.solve import keep_or_give
from digit_duel.solve.cards.report import match_odds
from digit_duel.solve.errors import DamagedTable
from digit_duel.solve.keep_or_give import (
    FullHandRule,
    Profile,
    Round,
    RoundStrategy,
    after_tie,
    bounds,
    bracket,
    certify,
    from_bytes,
    load,
    payoffs,
    quantise,
    solve,
    solve_again,
    tied_hands,
    to_bytes,
    tree_of,
)

TABLES = Path(keep_or_give.__file__).parent.parent / "tables"
MUST_KEEP = Round(facing_full=FullHandRule.MUST_KEEP)


def test_the_tree_has_the_known_size() -> None:
    tree = tree_of()
    assert (len(tree.nodes), len(tree.ends), tree.size(0), tree.size(1)) == (19, 20, 143_210, 14_210)
    assert sum(10 ** (len(word) + 1) for word in tree.nodes) == 664_210
    assert sum(10 ** len(word) for word in tree.ends) == 1_262_000


def test_all_deals_are_counted_once() -> None:
    assert payoffs(Round()).total == 78_960_960
    assert payoffs(MUST_KEEP).total == 2_763_633_600


@pytest.mark.slow
def test_the_default_round_is_solved_exactly_by_a_pure_table() -> None:
    exact = payoffs(Round())
    solution = solve(exact, target=1e-11, limit=1_000)
    proof = certify(exact, quantise(Round(), solution.profile, 1))
    assert proof.nash_conv == 0
    assert proof.low == Fraction(709_348, 818_697)


@pytest.mark.slow
def test_must_keep_is_solved_to_a_millionth_within_200_iterations() -> None:
    exact = payoffs(MUST_KEEP)
    solution = solve(exact, target=1e-6, limit=200)
    proof = certify(exact, quantise(MUST_KEEP, solution.profile))
    assert proof.nash_conv < Fraction(11, 10_000_000)
    assert proof.low < Fraction("0.585957491055") < proof.high


@pytest.mark.parametrize(("name", "most"), [("discard", Fraction(0)), ("must_keep", Fraction(1, 10**9))])
def test_the_shipped_tables_are_what_they_claim(name: str, most: Fraction) -> None:
    table = load(TABLES / f"{name}.kog")
    proof = certify(payoffs(table.round), table)
    assert proof.nash_conv <= most
    value = Fraction(709_348, 818_697) if name == "discard" else Fraction("0.585957491055")
    assert proof.low <= value <= proof.high


def test_always_giving_is_worth_what_is_known() -> None:
    round_ = Round()
    tree = round_.tree
    never = quantise(round_, Profile(tree, (np.zeros(tree.size(0)), np.zeros(tree.size(1)))), 1)
    assert round(float(certify(payoffs(round_), never).low), 5) == 0.86621


def test_keeping_seven_and_more_throughout_loses_about_one_percent() -> None:
    tree = MUST_KEEP.tree
    keeps = []
    for seat in (0, 1):
        keep = np.empty(tree.size(seat))
        for word in tree.seat_nodes(seat):
            tree.at(keep, word)[...] = np.arange(10) >= 7
        keeps.append(keep)
    proof = certify(payoffs(MUST_KEEP), quantise(MUST_KEEP, Profile(tree, (keeps[0], keeps[1])), 1))
    assert round((float(proof.high) - float(proof.low)) / 2, 3) == 0.011  # on average over both seats


SMALL = [
    ((2, 2, 2), (), 2, "must_keep"),
    pytest.param((2, 2, 2), (), 2, "discard", marks=pytest.mark.slow),
    ((1, 2, 2), (), 2, "discard"),
    ((1, 1, 1, 1, 1), (), 2, "discard"),
    ((2, 2, 2), (), 3, "discard"),
    ((3, 3, 3), (), 3, "must_keep"),
    ((2, 2, 2, 2), (), 3, "must_keep"),
    ((1, 1, 0), (2, 1, 2), 2, "must_keep"),  # the deck runs out in the middle of the round
    ((1, 1, 1), (1, 0, 2), 2, "must_keep"),
    ((2, 1, 1), (1, 0, 1), 2, "discard"),
    ((1, 2, 1), (0, 0, 1), 2, "discard"),
    ((1, 0, 1), (1, 2, 0), 2, "discard"),
]


@pytest.mark.parametrize("tie", [0.0, 0.3, 1.0])
@pytest.mark.parametrize(("deck", "pile", "hand_size", "rule"), SMALL)
def test_a_separate_linear_programme_agrees(
    deck: tuple[int, ...], pile: tuple[int, ...], hand_size: int, rule: str, tie: float
) -> None:
    """The naive game plays every hunt card by card, so this checks the folding as well."""
    naive = Naive(deck, pile, hand_size, rule, tie).build().value()
    exact = payoffs(Round(deck, pile, hand_size, FullHandRule(rule)))
    solution = solve(exact, target=1e-9, limit=5_000, tie_value=tie)
    assert solution.gap < 1e-8
    assert solution.value == pytest.approx(naive, abs=2e-8)


@pytest.mark.slow
def test_a_separate_linear_programme_agrees_on_the_fixed_point() -> None:
    assert solve(payoffs(Round((2, 2, 2), (), 2)), target=1e-10).value == pytest.approx(13 / 19, abs=1e-9)
    assert Naive((1, 2, 2), (), 2, "discard").fixed_point() == pytest.approx(9 / 14, abs=1e-8)
    assert solve(payoffs(Round((1, 2, 2), (), 2)), target=1e-10).value == pytest.approx(9 / 14, abs=1e-9)


@pytest.mark.parametrize("deck", [(2, 2, 2), (2, 1, 2, 1), (1, 2, 3)])
def test_a_capped_round_lies_within_its_bracket(deck: tuple[int, ...]) -> None:
    naive = Naive(deck, (), 2, "cap:1").fixed_point()
    found = bracket(Round(deck, (), 2), 1, target=1e-9, limit=3_000)
    assert found.low - 1e-8 <= naive <= found.high + 1e-8


def test_a_tie_between_known_values_widens_the_bounds() -> None:
    table = load(TABLES / "must_keep.kog")
    exact, profile = payoffs(table.round), table.profile()
    wide = bounds(exact, profile, (0.0, 1.0))
    assert 0.5838 < wide.low < 0.5859575 < wide.high < 0.5875
    proof = certify(exact, table, ties=(Fraction(0), Fraction(1)))
    assert (float(proof.low), float(proof.high)) == pytest.approx((wide.low, wide.high), abs=1e-12)


def test_another_deck_is_solved_again_in_thirty_iterations() -> None:
    table = load(TABLES / "must_keep.kog")
    again = after_tie(table.round, (9, 8, 3))
    assert again.deck == (4, 4, 4, 2, 4, 4, 4, 4, 2, 2)
    assert solve_again(again, table.profile(), ties=(0.586, 0.586), iterations=30).gap < 1e-5
    assert len(list(tied_hands(table.round))) == 210


def test_any_change_to_a_file_is_noticed() -> None:
    data = (TABLES / "discard.kog").read_bytes()
    assert to_bytes(from_bytes(data)) == data
    for at in range(0, len(data), 7):
        with pytest.raises(DamagedTable):
            from_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    for cut in (0, 5, 30, len(data) - 1):
        with pytest.raises(DamagedTable):
            from_bytes(data[:cut])
    with pytest.raises(DamagedTable):
        from_bytes(data + b"\0")


def test_a_wrong_table_is_not_certified() -> None:
    table = load(TABLES / "discard.kog")
    keep = table.keep[0].copy()
    keep[:] = 1 - keep
    assert certify(
        payoffs(table.round), RoundStrategy(table.round, 1, (keep, table.keep[1]))
    ).nash_conv > Fraction(1, 10)


def test_the_match_is_what_playing_it_out_gives() -> None:
    p = Fraction(709_348, 818_697)

    def play(mine: int, theirs: int, starting: bool) -> Fraction:
        if 2 in (mine, theirs):
            return Fraction(mine == 2)
        win = p if starting else 1 - p
        return win * play(mine + 1, theirs, not starting) + (1 - win) * play(mine, theirs + 1, not starting)

    assert match_odds(Cards(), p) == play(0, 0, True)


def test_bad_rounds_are_refused() -> None:
    for deck, pile in (((1, 1, 1), ()), ((-1, 9), ()), ((3, 3), (1,))):
        with pytest.raises(ValueError, match=r"cards|negative|same"):
            Round(deck, pile, 2)
