"""The best hunts with a limited number of discards, against beliefs about the hidden cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, pairwise

import numpy as np
from numpy.typing import NDArray

from digit_duel.solve.keep_or_give.capped.multisets import multisets
from digit_duel.solve.keep_or_give.payoffs import numbers
from digit_duel.solve.keep_or_give.public_tree import Array, Ints

# A hunter with some cards kept since the hunt began and others passed has seen both multisets; in which order
# they came says nothing more. So a state is (kept, passed), and
#     W(kept, passed) = sum over the next digit of the better of W(kept + digit, passed) and
#                                                                W(kept, passed + digit),
# where W is the chance of having seen these cards in one order, times what the hunter then wins: the weights
# of hidden cards and draws are multiplied in at the end only, where the hand is full. A plan is the choice of
# every state; what it wins against each choice of hidden cards makes it a payoff like any other.
#
# The highest digit is always kept: whatever a hunter ends up with who passes it, this card in place of the
# last one kept is not worse, and costs no discard. So no passed cards hold it.


@dataclass(frozen=True)
class Hunt:
    """What all hunters of one kind know: their own hand, the digits given to the full hand, and the deck."""

    deck: tuple[int, ...]  # copies of each digit that are in the deck or hidden
    hand: tuple[int, ...]
    given: tuple[int, ...]  # digits of the full hand that the hunter knows
    size: int
    discards: int

    @property
    def hidden(self) -> tuple[tuple[int, ...], ...]:
        """Every choice of hidden cards in the full hand, in order."""
        many = self.size - len(self.given)
        return tuple(combinations_with_replacement(range(len(self.deck)), many))

    @property
    def places(self) -> int:
        """The hunter's empty places."""
        return self.size - len(self.hand)


@dataclass(frozen=True)
class Hunted:
    """For every belief a value, and how often the best plan wins and ties by hidden cards."""

    value: Array
    win: Array
    tie: Array


def best_hunts(hunt: Hunt, beliefs: Array, tie: float) -> Hunted:
    """The best plan for every belief, a row of weights of the hidden cards each; a tie is worth something."""
    hidden = hunt.hidden
    in_hand = [[cards.count(digit) for cards in hidden] for digit in range(len(hunt.deck))]
    number = numbers(len(hunt.deck), hunt.size)
    theirs = np.array([number[(*hunt.given, *cards)] for cards in hidden])
    mine = np.array([number[(*hunt.hand, *kept)] for kept in _sets(len(hunt.deck), hunt.places)])
    deck = np.array(hunt.deck)[:, None] - np.array(in_hand)
    return _Search(hunt, deck, mine[:, None], theirs, tie, beliefs).hunted()


def open_hunts(hunts: Sequence[Hunt], tie: float) -> Hunted:
    """The best plan of hunts without hidden cards, alike but for the digits, a row each."""
    kinds, places = len(hunts[0].deck), hunts[0].places
    number = numbers(kinds, hunts[0].size)
    theirs = np.array([number[hunt.given] for hunt in hunts])
    mine = np.array([[number[(*hunt.hand, *kept)] for hunt in hunts] for kept in _sets(kinds, places)])
    deck = np.array([hunt.deck for hunt in hunts]).T
    return _Search(hunts[0], deck, mine, theirs, tie, None).hunted()


def _sets(kinds: int, size: int) -> list[tuple[int, ...]]:
    return list(combinations_with_replacement(range(kinds), size))


class _Search:
    """One dynamic programme over all states, for many beliefs at once, or for many hunts with open hands.

    The columns of a table are choices of hidden cards, or hunts; its rows are passed cards.
    """

    def __init__(
        self, hunt: Hunt, deck: Ints, mine: Ints, theirs: Ints, tie: float, beliefs: Array | None
    ) -> None:
        self.deck, self.beliefs, self.kinds = deck, beliefs, len(hunt.deck)
        self.cards = int(deck[:, 0].sum())  # in the deck as the hunt begins
        self.passed = multisets(self.kinds - 1, hunt.discards)
        self.states, self.rows = len(self.passed.counts), deck.shape[1] if beliefs is None else len(beliefs)
        self.gone = self.passed.counts.astype(np.float64)
        self.size = self.gone.sum(axis=1)
        self.kept_sets = [_sets(self.kinds, n) for n in range(hunt.places + 1)]
        self.likely = self._likelihoods()
        self.wins, self.ties = (mine > theirs).astype(np.float64), (mine == theirs).astype(np.float64)
        self.scores = self.wins + tie * self.ties
        self.keeps: dict[tuple[int, ...], NDArray[np.bool_]] = {}  # whether a state keeps a digit

    def hunted(self) -> Hunted:
        """The best plans, and what they win."""
        value = self.values()
        return Hunted(value, *self.results())

    def _likelihoods(self) -> Array:
        """How likely the passed cards come in one order, by hidden cards."""
        table, found = self.passed, np.ones((self.states, self.deck.shape[1]))
        for size in range(1, table.most + 1):
            level = table.level(size)
            last = table.last[level]
            before = table.counts[level][np.arange(len(last)), last] - 1
            left = np.maximum(self.deck[last] - before[:, None], 0)
            found[level] = found[table.parent[level]] * left / (self.cards - size + 1)
        return found

    def _with_kept(self, kept: tuple[int, ...]) -> Array:
        """How likely the passed and the kept cards come in one order, by hidden cards."""
        found = self.likely
        for i, digit in enumerate(kept):
            left = np.broadcast_to(self.deck[digit] - kept[:i].count(digit), found.shape)
            if digit < self.kinds - 1:
                left = left - self.gone[:, digit, None]
            found = found * np.maximum(left, 0)
        ways = np.prod([self.cards - self.size - i for i in range(len(kept))], axis=0)
        likely: Array = found / ways[:, None]
        return likely

    def values(self) -> Array:
        """What the best plans win, and note what they keep."""
        worth = {}
        for kept, score in zip(self.kept_sets[-1], self.scores, strict=True):
            likely = self._with_kept(kept)
            worth[kept] = likely * score if self.beliefs is None else likely @ (self.beliefs * score).T
        for kept_sets in reversed(self.kept_sets[:-1]):
            worth = {kept: self._one_place_less(kept, worth) for kept in kept_sets}
        value: Array = worth[()][0]
        return value

    def _one_place_less(self, kept: tuple[int, ...], worth: dict[tuple[int, ...], Array]) -> Array:
        table = self.passed
        after = [worth[tuple(sorted((*kept, digit)))] for digit in range(self.kinds)]
        found = np.empty((self.states, self.rows))
        last = table.level(table.most)
        found[last] = np.sum([part[last] for part in after], axis=0)
        keeps = np.empty((self.kinds - 1, len(table.more), self.rows), dtype=bool)
        for passed in reversed(range(table.most)):
            level = table.level(passed)
            total = after[-1][level].copy()
            for digit in range(self.kinds - 1):
                keep, give = after[digit][level], found[table.more[level, digit]]
                np.greater_equal(keep, give, out=keeps[digit, level])
                total += np.maximum(keep, give)
            found[level] = total
        self.keeps[kept] = keeps
        return found

    def results(self) -> tuple[Array, Array]:
        """How often the plans win and tie, by belief and hidden cards."""
        reach: dict[tuple[int, ...], Array] = {(): np.zeros((self.states, self.rows))}
        reach[()][0] = 1  # in how many orders a plan comes to a state
        for kept_sets, following in pairwise(self.kept_sets):
            here, reach = reach, {kept: np.zeros((self.states, self.rows)) for kept in following}
            for kept in kept_sets:
                self._follow(kept, here[kept], reach)
        win = tie = np.zeros(())
        for kept, wins, ties in zip(self.kept_sets[-1], self.wins, self.ties, strict=True):
            likely = self._with_kept(kept)
            chance = (reach[kept] * likely).sum(axis=0) if self.beliefs is None else reach[kept].T @ likely
            win, tie = win + chance * wins, tie + chance * ties
        return win, tie

    def _follow(self, kept: tuple[int, ...], here: Array, reach: dict[tuple[int, ...], Array]) -> None:
        """Go from every state with these cards kept to those with one card more."""
        table = self.passed
        targets = [reach[tuple(sorted((*kept, digit)))] for digit in range(self.kinds)]
        for passed in range(table.most):
            level = table.level(passed)
            for digit in range(self.kinds - 1):
                keep = self.keeps[kept][digit, level]
                targets[digit][level] += here[level] * keep
                here[table.more[level, digit]] += here[level] * ~keep
        last = table.level(table.most)
        for digit in range(self.kinds - 1):
            targets[digit][last] += here[last]
        targets[-1][:] += here
