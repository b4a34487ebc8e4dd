"""Optimal hunts with a limited number of discards, against beliefs about the hidden cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from digit_duel.solve.keep_or_give.capped.multisets import digit_sets, multisets, set_table
from digit_duel.solve.keep_or_give.payoffs import numbers
from digit_duel.solve.keep_or_give.public_tree import AnyArray, Array, Ints

# All that a hunter knows is the multisets of cards kept and passed since the hunt began; their order carries
# no further information. So a state is (kept, passed), and
#     W(kept, passed) = sum over the next digit of the better of W(kept + digit, passed) and
#                                                                W(kept, passed + digit),
# where W is the probability of having seen these cards in one particular order, times what the hunter then
# wins: the weights of hidden cards and draws are only multiplied in at the end, when the hand is full. A plan
# is a choice for every state; its results against each set of hidden cards make it a payoff like any other.
#
# The highest digit is always kept: for any plan that passes it, keeping it instead of the last card kept is
# no worse and saves a discard. So it never occurs among the passed cards.
#
# The arrays may be CuPy's: all code here uses the array library of the beliefs.

AT_ONCE = 3 * 10**7  # numbers in one dynamic programme: 240 MB
Kept = tuple[int, ...]


@dataclass(frozen=True)
class Hunts:
    """Hunts with equally many empty places and hidden cards, a row of digits each."""

    cards: tuple[int, ...]  # copies of each digit when the round began
    hands: Ints  # the hunters' hands
    given: Ints  # the digits of the full hands that the hunters know
    size: int
    discards: int

    @property
    def places(self) -> int:
        """The number of empty places of each hunter."""
        return self.size - int(self.hands.shape[1])

    @cached_property
    def hidden(self) -> Ints:
        """Every combination of hidden cards in the full hand."""
        return set_table(len(self.cards), self.size - self.given.shape[1])

    @cached_property
    def decks(self) -> Ints:
        """Copies of each digit in the deck, by hunt and hidden cards; never below 0."""
        kinds = range(len(self.cards))
        known = np.concatenate([self.hands, self.given], axis=1)
        seen, hidden = (
            np.stack([(digits == digit).sum(axis=1) for digit in kinds], axis=-1)
            for digits in (known, self.hidden)
        )
        found: Ints = np.maximum(np.array(self.cards) - seen[:, None] - hidden, 0)
        return found

    @property
    def in_deck(self) -> int:
        """The number of cards in the deck when the hunts begin."""
        return sum(self.cards) - self.size - int(self.hands.shape[1])

    def some(self, which: Ints) -> Hunts:
        """A selection of the hunts."""
        return Hunts(self.cards, self.hands[which], self.given[which], self.size, self.discards)


@dataclass(frozen=True)
class Hunted:
    """For every belief its value, and the best plan's probabilities of winning and tying by hidden cards."""

    value: Array
    win: Array
    tie: Array


def best_hunts(hunts: Hunts, which: Ints, beliefs: Array, tie: float, at_once: int = AT_ONCE) -> Hunted:
    """The best plan for every belief (a row of weights of the hidden cards) of the hunts given by `which`."""
    value = np.zeros(len(beliefs), like=beliefs)
    win, tied = np.zeros_like(beliefs), np.zeros_like(beliefs)
    for rows in _padded(hunts, which, at_once):
        real = np.asarray(rows >= 0, like=beliefs)
        at = np.asarray(rows, like=beliefs)
        believed = beliefs[at] * real[..., None]
        found = _together(hunts.some(which[rows[:, 0]]), believed, tie)
        at = at[real]
        value[at], win[at], tied[at] = found.value[real], found.win[real], found.tie[real]
    return Hunted(value, win, tied)


def _together(hunts: Hunts, beliefs: Array, tie: float) -> Hunted:
    """The best plans of hunts that have equally many beliefs each."""
    wins, ties = _results_by_kept(hunts, beliefs)
    scores = [won + tie * tied for won, tied in zip(wins, ties, strict=True)]
    deck = np.asarray(hunts.decks.transpose(2, 0, 1), like=beliefs)
    search = HuntSearch(deck, hunts.in_deck, hunts.discards, hunts.places, scores, beliefs)
    value = search.values()
    return Hunted(value, *search.results(wins, ties))


def _results_by_kept(hunts: Hunts, like: Array) -> tuple[list[AnyArray], list[AnyArray]]:
    """Whether the hunters win, and whether they tie, with each set of kept cards, by hidden cards."""
    kinds = len(hunts.cards)
    number = numbers(kinds, hunts.size)
    hands, given = (tuple(digits.T[..., None]) for digits in (hunts.hands, hunts.given))
    theirs = number[(*given, *hunts.hidden.T)]
    wins, ties = [], []
    for kept in digit_sets(kinds, hunts.places):
        mine = number[(*hands, *(np.array([[digit]]) for digit in kept))]
        wins.append(np.asarray((mine > theirs).astype(np.float64), like=like))
        ties.append(np.asarray((mine == theirs).astype(np.float64), like=like))
    return wins, ties


def _padded(hunts: Hunts, which: Ints, at_once: int) -> Iterator[Ints]:
    """Batches of hunts with the rows of each one's beliefs side by side, padded with -1."""
    order = np.argsort(which, kind="stable")
    _hunt, first, many = np.unique(which[order], return_index=True, return_counts=True)
    states = len(multisets(len(hunts.cards) - 1, hunts.discards).counts)
    ends = len(digit_sets(len(hunts.cards), hunts.places))
    by_size = np.argsort(-many, kind="stable")
    at = 0
    while at < len(by_size):
        width = int(many[by_size[at]])
        each = states * (2 * ends * width + 3 * len(hunts.hidden))
        some = by_size[at : at + max(at_once // each, 1)]
        at += len(some)
        rows = np.full((len(some), width), -1)
        for row, hunt in zip(rows, some.tolist(), strict=True):
            row[: many[hunt]] = order[first[hunt] : first[hunt] + many[hunt]]
        yield rows


class HuntSearch:
    """One dynamic programme over all states, for many hunts and beliefs at once.

    The axes of a table are hunts, passed cards, and beliefs or hidden cards.
    """

    def __init__(
        self,
        deck: AnyArray,
        cards: int,
        discards: int,
        places: int,
        scores: Sequence[AnyArray],
        beliefs: Array,
    ) -> None:
        """Take the deck by digit, hunt and hidden cards, and scores by hunt and hidden cards per kept set."""
        self.deck, self.cards, self.scores, self.beliefs = deck, cards, scores, beliefs
        self.kinds = len(deck)
        self.passed = multisets(self.kinds - 1, discards)
        self.more = np.asarray(self.passed.more, like=beliefs)
        self.states = len(self.passed.counts)
        self.shape = len(beliefs), self.states, beliefs.shape[1]
        self.gone = np.asarray(self.passed.counts.astype(np.float64), like=beliefs)
        self.kept_sets = [digit_sets(self.kinds, n) for n in range(places + 1)]
        self.likely = self._likelihoods()
        self.keeps: dict[Kept, NDArray[np.bool_]] = {}  # the plan: whether a state keeps a digit

    def _likelihoods(self) -> Array:
        """The probability that the passed cards come in one particular order, by hidden cards."""
        table = self.passed
        hunts, hidden = self.deck.shape[1:]
        found = np.zeros((hunts, self.states, hidden), like=self.beliefs) + 1
        for size in range(1, table.most + 1):
            level = table.level(size)
            last = table.last[level]
            before = table.counts[level][np.arange(len(last)), last] - 1
            left = self.deck[np.asarray(last, like=self.beliefs)].transpose(1, 0, 2)
            left = np.maximum(left - np.asarray(before[:, None], like=self.beliefs), 0)
            parent = np.asarray(table.parent[level], like=self.beliefs)
            found[:, level] = found[:, parent] * left / (self.cards - size + 1)
        return found

    def _with_kept(self, kept: Kept) -> Array:
        """The probability that the passed and kept cards come in one particular order, by hidden cards."""
        found: Array = self.likely
        for i, digit in enumerate(kept):
            left = self.deck[digit][:, None] - kept[:i].count(digit)
            if digit < self.kinds - 1:
                left = left - self.gone[:, digit, None]
            found = found * np.maximum(left, 0)
        left_over = self.cards - self.gone.sum(axis=1)
        for i in range(len(kept)):
            found = found / (left_over - i)[:, None]
        return found

    def values(self) -> Array:
        """Compute the values of the best plans, and record what they keep."""
        worth = {}
        for kept, score in zip(self.kept_sets[-1], self.scores, strict=True):
            worth[kept] = self._with_kept(kept) @ (self.beliefs * score[:, None]).transpose(0, 2, 1)
        for kept_sets in reversed(self.kept_sets[:-1]):
            worth = {kept: self._one_place_less(kept, worth) for kept in kept_sets}
        value: Array = worth[()][:, 0]
        return value

    def _one_place_less(self, kept: Kept, worth: dict[Kept, Array]) -> Array:
        table = self.passed
        after = [worth[tuple(sorted((*kept, digit)))] for digit in range(self.kinds)]
        found = np.empty(self.shape, like=self.beliefs)
        last = table.level(table.most)
        found[:, last] = sum(part[:, last] for part in after)
        hunts, _states, rows = self.shape
        keeps = np.empty((self.kinds - 1, hunts, len(table.more), rows), dtype=bool, like=self.beliefs)
        for passed in reversed(range(table.most)):
            level = table.level(passed)
            total = after[-1][:, level].copy()
            for digit in range(self.kinds - 1):
                keep, give = after[digit][:, level], found[:, self.more[level, digit]]
                keeps[digit, :, level] = keep >= give
                total += np.maximum(keep, give)
            found[:, level] = total
        self.keeps[kept] = keeps
        return found

    def results(self, wins: Sequence[AnyArray], ties: Sequence[AnyArray]) -> tuple[Array, Array]:
        """The plans' probabilities of winning and tying, by belief and hidden cards; call values() first."""
        first = np.zeros(self.shape, like=self.beliefs)
        first[:, 0] = 1  # the number of orders in which a plan reaches a state
        reach: dict[Kept, Array] = {(): first}
        for kept_sets, following in pairwise(self.kept_sets):
            here, reach = reach, {kept: np.zeros(self.shape, like=self.beliefs) for kept in following}
            for kept in kept_sets:
                self._follow(kept, here[kept], reach)
        win, tie = np.zeros_like(self.beliefs), np.zeros_like(self.beliefs)
        for kept, won, tied in zip(self.kept_sets[-1], wins, ties, strict=True):
            chance = reach[kept].transpose(0, 2, 1) @ self._with_kept(kept)
            win += chance * won[:, None]
            tie += chance * tied[:, None]
        return win, tie

    def _follow(self, kept: Kept, here: Array, reach: dict[Kept, Array]) -> None:
        """Move from every state with these cards kept to those with one more card."""
        table = self.passed
        targets = [reach[tuple(sorted((*kept, digit)))] for digit in range(self.kinds)]
        for passed in range(table.most):
            level = table.level(passed)
            for digit in range(self.kinds - 1):
                keep = self.keeps[kept][digit, :, level]
                targets[digit][:, level] += here[:, level] * keep
                here[:, self.more[level, digit]] += here[:, level] * ~keep
        last = table.level(table.most)
        for digit in range(self.kinds - 1):
            targets[digit][:, last] += here[:, last]
        targets[-1][:] += here
