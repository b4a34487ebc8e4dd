"""Random words that depend only on a seed, a lane and a counter; the same under NumPy and JAX."""

from __future__ import annotations

from typing import NamedTuple

from digit_duel.adapters.batch.rows import Array, u32

CHANCE, POLICY = 0, 1  # purposes with independent streams

_WORD = 0xFFFFFFFF
_GOLDEN = 0x9E3779B9
_BITS = 24  # bits used for a choice, so that the product with a byte fits a word


class Dice(NamedTuple):
    """A stream of random words per lane: the current word is a hash of `at`, which advances by `stride`."""

    at: Array
    stride: Array

    def next(self) -> Dice:
        """The streams advanced by one word."""
        return Dice(self.at + self.stride, self.stride)

    def word(self) -> Array:
        """The current word of every lane."""
        return mix(self.at)


def dice(lane: Array, seed: int, purpose: int) -> Dice:
    """The streams of a seed for numbered lanes; each purpose has its own."""
    salt = mixed(purpose + 1)
    while seed:
        salt, seed = mixed(salt ^ (seed & _WORD)), seed >> 32
    # mix is one-to-one, so no two lanes start with the same word; an odd stride visits every word.
    return Dice(mix(lane ^ u32(salt)), mix(lane + u32(mixed(salt ^ _GOLDEN))) | u32(1))


def mix(word: Array) -> Array:
    """A one-to-one hash of 32 bits (lowbias32, by Chris Wellons)."""
    word = (word ^ (word >> u32(16))) * u32(0x7FEB352D)
    word = (word ^ (word >> u32(15))) * u32(0x846CA68B)
    return word ^ (word >> u32(16))


def mixed(word: int) -> int:
    """The same hash of a plain number."""
    word = ((word ^ (word >> 16)) * 0x7FEB352D) & _WORD
    word = ((word ^ (word >> 15)) * 0x846CA68B) & _WORD
    return word ^ (word >> 16)


def fraction(word: Array) -> Array:
    """A word as a fraction between 0 and 1, in units of 2**-24."""
    return word >> u32(32 - _BITS)


def pick(part: Array, count: Array) -> tuple[Array, Array]:
    """A number below `count` (at most 255), fair to a part in 2**24, and the rest of the fraction."""
    scaled = part * count.astype(u32)
    return (scaled >> u32(_BITS)).astype(count.dtype), scaled & u32((1 << _BITS) - 1)
