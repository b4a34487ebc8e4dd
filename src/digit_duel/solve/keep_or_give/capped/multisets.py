"""Multisets of digits, numbered by size, with the transitions that add a digit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np

from digit_duel.solve.keep_or_give.public_tree import Ints


def digit_sets(kinds: int, size: int) -> list[tuple[int, ...]]:
    """All multisets of digits of a size, in order."""
    return list(combinations_with_replacement(range(kinds), size))


def set_table(kinds: int, size: int) -> Ints:
    """All multisets of digits of a size as an array, a row each."""
    sets = digit_sets(kinds, size)
    return np.array(sets, dtype=np.int64).reshape(len(sets), size)


@lru_cache(maxsize=8)
def number_of_sets(kinds: int, size: int) -> Ints:
    """The number of the multiset of every sequence of digits."""
    sets = {cards: i for i, cards in enumerate(digit_sets(kinds, size))}
    return np.array([sets[tuple(sorted(cards))] for cards in np.ndindex((kinds,) * size)])


@dataclass(frozen=True)
class Multisets:
    """All multisets of some kinds of digits up to a size; smaller ones come first."""

    kinds: int
    most: int
    counts: Ints  # copies of each digit, a row each
    more: Ints  # the number of the multiset with one more digit; only for those below the largest size
    last: Ints  # the highest digit; 0 for the empty multiset
    parent: Ints  # the number of the multiset without its highest digit; 0 for the empty one

    def level(self, size: int) -> slice:
        """The numbers of all multisets of a size."""
        return slice(up_to(self.kinds, size - 1), up_to(self.kinds, size))

    def number(self, digits: tuple[int, ...]) -> int:
        """The number of one multiset."""
        found = 0
        for digit in digits:
            found = int(self.more[found, digit])
        return found


def up_to(kinds: int, size: int) -> int:
    """The number of multisets of at most a size."""
    return comb(size + kinds, kinds) if size >= 0 else 0


@lru_cache(maxsize=8)
def multisets(kinds: int, most: int) -> Multisets:
    """All multisets of digits up to a size."""
    listed = [digits for size in range(most + 1) for digits in digit_sets(kinds, size)]
    numbers = {digits: number for number, digits in enumerate(listed)}
    more = np.zeros((up_to(kinds, most - 1), kinds), dtype=np.int64)
    for number, digits in enumerate(listed[: len(more)]):
        for digit in range(kinds):
            more[number, digit] = numbers[tuple(sorted((*digits, digit)))]
    counts = np.array([[digits.count(digit) for digit in range(kinds)] for digits in listed])
    last = np.array([digits[-1] if digits else 0 for digits in listed])
    parent = np.array([numbers[digits[:-1]] if digits else 0 for digits in listed])
    return Multisets(kinds, most, counts, more, last, parent)
