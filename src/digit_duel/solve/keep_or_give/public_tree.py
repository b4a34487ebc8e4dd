"""The public tree of a round while neither hand is full, and which draws each seat knows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

# A word is the public history, one letter per draw: "k" kept, "g" given. Draw i is made by seat i % 2 (0 is
# the starter), because no turn is skipped before a hand is full (C2). So a word determines whose turn it is,
# how many digits each hand has and which draws each seat has seen; only the digits are missing.
KEEP, GIVE = "k", "g"
STARTER, SECOND = 0, 1

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
AnyArray = NDArray[Any]  # float64, int64 or Python's own integers (dtype object)


def mover(word: str) -> int:
    """The seat that draws next after a word."""
    return len(word) % 2


def hand_draws(word: str, seat: int) -> tuple[int, ...]:
    """The draws that went into a seat's hand, in order of arrival."""
    return tuple(i for i, said in enumerate(word) if (i % 2 == seat) == (said == KEEP))


def seen_draws(word: str, seat: int) -> tuple[int, ...]:
    """The draws whose digit a seat has seen: those that it made and those that it was given."""
    return tuple(i for i, said in enumerate(word) if i % 2 == seat or said == GIVE)


def hidden_draws(word: str, seat: int) -> tuple[int, ...]:
    """The draws that the other seat made and kept."""
    return tuple(i for i, said in enumerate(word) if i % 2 != seat and said == KEEP)


@dataclass(frozen=True)
class Tree:
    """All words of a round up to the first full hand, and the layout of a strategy over them."""

    kinds: int = 10
    hand_size: int = 3

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Every word up to and including the one that fills a hand, shorter ones first."""
        found = [""]
        for word in found:  # breadth first: the list grows while it is iterated over
            if not self.is_end(word):
                found += [word + KEEP, word + GIVE]
        return tuple(found)

    def is_end(self, word: str) -> bool:
        """Whether a hand has just become full."""
        return max(len(hand_draws(word, STARTER)), len(hand_draws(word, SECOND))) == self.hand_size

    @cached_property
    def nodes(self) -> tuple[str, ...]:
        """The words after which a seat decides."""
        return tuple(word for word in self.words if not self.is_end(word))

    @cached_property
    def ends(self) -> tuple[str, ...]:
        """The words that fill a hand."""
        return tuple(word for word in self.words if self.is_end(word))

    def hunter(self, end: str) -> int:
        """The seat whose hand is not full at an end."""
        return STARTER if len(hand_draws(end, STARTER)) < self.hand_size else SECOND

    @property
    def draws(self) -> int:
        """The largest number of draws before a hand is full."""
        return 2 * self.hand_size - 1

    def seat_nodes(self, seat: int) -> tuple[str, ...]:
        """The words after which a seat decides."""
        return tuple(word for word in self.nodes if mover(word) == seat)

    def shape(self, word: str) -> tuple[int, ...]:
        """The shape of the mover's information, an axis per draw: all digits if it saw the draw, else 1."""
        seen = seen_draws(word, mover(word))
        return (*(self.kinds if i in seen else 1 for i in range(len(word))), self.kinds)

    @cached_property
    def _slices(self) -> dict[str, slice]:
        slices: dict[str, slice] = {}
        ends = [0, 0]
        for word in self.nodes:
            start = ends[mover(word)]
            ends[mover(word)] = stop = start + prod(self.shape(word))
            slices[word] = slice(start, stop)
        return slices

    def size(self, seat: int) -> int:
        """The number of information sets of a seat."""
        return sum(prod(self.shape(word)) for word in self.seat_nodes(seat))

    @property
    def information_sets(self) -> int:
        """The number of information sets of both seats."""
        return self.size(STARTER) + self.size(SECOND)

    def at(self, flat: AnyArray, word: str) -> AnyArray:
        """The part of a seat's flat table that belongs to a word, as a view with an axis per draw."""
        return flat[self._slices[word]].reshape(self.shape(word))


@lru_cache(maxsize=8)
def tree_of(kinds: int = 10, hand_size: int = 3) -> Tree:
    """The tree for a number of distinct digits and a hand size."""
    if kinds < 1 or hand_size < 1:
        raise ValueError("a round needs at least one digit and one place")
    return Tree(kinds, hand_size)
