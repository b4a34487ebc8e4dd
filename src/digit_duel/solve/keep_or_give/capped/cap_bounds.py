"""Rounds with facing_full=cap:N, bracketed between two rounds that can be solved exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import comb
from string import ascii_lowercase

import numpy as np

from digit_duel.solve.keep_or_give.capped.high_chances import high_chances
from digit_duel.solve.keep_or_give.capped.multisets import number_of_sets, set_table
from digit_duel.solve.keep_or_give.cfr import RoundSolution, solve
from digit_duel.solve.keep_or_give.counterfactual import Profile
from digit_duel.solve.keep_or_give.other_rules.other_decks import Bounds, replayed
from digit_duel.solve.keep_or_give.payoffs import FullHandRule, Payoffs, Round, draw_weights, numbers, payoffs
from digit_duel.solve.keep_or_give.public_tree import SECOND, STARTER, Array, Ints, hand_draws, hidden_draws

# Under a cap the hunter's best choice depends on its belief about the hidden hand, so the hunt is not a fixed
# payoff. Two kinds of hunters with fixed payoffs enclose it:
#  - the planner keeps every digit from some threshold up and passes the rest while it may. The threshold
#    depends only on what the hunter knows. This is a legal way to hunt, so a seat gets at least its payoffs;
#  - the prophet sees the next N + m cards and takes the best m. No legal way to hunt gets more.
# If one seat hunts as a planner and the other as a prophet, the value for the planner is at most that of the
# true round. Solving this for either seat brackets the value and gives each seat a strategy with a guarantee.


def _choose(numbers_: Ints, count: int) -> Array:
    table = np.array([comb(n, count) for n in range(max(int(numbers_.max()), 0) + 1)], dtype=np.float64)
    return table[np.maximum(numbers_, 0)]


@dataclass(frozen=True)
class HuntRows:
    """All hunts with equally many empty places: one row for every set of full and of held digits."""

    deck: Ints
    theirs: Ints
    mine: Ints  # the hunter's number, row by row, with every set of further digits
    sets: Ints
    rows: Ints  # the row of every sequence of full and held digits


def hunts_with(round_: Round, places: int) -> HuntRows:
    """All hunts with this many empty places."""
    kinds, size = len(round_.deck), round_.hand_size
    length = 2 * size - places
    full, hands = set_table(kinds, size), set_table(kinds, length - size)
    digits = np.concatenate([np.repeat(full, len(hands), axis=0), np.tile(hands, (len(full), 1))], axis=1).T
    rows = number_of_sets(kinds, size)[:, None] * len(hands) + number_of_sets(kinds, length - size)
    deck = np.array(round_.deck) - np.stack([(digits == digit).sum(axis=0) for digit in range(kinds)], axis=1)
    sets = set_table(kinds, places)
    number = numbers(kinds, size)
    held = tuple(digits[i][:, None] for i in range(size, length))
    mine = number[(*held, *(sets[:, i][None, :] for i in range(places)))]
    mine = np.broadcast_to(mine, (len(deck), len(sets)))
    theirs = number[tuple(digits[:size])]
    return HuntRows(np.maximum(deck, 0), theirs, mine, sets, rows.reshape((kinds,) * length))


def best_of_more(hunts: HuntRows, discards: int) -> Array:
    """The probability that each set of digits is the best one among the next cards, row by row."""
    places, size = hunts.sets.shape[1], hunts.deck.sum(axis=1)
    chance = np.zeros(hunts.mine.shape)
    below = np.cumsum(hunts.deck, axis=1) - hunts.deck
    all_ways = _choose(size, places + discards)
    for at, digits in enumerate(hunts.sets):
        least, copies = int(digits.min()), int((digits == digits.min()).sum())
        above = np.ones(len(size))
        for digit in set(digits.tolist()) - {least}:
            above *= _choose(hunts.deck[:, digit], int((digits == digit).sum()))
        rest = discards + copies  # sampled cards that are not higher than the least digit chosen
        ways = np.zeros(len(size))
        for taken in range(copies, min(rest, int(hunts.deck[:, least].max())) + 1):
            ways += _choose(hunts.deck[:, least], taken) * _choose(below[:, least], rest - taken)
        chance[:, at] = above * ways / np.maximum(all_ways, 1)
    return chance


def _plans(hunts: HuntRows, discards: int) -> list[Array]:
    """The probability that each set of digits ends up kept, row by row, for every threshold."""
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


def by_row(hunts: HuntRows, chance: Array) -> tuple[Array, Array]:
    """The hunter's probabilities of winning and tying, row by row."""
    theirs = hunts.theirs[:, None]
    return (chance * (hunts.mine > theirs)).sum(axis=1), (chance * (hunts.mine == theirs)).sum(axis=1)


def results(hunts: HuntRows, chance: Array) -> tuple[Array, Array]:
    """The hunter's probabilities of winning and tying, by full and held digits."""
    win, tie = by_row(hunts, chance)
    return win[hunts.rows], tie[hunts.rows]


class _Folds:
    """The payoffs of a capped round for both kinds of hunters."""

    def __init__(self, round_: Round, discards: int, tie_value: float) -> None:
        self.round, self.discards = round_, discards
        self.worth = tie_value, 1 - tie_value
        self.hunts = {places: hunts_with(round_, places) for places in range(1, round_.hand_size + 1)}
        self.planners: dict[int, tuple[Array, Array]] = {}  # wins and ties by plan and row
        self.scores: dict[tuple[int, int], Array] = {}  # by seat and places: by plan, full and held digits
        for places, hunts in self.hunts.items():
            found = [by_row(hunts, chance) for chance in _plans(hunts, discards)]
            wins, ties = (np.stack([plan[i] for plan in found]) for i in (0, 1))
            self.planners[places] = wins, ties
            for seat in (STARTER, SECOND):
                self.scores[seat, places] = (wins + self.worth[seat] * ties)[:, hunts.rows]

    def payoffs(self, prophetic: tuple[bool, bool]) -> Payoffs:
        """The payoffs, as probabilities, given which seats hunt as prophets."""
        round_, tree, win, tie = self.round, self.round.tree, {}, {}
        prophets = {
            places: results(hunts, best_of_more(hunts, self.discards))
            for places, hunts in (self.hunts.items() if any(prophetic) else ())
        }
        plans: dict[tuple[int, int, int], tuple[Array, Array]] = {}
        for end in tree.ends:
            hunter, hidden = tree.hunter(end), hidden_draws(end, tree.hunter(end))
            full, held = hand_draws(end, 1 - hunter), hand_draws(end, hunter)
            shown = tuple(draw for draw in full if draw not in hidden)
            axes, places = np.argsort(hidden + shown + held), round_.hand_size - len(held)
            weights = draw_weights(round_, len(end)) / round_.ways(0, len(end))
            # All draws come from the deck, so their weights do not depend on their order: ends with equally
            # many hidden draws share a plan.
            if prophetic[hunter]:
                found = prophets[places]
            elif (key := (hunter, places, len(hidden))) in plans:
                found = plans[key]
            else:
                found = plans[key] = self._planned(*key, weights)
            won, tied = (table.transpose(axes) for table in found)
            win[end] = weights * (won if hunter == STARTER else 1 - won - tied)
            tie[end] = weights * tied
        return Payoffs(round_, 1, win, tie)

    def _planned(self, hunter: int, places: int, hidden: int, weights: Array) -> tuple[Array, Array]:
        """The hunter's probabilities of winning and tying with the best plan for its view.

        The first draws of the tables, as many as are hidden, are those that the hunter has not seen.
        """
        draws = ascii_lowercase[: weights.ndim]
        # The plan depends on what the hunter has seen, and is averaged over what it has not.
        means = np.einsum(f"Z{draws},{draws}->Z{draws[hidden:]}", self.scores[hunter, places], weights)
        plan = means.argmax(axis=0)[(None,) * hidden]  # Z is the plan
        wins, ties = self.planners[places]
        rows = self.hunts[places].rows
        return wins[plan, rows], ties[plan, rows]


def capped_payoffs(round_: Round, cap: int) -> tuple[Payoffs, Payoffs]:
    """Payoffs that underestimate the starter in the true round, and payoffs that underestimate the second."""
    if sum(round_.deck) < 2 * round_.hand_size + cap:
        raise ValueError("the deck could run out: this bracket needs a deck that lasts the whole round")
    folds = _Folds(round_, cap, tie_value=0.5)
    return folds.payoffs((False, True)), folds.payoffs((True, False))  # the starter plans, then the second


def planned_payoffs(round_: Round, tie_value: float) -> Payoffs:
    """The payoffs of a capped round, as probabilities, if both seats hunt by a threshold."""
    return _Folds(round_, round_.cap, tie_value).payoffs((False, False))


def bracket(
    round_: Round,
    cap: int,
    *,
    target: float = 1e-6,
    limit: int = 500,
    progress: Callable[[RoundSolution], None] | None = None,
) -> Bounds:
    """Bounds on a capped round, ties replayed from the same cards, and a strategy that guarantees them."""
    if cap == 0:
        exact = payoffs(replace(round_, facing_full=FullHandRule.MUST_KEEP))
        solution = solve(exact, target=target, limit=limit, progress=progress)
        return replayed(exact, solution.profile)
    return bounds_by_caution(*capped_payoffs(round_, cap), target=target, limit=limit, progress=progress)


def bounds_by_caution(
    for_starter: Payoffs,
    for_second: Payoffs,
    *,
    target: float,
    limit: int,
    progress: Callable[[RoundSolution], None] | None,
) -> Bounds:
    """Bounds from payoffs that underestimate each seat, and the strategy that each seat has against them."""
    starter, second = (
        replayed(worst, solve(worst, target=target, limit=limit, progress=progress).profile)
        for worst in (for_starter, for_second)
    )
    keep = starter.profile.keep[STARTER], second.profile.keep[SECOND]
    return Bounds(Profile(starter.profile.tree, keep), starter.low, second.high)
