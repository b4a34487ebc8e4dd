"""Counts that several games share."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb


def words(copies: Sequence[int], length: int) -> int:
    """The number of words of a length that use no letter more often than it has copies."""
    ways = [1] + [0] * length
    for most in copies:
        ways = [
            sum(comb(size, used) * ways[size - used] for used in range(min(most, size) + 1))
            for size in range(length + 1)
        ]
    return ways[length]
