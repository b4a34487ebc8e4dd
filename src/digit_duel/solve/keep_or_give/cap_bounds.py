"""Rounds with facing_full=cap:N, bracketed between two rounds that can be solved exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from math import comb

import numpy as np

from digit_duel.solve.keep_or_give.capped_hunt import high_chances
from digit_duel.solve.keep_or_give.cfr import Solution, solve
from digit_duel.solve.keep_or_give.counterfactual import Profile
from digit_duel.solve.keep_or_give.other_decks import Bounds, replayed
from digit_duel.solve.keep_or_give.payoffs import FullHandRule, Payoffs, Round, draw_weights, numbers, payoffs
from digit_duel.solve.keep_or_give.public_tree import SECOND, STARTER, Array, Ints, hand_draws, hidden_draws

# Under a cap the hunter's best choice depends on what it believes about the hidden hand, so the hunt is no
# fixed payoff. Two kinds of hunters, whose hunts are fixed payoffs, enclose it:
#  - the planner keeps every digit from some threshold up and passes the rest while it may. The threshold
#    depends only on what the hunter knows. This is a legal way to hunt, so a seat gets at least its payoffs;
#  - the prophet sees the next N + m cards and takes the best m. No legal way to hunt gets more.
# A round in which one seat hunts as a planner and the other as a prophet is worth at most, for the planner,
# what the true round is worth; solving it for either seat brackets the value and gives each seat a strategy
# with a guarantee.


def _choose(numbers_: Ints, count: int) -> Array:
    table = np.array([comb(n, count) for n in range(max(int(numbers_.max()), 0) + 1)], dtype=np.float64)
    return table[np.maximum(numbers_, 0)]


@dataclass(frozen=True)
class Hunts:
    """All hunts with equally many empty places: one row for every sequence of full and held digits."""

    deck: Ints
    theirs: Ints
    mine: Ints  # the hunter's number, row by row, with every set of further digits
    sets: Ints
    shape: tuple[int, ...]


def hunts_with(round_: Round, places: int) -> Hunts:
    """All hunts with so many empty places."""
    kinds, size = len(round_.deck), round_.hand_size
    length = 2 * size - places
    digits = np.indices((kinds,) * length).reshape(length, -1)
    deck = np.array(round_.deck) - np.stack([(digits == digit).sum(axis=0) for digit in range(kinds)], axis=1)
    sets = np.array(list(combinations_with_replacement(range(kinds), places)))
    number = numbers(kinds, size)
    held = tuple(digits[i][:, None] for i in range(size, length))
    mine = number[(*held, *(sets[:, i][None, :] for i in range(places)))]
    mine = np.broadcast_to(mine, (len(deck), len(sets)))
    return Hunts(np.maximum(deck, 0), number[tuple(digits[:size])], mine, sets, (kinds,) * length)


def best_of_more(hunts: Hunts, discards: int) -> Array:
    """How likely each set of digits is the best one among the cards to come, row by row."""
    places, size = hunts.sets.shape[1], hunts.deck.sum(axis=1)
    chance = np.zeros(hunts.mine.shape)
    below = np.cumsum(hunts.deck, axis=1) - hunts.deck
    all_ways = _choose(size, places + discards)
    for at, digits in enumerate(hunts.sets):
        least, copies = int(digits.min()), int((digits == digits.min()).sum())
        above = np.ones(len(size))
        for digit in set(digits.tolist()) - {least}:
            above *= _choose(hunts.deck[:, digit], int((digits == digit).sum()))
        rest = discards + copies  # cards of the sample that are not above the least digit chosen
        ways = np.zeros(len(size))
        for taken in range(copies, min(rest, int(hunts.deck[:, least].max())) + 1):
            ways += _choose(hunts.deck[:, least], taken) * _choose(below[:, least], rest - taken)
        chance[:, at] = above * ways / np.maximum(all_ways, 1)
    return chance


def _plans(hunts: Hunts, discards: int) -> list[Array]:
    """How likely each set of digits ends up kept, row by row, for every least digit to keep."""
    places = hunts.sets.shape[1]
    ways = np.ones(hunts.mine.shape)
    for digit in range(hunts.deck.shape[1]):
        many = (hunts.sets == digit).sum(axis=1)
        choose = np.stack([_choose(hunts.deck[:, digit], count) for count in range(places + 1)], axis=1)
        ways *= choose[:, many]
    found = []
    for least in range(hunts.deck.shape[1]):
        high = np.eye(places + 1)[(hunts.sets >= least).sum(axis=1)]
        number_high = high_chances(hunts.deck, least, places, discards)
        found.append(ways * ((number_high / np.maximum(ways @ high, 1)) @ high.T))
    return found


def results(hunts: Hunts, chance: Array) -> tuple[Array, Array]:
    """How likely the hunter wins and ties, by full and held digits."""
    theirs = hunts.theirs[:, None]
    win, tie = (chance * (hunts.mine > theirs)).sum(axis=1), (chance * (hunts.mine == theirs)).sum(axis=1)
    return win.reshape(hunts.shape), tie.reshape(hunts.shape)


def _folded(round_: Round, discards: int, tie_value: float) -> Callable[[tuple[bool, bool]], Payoffs]:
    """A function that returns the payoffs of the round, given which seats hunt as prophets."""
    tree, size = round_.tree, round_.hand_size
    prophets, planners = {}, {}
    for places in range(1, size + 1):
        hunts = hunts_with(round_, places)
        prophets[places] = results(hunts, best_of_more(hunts, discards))
        planners[places] = [results(hunts, chance) for chance in _plans(hunts, discards)]

    def fold(prophetic: tuple[bool, bool]) -> Payoffs:
        win, tie = {}, {}
        for end in tree.ends:
            hunter = tree.hunter(end)
            full, held = hand_draws(end, 1 - hunter), hand_draws(end, hunter)
            axes, places = np.argsort(full + held), size - len(held)
            weights = draw_weights(round_, len(end)) / round_.ways(0, len(end))
            if prophetic[hunter]:
                won, tied = (table.transpose(axes) for table in prophets[places])
            else:
                wins = np.stack([table[0].transpose(axes) for table in planners[places]])
                ties = np.stack([table[1].transpose(axes) for table in planners[places]])
                worth = tie_value if hunter == STARTER else 1 - tie_value
                # The plan is chosen by what the hunter has seen: averaged over what it has not.
                hidden = tuple(i + 1 for i in hidden_draws(end, hunter))
                plan = ((wins + worth * ties) * weights).sum(axis=hidden, keepdims=True).argmax(axis=0)[None]
                won = np.take_along_axis(wins, np.broadcast_to(plan, (1, *wins.shape[1:])), axis=0)[0]
                tied = np.take_along_axis(ties, np.broadcast_to(plan, (1, *ties.shape[1:])), axis=0)[0]
            win[end] = weights * (won if hunter == STARTER else 1 - won - tied)
            tie[end] = weights * tied
        return Payoffs(round_, 1, win, tie)

    return fold


def capped_payoffs(round_: Round, cap: int) -> tuple[Payoffs, Payoffs]:
    """Payoffs that are no better than the round for the starter, and for the second seat."""
    if sum(round_.deck) < 2 * round_.hand_size + cap:
        raise ValueError("the deck could run out: the bracket is only for decks that last")
    fold = _folded(round_, cap, tie_value=0.5)
    return fold((False, True)), fold((True, False))  # the starter plans, then the second seat


def bracket(
    round_: Round,
    cap: int,
    *,
    target: float = 1e-6,
    limit: int = 500,
    progress: Callable[[Solution], None] | None = None,
) -> Bounds:
    """Bounds on a capped round, ties replayed from the same cards, and a strategy that guarantees them."""
    if cap == 0:
        exact = payoffs(replace(round_, facing_full=FullHandRule.MUST_KEEP))
        solution = solve(exact, target=target, limit=limit, progress=progress)
        return replayed(exact, solution.profile)
    cautious = []
    for worst in capped_payoffs(round_, cap):
        profile = solve(worst, target=target, limit=limit, progress=progress).profile
        cautious.append(replayed(worst, profile))
    keep = cautious[STARTER].profile.keep[STARTER], cautious[SECOND].profile.keep[SECOND]
    return Bounds(Profile(round_.tree, keep), cautious[STARTER].low, cautious[SECOND].high)
