"""Array operations shared by all batches, on rows of small numbers with one entry per game.

A quantity is a row; several of them (a pool, a board) are an array of rows. The games are the last axes. A
condition is a mask, bytes of all ones or all zeros, and selection uses `&` and `^`, which NumPy vectorizes
far better than `where`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from importlib import import_module
from itertools import pairwise
from operator import add, or_
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike

Array: TypeAlias = Any  # an array of NumPy or of JAX
Namespace: TypeAlias = Any  # numpy or jax.numpy

u8, u16, u32, i8, i16, i32 = np.uint8, np.uint16, np.uint32, np.int8, np.int16, np.int32
ONE = u8(1)


class OnArrays:
    """Something that computes on the arrays of a namespace, which is pickled and copied by its name."""

    xp: Namespace

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "xp": self.xp.__name__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, xp=import_module(state["xp"]))


def mask(condition: Array) -> Array:
    """A condition as bytes: all ones where it holds, zeros elsewhere."""
    return -condition.view(u8)


def wide(condition: Array, dtype: DTypeLike) -> Array:
    """A mask widened to a larger number type."""
    return condition if dtype is u8 else condition.astype(i8).astype(dtype)


def choose(condition: Array, this: Array, that: Array) -> Array:
    """This where the mask is set, that elsewhere."""
    return that ^ ((this ^ that) & condition)


def sides(second: Array, pair: tuple[Array, Array]) -> tuple[Array, Array]:
    """A pair as own and other: swapped where the mask says that the second seat is looking."""
    swap = (pair[0] ^ pair[1]) & second
    return pair[0] ^ swap, pair[1] ^ swap


def column(values: Sequence[int], like: Array, dtype: DTypeLike = u8) -> Array:
    """Constants as a column that broadcasts against a row."""
    return np.asarray(values, dtype).reshape(-1, *(1,) * like.ndim)


def total(rows: Array) -> Array:
    """The sum over the rows, which must fit a byte."""
    return reduce(add, rows.astype(u8))


def bits(conditions: Sequence[Array], dtype: type[np.uint16] | type[np.uint32]) -> Array:
    """Numbers in which bit 0 is the first condition, bit 1 the second, and so on."""
    return reduce(or_, [row.astype(dtype) << dtype(place) for place, row in enumerate(conditions)])


def stacked(rows: Sequence[Array]) -> Array:
    """Stack rows of one type into an array [rows, games], packed through a word of at most four bytes."""
    if len(rows) == 1:
        return rows[0][None]
    dtype = rows[0].dtype
    part, shifts = (u8 if dtype.itemsize == 1 else u16), range(0, 32, 8 * dtype.itemsize)
    parts = [row.view(part).astype(u32) << u32(shift) for row, shift in zip(rows, shifts, strict=False)]
    word = reduce(or_, parts)
    return (word >> column(shifts[: len(rows)], word, u32)).astype(part).view(dtype)


def nth(rows: Sequence[Array], wanted: Array) -> Array:
    """The index of the row with the n-th 1, where n is `wanted`, counted from 0 over rows of 0 and 1."""
    passed = rows[0]
    found = (passed <= wanted).view(u8)
    for row in rows[1:-1]:
        passed = passed + row
        found = found + (passed <= wanted).view(u8)
    return found


def digits_of(marks: Array, digits: Sequence[int]) -> Array:
    """The digits of marks; a mark is the rank of a digit plus one, and mark 0 gives -1."""
    found = marks.astype(i8) - i8(1)
    for rank, (low, high) in enumerate(pairwise((-1, *digits))):
        if high - low > 1:
            found = found + ((marks > u8(rank)).view(u8) * u8(high - low - 1)).astype(i8)
    return found
