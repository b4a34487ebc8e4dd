"""Random words that depend on a seed, a lane and a count alone, the same under NumPy and JAX."""

from __future__ import annotations

from typing import NamedTuple

from digit_duel.adapters.batch.rows import Array, u32

CHANCE, POLICY = 0, 1  # what words are for

_WORD = 0xFFFFFFFF
_GOLDEN = 0x9E3779B9
_BITS = 24  # of a word that go into a choice, so that its product with a byte is a word


class Dice(NamedTuple):
    """A stream of words per lane: the word now is a hash of `at`, which moves on by `stride`."""

    at: Array
    stride: Array

    def next(self) -> Dice:
        """The streams one word on."""
        return Dice(self.at + self.stride, self.stride)

    def word(self) -> Array:
        """The word of every lane now."""
        return mix(self.at)


def dice(lane: Array, seed: int, purpose: int) -> Dice:
    """The streams of a seed for numbered lanes; another purpose gives other streams."""
    salt = mixed(purpose + 1)
    while seed:
        salt, seed = mixed(salt ^ (seed & _WORD)), seed >> 32
    # mix is one-to-one, so no two lanes start with the same word; odd strides pass through all words.
    return Dice(mix(lane ^ u32(salt)), mix(lane + u32(mixed(salt ^ _GOLDEN))) | u32(1))


def mix(word: Array) -> Array:
    """A hash of 32 bits, one-to-one (lowbias32, by Chris Wellons)."""
    word = (word ^ (word >> u32(16))) * u32(0x7FEB352D)
    word = (word ^ (word >> u32(15))) * u32(0x846CA68B)
    return word ^ (word >> u32(16))


def mixed(word: int) -> int:
    """The same hash of a plain number."""
    word = ((word ^ (word >> 16)) * 0x7FEB352D) & _WORD
    word = ((word ^ (word >> 15)) * 0x846CA68B) & _WORD
    return word ^ (word >> 16)


def fraction(word: Array) -> Array:
    """A word as a fraction between 0 and 1 to choose by, in units of 2**-24."""
    return word >> u32(32 - _BITS)


def pick(part: Array, count: Array) -> tuple[Array, Array]:
    """One of `count` things (at most 255), fair to a part in 2**24, and what is left of the fraction."""
    scaled = part * count.astype(u32)
    return (scaled >> u32(_BITS)).astype(count.dtype), scaled & u32((1 << _BITS) - 1)
