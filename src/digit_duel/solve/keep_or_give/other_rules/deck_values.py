"""Estimates of the values of many decks from a few solved ones, and random decks to solve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb, prod

import numpy as np

from digit_duel.solve.keep_or_give.public_tree import Array, Ints

Deck = tuple[int, ...]  # copies of each digit
_LENGTHS = (6.0, 18.0, 36.0, 72.0, 144.0, 288.0)  # candidates for the length scale of the kernel
_NOISES = (1e-3, 1e-4, 1e-5, 1e-6)


@dataclass(frozen=True)
class DeckValues:
    """A smooth function of the deck, fitted to solved decks (kriging with a Matern kernel)."""

    # Correctness does not depend on its accuracy: its error is measured on decks that it was not fitted to.

    decks: Array = field(repr=False)
    weights: Array = field(repr=False)
    mean: float
    length: float

    def __call__(self, decks: Ints) -> Array:
        """The estimated values of decks, one per row."""
        found: Array = self.mean + _kernel(_placed(decks), self.decks, self.length) @ self.weights
        return found


def fit(decks: Ints, values: Array) -> DeckValues:
    """Fit the function with the least leave-one-out error."""
    placed, mean = _placed(decks), float(values.mean())
    best: tuple[float, float, Array] | None = None
    for length, noise in product(_LENGTHS, _NOISES):
        inverse = np.linalg.inv(_kernel(placed, placed, length) + noise * np.eye(len(values)))
        weights = inverse @ (values - mean)
        left_out = float(np.abs(weights / np.diag(inverse)).mean())  # the mean leave-one-out error
        if best is None or left_out < best[0]:
            best = left_out, length, weights
    assert best is not None
    return DeckValues(placed, best[2], mean, best[1])


def _placed(decks: Ints) -> Array:
    """Decks as points: cumulative counts, so that decks that differ in neighbouring digits are close."""
    # High digits decide more rounds, so they weigh more. These weights halve the error of the estimates.
    placed: Array = np.cumsum(decks, axis=1) * np.arange(1, decks.shape[1] + 1) ** 1.5
    return placed


def _kernel(some: Array, others: Array, length: float) -> Array:
    apart = (some**2).sum(axis=1)[:, None] + (others**2).sum(axis=1) - 2 * some @ others.T
    far = np.sqrt(5 * np.maximum(apart, 0)) / length
    alike: Array = (1 + far + far**2 / 3) * np.exp(-far)
    return alike


def random_decks(cards: Deck, size: int, many: int, random: np.random.Generator) -> Ints:
    """Random decks of a size, as a shuffle would leave them, one per row."""
    each = np.repeat(np.arange(len(cards)), cards)
    return np.stack([np.bincount(random.permutation(each)[:size], minlength=len(cards)) for _ in range(many)])


def tied_cards(cards: Deck, hand_size: int) -> Iterator[tuple[Deck, int]]:
    """The cards of every possible tie, and the number of ways to draw them."""
    for hand in combinations_with_replacement(range(len(cards)), hand_size):
        both = tuple(2 * hand.count(digit) for digit in range(len(cards)))
        if ways := prod(map(comb, cards, both)):
            yield both, ways


def ties_possible(cards: Deck, hand_size: int, ties: int) -> float:
    """The probability that this many rounds in a row draw cards that can make two equal hands.

    It is an upper bound on the probability of ties, whatever the players choose.
    """
    return _ties_possible(tuple(sorted(cards)), hand_size, ties)


@lru_cache(maxsize=4096)
def _ties_possible(cards: Deck, hand_size: int, ties: int) -> float:
    if not ties:
        return 1.0
    if sum(cards) < 2 * hand_size:
        return 1.0  # the discards would be reshuffled first: nothing is known
    all_ways = comb(sum(cards), 2 * hand_size)
    found = sum(
        ways * ties_possible(_without(cards, both), hand_size, ties - 1)
        for both, ways in tied_cards(cards, hand_size)
    )
    return found / all_ways


def random_after_ties(cards: Deck, hand_size: int, ties: int, random: np.random.Generator) -> Deck:
    """Sample the cards left after this many ties in a row, by the probability of each sequence of ties."""
    for later in reversed(range(ties)):
        options = list(tied_cards(cards, hand_size))
        left = [_without(cards, both) for both, _ways in options]
        weights = np.array([
            ways * ties_possible(rest, hand_size, later)
            for rest, (_both, ways) in zip(left, options, strict=True)
        ])  # fmt: skip
        cards = left[int(random.choice(len(left), p=weights / weights.sum()))]
    return cards


def _without(cards: Deck, gone: Deck) -> Deck:
    return tuple(one - other for one, other in zip(cards, gone, strict=True))
