"""Errors are punished: the shipped strategies in situations that perfect play never reaches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest

from digit_duel.solve import keep_or_give
from digit_duel.solve.keep_or_give import (
    SECOND,
    STARTER,
    FullHandRule,
    Profile,
    Round,
    certify,
    hidden_draws,
    load,
    mover,
    payoffs,
    seen_draws,
    solve,
    solve_for_play,
)
from digit_duel.solve.keep_or_give.payoffs import draw_weights
from digit_duel.solve.keep_or_give.public_tree import Array
from digit_duel.solve.keep_or_give.with_errors.forced_errors import ErringRound, erring_round, loss
from digit_duel.solve.keep_or_give.with_errors.off_path import COMPARED

TABLES = Path(keep_or_give.__file__).parent.parent / "tables"
RULES = ("discard", "must_keep")
TIES = {"discard": 709_348 / 818_697, "must_keep": 0.585957491055}
PART = 1 / 65_535  # a table cannot mix more finely


def shipped(rule: str) -> Profile:
    """The strategy that the package brings."""
    return load(TABLES / f"{rule}.kog").profile()


def with_errors(rule: str, error: float) -> tuple[ErringRound, Profile]:
    """The round with errors forced on both, and what tools/make_tables.py found to be its solution."""
    round_ = Round(facing_full=FullHandRule(rule))
    with np.load(Path(__file__).parent / "with_errors.npz") as file:
        keep = file["keep"][RULES.index(rule), COMPARED.index(error)]
    cut = round_.tree.size(STARTER)
    return erring_round(round_, error, TIES[rule]), Profile(round_.tree, (keep[:cut], keep[cut:]))


def both(erring: ErringRound, against: Profile) -> Array:
    """What keeping gains at every information set of both seats."""
    return np.concatenate([erring.gain(against, seat) for seat in (STARTER, SECOND)])


# The whole round.


@pytest.mark.parametrize("error", COMPARED)
@pytest.mark.parametrize("rule", RULES)
def test_the_solutions_with_errors_are_solutions_at_every_information_set(rule: str, error: float) -> None:
    erring, solution = with_errors(rule, error)
    losses = loss(both(erring, solution), np.concatenate(solution.keep))
    assert losses.size == 157_420
    assert losses.max() < 1e-10


@pytest.mark.parametrize("rule", RULES)
def test_no_choice_loses_more_than_an_error_of_one_in_ten_thousand(rule: str) -> None:
    erring, solution = with_errors(rule, 1e-4)
    gain, keep = both(erring, solution), np.concatenate(shipped(rule).keep)
    losses = loss(gain, keep)
    assert losses.max() < 1e-4
    clear = np.abs(gain) > 1e-3
    assert losses[clear].max() == 0  # the very choices of the solution


# The shipped strategy is the limit of small errors. With larger ones a solution may turn round a choice, and
# with it what its opponent believes. So a choice of the table may lose there, once it is reached, but no more
# than the errors changed its gain: g' - g, if it gains g with small errors (g >= 0) and g' with larger ones.
@pytest.mark.parametrize(
    ("rule", "error", "exceptions"),
    [("discard", 1e-3, 0), ("discard", 1e-2, 0), ("must_keep", 1e-3, 28), ("must_keep", 1e-2, 82)],
)
def test_larger_errors_cost_what_they_change(rule: str, error: float, exceptions: int) -> None:
    erring, solution = with_errors(rule, error)
    gain, keep = both(erring, solution), np.concatenate(shipped(rule).keep)
    losses, small = loss(gain, keep), both(*with_errors(rule, 1e-4))
    assert (losses > error).sum() <= exceptions  # of 157,420
    assert (losses <= np.abs(gain - small) + 1e-4).all()
    reach = np.concatenate([erring.reach(solution, seat) for seat in (STARTER, SECOND)])
    assert (reach * losses).sum() < error / 50  # all together, in rounds won


def test_no_table_could_lose_less_than_all_three_errors_where_their_solutions_disagree() -> None:
    # A share p of keeping loses g (1 - p) where keeping gains g, and -g p where it loses -g. So each error
    # bounds p from one side, and at 78 of the 86 information sets these bounds exclude each other.
    keep = np.concatenate(shipped("must_keep").keep)
    least, most, over = np.zeros(keep.size), np.ones(keep.size), np.zeros(keep.size, dtype=bool)
    for error in COMPARED:
        gain = both(*with_errors("must_keep", error))
        over |= loss(gain, keep) > error
        least = np.maximum(least, 1 - error / np.maximum(gain, error))
        most = np.minimum(most, error / np.maximum(-gain, error))
    assert over.sum() == 86
    assert (over & (least > most)).sum() == 78


@pytest.mark.parametrize("rule", RULES)
def test_a_planted_mistake_is_found(rule: str) -> None:
    erring, solution = with_errors(rule, 1e-4)
    gain, keep = both(erring, solution), np.concatenate(shipped(rule).keep)
    clear = np.flatnonzero(np.abs(gain) > 1e-2)
    for at in clear[:: clear.size // 50]:
        keep[at] = 1 - keep[at]
        assert loss(gain, keep).max() > 1e-2
        keep[at] = 1 - keep[at]


def hand_by_hand(rule: str, seat: int) -> Iterator[tuple[Array, Array, Array]]:
    """What keeping gains against each hidden hand and how often the table keeps; the last axis is hidden."""
    profile, round_ = shipped(rule), Round(facing_full=FullHandRule(rule))
    tree, worth = round_.tree, dict(erring_round(round_, 0.0, TIES[rule]).payoff)
    plan = erring_round(round_, 1e-4, TIES[rule]).gain(profile, seat) > 0  # its best play afterwards
    sign = 1 if seat == STARTER else -1
    for word in reversed(tree.nodes):
        kept, given = worth[word + "k"], worth[word + "g"]
        own = mover(word) == seat
        keep = tree.at(plan, word) if own else profile.at(word)
        worth[word] = (keep * kept + (1 - keep) * given).sum(axis=-1)
        if own:
            chance = draw_weights(round_, len(word) + 1) / round_.ways(0, len(word) + 1)
            gain = np.divide(sign * (kept - given), chance, out=np.zeros(chance.shape), where=chance > 0)
            hidden = hidden_draws(word, seat)
            low, high = (side(gain, axis=hidden, keepdims=True) for side in (np.min, np.max))
            yield low, high, profile.at(word)


@pytest.mark.parametrize("seat", [STARTER, SECOND])
@pytest.mark.parametrize("rule", RULES)
def test_no_choice_is_dominated(rule: str, seat: int) -> None:
    seen = 0
    for low, high, keep in hand_by_hand(rule, seat):
        # Equal or worse against every hidden hand, and worse against one, is what nobody should choose.
        assert not ((high < PART / 10) & (low < -PART / 10) & (keep > 0)).any()
        assert not ((low > -PART / 10) & (high > PART / 10) & (keep < 1)).any()
        seen += keep.size
    assert seen == (143_210, 14_210)[seat]


# Small rounds, by a second account in a few lines: every deal and every choice one by one.


def ends(round_: Round, tie: float) -> dict[tuple[str, tuple[int, ...]], tuple[float, float]]:
    """The chance of each end of the first phase by must_keep, and what the starter wins there."""
    found: dict[tuple[str, tuple[int, ...]], list[float]] = defaultdict(lambda: [0.0, 0.0])
    cards = [digit for digit, copies in enumerate(round_.deck) for _ in range(copies)]
    deals = list(permutations(cards, 2 * round_.hand_size))
    for deal in deals:
        for word in round_.tree.ends:
            hands: list[list[int]] = [[], []]
            for draw, said in enumerate(word):
                hands[draw % 2 if said == "k" else 1 - draw % 2].append(deal[draw])
            rest = list(deal[len(word) :])
            for hand in hands:
                while len(hand) < round_.hand_size:
                    hand.append(rest.pop(0))
            mine, theirs = (sorted(hand, reverse=True) for hand in hands)
            entry = found[word, deal[: len(word)]]
            entry[0] += 1 / len(deals)
            entry[1] += ((mine > theirs) + (mine == theirs) * tie) / len(deals)
    return {key: (chance, won) for key, (chance, won) in found.items()}


def gains(
    round_: Round, profile: Profile, error: float, tie: float
) -> dict[tuple[str, tuple[int | None, ...]], float]:
    """What keeping gains once reached, errors forced on the opponent and on everything that follows."""
    values, found = ends(round_, tie), {}

    def says(word: str, digits: tuple[int, ...], said: str) -> float:
        seen = seen_draws(word, mover(word))
        at = tuple(d if i in seen or i == len(word) else 0 for i, d in enumerate(digits[: len(word) + 1]))
        keep = error + (1 - 2 * error) * float(profile.at(word)[at])
        return keep if said == "k" else 1 - keep

    for word in round_.tree.nodes:
        seat, size = mover(word), len(word)
        for known in product(
            *[range(len(round_.deck)) if i in seen_draws(word, seat) else [None] for i in range(size)],
            range(len(round_.deck)),
        ):
            weight, worth = 0.0, {"k": 0.0, "g": 0.0}
            for (end, digits), (chance, won) in values.items():
                if not end.startswith(word) or any(
                    a not in (None, b) for a, b in zip(known, digits, strict=False)
                ):
                    continue
                share = 1.0
                for at in range(len(end)):
                    if (at < size and at % 2 != seat) or at > size:
                        share *= says(end[:at], digits, end[at])
                worth[end[size]] += share * (won if seat == STARTER else chance - won)
                if end[size] == "k":
                    weight += share * chance
            if weight:
                found[word, known] = (worth["k"] - worth["g"]) / weight
    return found


@pytest.mark.parametrize(("deck", "sets"), [((2, 1, 2, 1), 78), ((3, 1, 2, 2), 90)])
def test_small_rounds_are_right_everywhere(deck: tuple[int, ...], sets: int) -> None:
    round_ = Round(deck, (), 2, FullHandRule.MUST_KEEP)
    done = solve_for_play(round_)
    assert done.certificate.nash_conv < Fraction(1, 10**5)
    solution = done.solutions[1e-3]
    checked = gains(round_, solution, 1e-3, float(done.certificate.low))
    assert len(checked) == sets
    for (word, known), gain in checked.items():
        at = tuple(digit or 0 for digit in known)
        keep, table = float(solution.at(word)[at]), float(done.strategy.profile().at(word)[at])
        assert loss(np.array(gain), np.array(keep)) < 1e-6
        assert loss(np.array(gain), np.array(table)) < 1e-3


@pytest.mark.parametrize("rule", FullHandRule)
def test_a_small_round_is_solved_for_play_as_well_as_for_proof(rule: FullHandRule) -> None:
    round_ = Round((2, 2, 2, 2), (), 2, rule)
    done = solve_for_play(round_)
    assert done.certificate == certify(payoffs(round_), done.strategy)
    assert done.certificate.nash_conv == 0
    assert float(done.certificate.low) == pytest.approx(solve(payoffs(round_), target=1e-10).value, abs=1e-9)
