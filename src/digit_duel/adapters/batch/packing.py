"""Small numbers of each game packed into words, because a few words are written faster than many bytes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import TypeAlias

from digit_duel.adapters.batch.rows import Array, Namespace, OnArrays, column, mask, u8, u16, u32, wide

Words: TypeAlias = tuple[Array, ...]  # with one entry per game


class Packing(OnArrays):
    """The places of `count` numbers from 0 to `most` in words; words compare in the order of the numbers."""

    def __init__(self, xp: Namespace, count: int, most: int) -> None:
        self.xp, self._last, self._width = xp, count - 1, most.bit_length()
        self.dtype = u16 if count * self._width <= 16 else u32
        each = 8 * self.dtype().itemsize // self._width
        self._each = u8(each)  # numbers in a word
        self._shifts = [
            [at % each * self._width for at in reversed(range(count)) if at // each == word]
            for word in reversed(range(self._last // each + 1))
        ]

    def pack(self, numbers: Sequence[Array | Sequence[int] | int]) -> Words:
        """Words from rows of numbers."""
        rows = iter(numbers)
        return tuple(
            reduce(or_, [self.xp.asarray(next(rows), self.dtype) << self.dtype(shift) for shift in shifts])
            for shifts in self._shifts
        )

    def unpack(self, words: Words) -> Array:
        """The numbers as rows of bytes."""
        lowest = self.dtype((1 << self._width) - 1)
        return self._rows(
            [
                ((word >> column(shifts, word, self.dtype)) & lowest).astype(u8)
                for word, shifts in zip(words, self._shifts, strict=True)
            ]
        )

    def present(self, words: Words) -> Array:
        """Rows that say which numbers are not 0."""
        lowest = (1 << self._width) - 1
        return self._rows(
            [
                (word & column([lowest << shift for shift in shifts], word, self.dtype)) != 0
                for word, shifts in zip(words, self._shifts, strict=True)
            ]
        )

    def one(self, index: Array) -> Words:
        """Words in which the number with this index is 1, and the others are 0."""
        place = u8(self._last) - index  # counted from the last number
        word = place // self._each
        shift = (place - word * self._each) * u8(self._width)
        bit = self.dtype(1) << shift.astype(self.dtype)
        if len(self._shifts) == 1:
            return (bit,)
        return tuple(
            bit & wide(mask(word == u8(at)), self.dtype) for at in reversed(range(len(self._shifts)))
        )

    def _rows(self, parts: list[Array]) -> Array:
        return parts[0] if len(parts) == 1 else self.xp.concatenate(parts)
