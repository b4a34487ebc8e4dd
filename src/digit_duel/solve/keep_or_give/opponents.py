"""Imperfect opponents: how they keep, give and hunt, and the best response to one of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import combinations_with_replacement, permutations
from math import comb, erf, factorial, sqrt
from typing import Protocol

import numpy as np

from digit_duel.solve.keep_or_give.counterfactual import EndValues, Profile, end_values
from digit_duel.solve.keep_or_give.payoffs import (
    FullHandRule,
    Payoffs,
    Round,
    best_left,
    draw_weights,
    numbers,
    payoffs,
    spread,
)
from digit_duel.solve.keep_or_give.public_tree import SECOND, STARTER, Array, Ints, hand_draws
from digit_duel.solve.keep_or_give.solved_round import SolvedRound
from digit_duel.solve.keep_or_give.with_errors.forced_errors import ErringRound

_RARELY = 1e-6  # probability of errors that make every situation reachable, and of surprising replays


class Habits(Protocol):
    """How a player chooses: sometimes by a coin or by the tips, and otherwise by the solution.

    A hunt consists of many choices; in this model one of the three ways is used for a whole hunt. A hunter
    who tosses coins ends up with random cards, just as with must_keep.
    """

    @property
    def coin(self) -> float:
        """The share of choices made by tossing a coin."""

    @property
    def tips(self) -> float:
        """The share of choices that follow the tips."""

    @property
    def blur(self) -> float:
        """The standard error of judgement in all other choices, in winning probability."""

    @property
    def any_order(self) -> bool:
        """Whether the digits are laid out in random order, not as the highest number."""

    @property
    def keep_from(self) -> int:
        """The least digit that the tips keep."""

    @property
    def hunt_from(self) -> int:
        """The least digit that the tips keep while facing a full hand."""


def against(solved: SolvedRound, habits: Habits, seat: int) -> SolvedRound:
    """The round as one seat plays it against an opponent; a tie has the value of the round to the seat."""
    profile = Profile(
        solved.round.tree, (keep_shares(solved, habits, STARTER), keep_shares(solved, habits, SECOND))
    )
    value = replayed_tie(
        solved.tie_value,
        lambda tie: erring_end_values(solved, habits, seat, tie).best_response(seat, profile),
    )
    worth = erring_end_values(solved, habits, seat, value)
    return replace(solved, profile=profile, worth=worth, tie_value=value, any_order=habits.any_order)


def replayed_tie(guess: float, round_value: Callable[[float], float]) -> float:
    """The value of a tie that equals the value of the round, which is given as a function of it."""
    # Aitken's method: the function is nearly linear, so two passes locate the fixed point.
    first = round_value(guess)
    second = round_value(first)
    curvature = (second - first) - (first - guess)
    return tie_worth(second - (second - first) ** 2 / curvature if curvature else second)


def tie_worth(value: float) -> float:
    """The value of a tie, given that of the round: not certain, because a replay has other cards."""
    return min(max(value, _RARELY), 1 - _RARELY)


def keep_shares(solved: SolvedRound, habits: Habits, seat: int) -> Array:
    """The probability that an opponent in a seat keeps, at each of its information sets."""
    tree = solved.round.tree
    keep: Array = solved.profile.keep[seat]
    if habits.blur:
        keep = np.vectorize(_normal, otypes=[np.float64])(keep_gains(solved, seat) / habits.blur)
    by_tips = np.empty(keep.size)
    for word in tree.seat_nodes(seat):
        tree.at(by_tips, word)[...] = np.arange(tree.kinds) >= habits.keep_from
    return habits.coin / 2 + habits.tips * by_tips + (1 - habits.coin - habits.tips) * keep


def keep_gains(solved: SolvedRound, seat: int) -> Array:
    """The gain of keeping over giving at each information set of a seat, given that it is reached."""
    # The other seat's errors are so rare that only the fewest errors that explain a situation matter.
    return ErringRound(solved.round, _RARELY, solved.worth.payoff).gain(solved.profile, seat)


def _normal(z: float) -> float:
    return (1 + erf(z / sqrt(2))) / 2


def erring_end_values(solved: SolvedRound, habits: Habits, seat: int, tie: float) -> EndValues:
    """The payoffs of a round in which the opponent hunts by its habits, and the seat perfectly."""
    round_, tree = solved.round, solved.round.tree
    if habits.any_order:
        return end_values(_in_any_order(round_, seat), tie)
    exact = end_values(solved.payoffs, tie)
    must_keep = round_.facing_full is FullHandRule.MUST_KEEP and not round_.cap
    if must_keep or not habits.coin + habits.tips:
        return exact
    hunts = [end for end in tree.ends if tree.hunter(end) != seat]
    ways, rest = [], 1 - habits.coin
    if habits.coin:
        ways.append((habits.coin, end_values(_by_keeping(round_), tie, hunts)))
    if habits.tips and not round_.cap:
        by_tips = _by_tips(round_, habits.hunt_from, habits.tips / rest)
        ways.append((rest, end_values(by_tips, tie, hunts)))
    else:
        ways.append((rest, exact))
    mixed = {end: np.sum([share * found.payoff[end] for share, found in ways], axis=0) for end in hunts}
    return EndValues(tree, {**exact.payoff, **mixed})


@lru_cache(maxsize=4)
def _by_keeping(round_: Round) -> Payoffs:
    return payoffs(replace(round_, facing_full=FullHandRule.MUST_KEEP, cap=0))


@lru_cache(maxsize=4)
def _in_any_order(round_: Round, seat: int) -> Payoffs:
    """The payoffs, as probabilities, against an opponent who hunts by a coin and lays out in random order."""
    places = range(1, round_.hand_size + 1)
    hunts = {
        (best, left): _hunt_in_any_order(round_, best, left) for best in (True, False) for left in places
    }
    return _folded(round_, lambda hunter, held: hunts[hunter == seat, round_.hand_size - held])


def _hunt_in_any_order(round_: Round, hunting: bool, places: int) -> tuple[Array, Array]:
    """A hunter's probabilities of winning and tying, if the hunter or else the other seat plays perfectly."""
    kinds, size = len(round_.deck), round_.hand_size
    length, draws, rank = 2 * size - places, 2 * size, numbers(kinds, size)
    digits = np.indices((kinds,) * draws, sparse=True)
    full, hunts = digits[:size], digits[size:]
    if hunting and round_.facing_full is FullHandRule.DISCARD:
        highest = best_left(round_, length, places)
        hunts = (*digits[size:length], *(spread(one, tuple(range(length)), draws) for one in highest))
    best, random = (rank[tuple(hunts)], full) if hunting else (rank[tuple(full)], hunts)
    won, tied = np.zeros((kinds,) * draws), np.zeros((kinds,) * draws)
    for order in permutations(random):
        other = sum(digit * kinds**place for place, digit in enumerate(order))
        won += best > other if hunting else best < other
        tied += best == other
    weights = draw_weights(round_, draws) / factorial(size)
    later = tuple(range(length, draws))
    total = np.maximum(weights.sum(axis=later) * factorial(size), 1)
    return (weights * won).sum(axis=later) / total, (weights * tied).sum(axis=later) / total


@lru_cache(maxsize=4)
def _by_tips(round_: Round, least: int, share: float) -> Payoffs:
    """The payoffs, as probabilities, of hunters who keep high cards with probability `share`."""
    # They keep the highest digit whenever it comes, and other high ones only when they follow the tips. When
    # the deck has run out once, high cards that they passed fill the places that are left. If there are too
    # few of them, the deck runs out again, and low cards come at random (C4).
    size = round_.hand_size
    hunts = {places: _hunt_by_tips(round_, places, least, share) for places in range(1, size + 1)}
    return _folded(round_, lambda _hunter, held: hunts[size - held])


def _folded(round_: Round, hunt: Callable[[int, int], tuple[Array, Array]]) -> Payoffs:
    """Payoffs from a function that returns a hunter's probabilities of winning and tying at each end."""
    tree, win, tie = round_.tree, {}, {}
    for end in tree.ends:
        hunter = tree.hunter(end)
        full, held = hand_draws(end, 1 - hunter), hand_draws(end, hunter)
        weights = draw_weights(round_, len(end)) / round_.ways(0, len(end))
        won, tied = (table.transpose(np.argsort(full + held)) for table in hunt(hunter, len(held)))
        win[end] = weights * (won if hunter == STARTER else 1 - won - tied)
        tie[end] = weights * tied
    return Payoffs(round_, 1, win, tie)


def _hunt_by_tips(round_: Round, places: int, least: int, share: float) -> tuple[Array, Array]:
    """A hunter's probabilities of winning and tying, with this many empty places, by full and held digits."""
    kinds, size = len(round_.deck), round_.hand_size
    length, top = 2 * size - places, kinds - 1
    digits = np.indices((kinds,) * length).reshape(length, -1)
    left = np.array(round_.cards)[:, None] - np.stack([(digits == d).sum(axis=0) for d in range(kinds)])
    left = np.maximum(left, 0)
    high, middle, low = (some.sum(axis=0) for some in (left[least:], left[least:top], left[:least]))
    number = numbers(kinds, size)
    theirs = number[tuple(digits[:size])]
    most = int(left.sum(axis=0).max())
    choose = np.array([[comb(n, k) for k in range(most + 1)] for n in range(most + 1)], dtype=np.float64)
    tops = [_tops(left[top], middle, places, count, share, choose) for count in range(places + 1)]
    taken = np.minimum(high, places)
    by_chance = np.maximum(choose[high, taken] * choose[low, places - taken], 1)
    won, tied = np.zeros(digits.shape[1]), np.zeros(digits.shape[1])
    for some in combinations_with_replacement(range(kinds), places):
        count, many = some.count(top), sum(digit >= least for digit in some)
        ways, between = np.ones(digits.shape[1]), np.ones(digits.shape[1])
        for digit in set(some):
            ways *= choose[left[digit], some.count(digit)]
            between *= choose[left[digit], some.count(digit)] if digit != top else 1
        chance = np.where(taken == many, ways / by_chance, 0.0)
        if many == places:
            chosen = tops[count] * between / np.maximum(choose[middle, places - count], 1)
            chance = np.where(high >= places, chosen, chance)
        mine = number[(*digits[size:], *some)]
        won += chance * (mine > theirs)
        tied += chance * (mine == theirs)
    shape = (kinds,) * length
    return won.reshape(shape), tied.reshape(shape)


def _tops(top: Ints, middle: Ints, places: int, count: int, share: float, choose: Array) -> Array:
    """The probability that a hunter ends with this many cards of the highest digit, if high cards suffice."""
    found = np.zeros(top.shape)
    for kept in range(int(middle.max()) + 1):  # cards below the top that would be kept when they come
        chance = choose[middle, kept] * share**kept * (1 - share) ** np.maximum(middle - kept, 0)
        ways = choose[top, count] * choose[kept, places - count] / np.maximum(choose[top + kept, places], 1)
        found += chance * np.where(top + kept >= places, ways, count == np.minimum(top, places))
    return found
