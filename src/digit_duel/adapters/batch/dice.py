"""Counter-based random numbers: words depend only on seed, lane and counter, in NumPy and JAX alike."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from digit_duel.adapters.batch.rows import Array, u32

Seed: TypeAlias = int | Any  # an integer, or a JAX array: an integer or a key

CHANCE, POLICY = 0, 1  # purposes with independent streams

_WORD = 0xFFFFFFFF
_GOLDEN = 0x9E3779B9
_BITS = 24  # bits used for a choice, so that the product with a byte fits in a word


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


def dice(lane: Array, seed: Seed, purpose: int) -> Dice:
    """The streams of a seed, one for each lane and purpose; raises ValueError for a negative seed."""
    salt, other = _salts(seed, purpose)
    # mix is one-to-one, so no two lanes start with the same word; an odd stride visits every word.
    return Dice(mix(lane ^ salt), mix(lane + other) | u32(1))


def check_seed(seed: Seed) -> None:
    """Raise TypeError or ValueError for a seed that is neither a non-negative integer nor of JAX."""
    _salts(seed, CHANCE)


def _salts(seed: Seed, purpose: int) -> tuple[Array, Array]:
    """Two words from a seed: an integer of any size, or a JAX array (possibly traced) or key."""
    salt = mixed(purpose + 1)
    if isinstance(seed, int | np.integer):
        rest = int(seed)
        if rest < 0:
            raise ValueError(f"a seed must not be negative, but this one is {rest}.")
        while rest:
            salt, rest = mixed(salt ^ (rest & _WORD)), rest >> 32
        return u32(salt), u32(mixed(salt ^ _GOLDEN))
    if not hasattr(seed, "dtype"):
        raise TypeError(f"a seed must be an integer or a key of jax.random, not {seed!r}.")
    words = _words(seed)
    if words.ndim > 1:
        raise ValueError(f"a seed is one key of jax.random, not an array of {len(words)}; use jax.vmap.")
    if words.ndim == 0:
        # As above, for a seed of one word; zero adds nothing.
        found = u32(salt) ^ ((u32(salt) ^ mix(words ^ u32(salt))) * (words != 0).astype(u32))
    else:
        found = words[0] ^ words[0] ^ u32(salt)
        for at in range(words.shape[-1]):
            found = mix(found ^ words[at])
    return found, mix(found ^ u32(_GOLDEN))


def _words(seed: Array) -> Array:
    """The 32-bit words of a traced seed, or of a key of jax.random."""
    import jax

    if jax.numpy.issubdtype(seed.dtype, jax.dtypes.prng_key):
        return jax.random.key_data(seed)
    if not np.issubdtype(seed.dtype, np.integer):
        raise TypeError(f"a seed must be an integer or a key of jax.random, not {seed.dtype}.")
    return seed.astype(u32)


def mix(word: Array) -> Array:
    """A one-to-one hash of 32 bits (lowbias32, by Chris Wellons)."""
    word = (word ^ (word >> u32(16))) * u32(0x7FEB352D)
    word = (word ^ (word >> u32(15))) * u32(0x846CA68B)
    return word ^ (word >> u32(16))


def mixed(word: int) -> int:
    """The same hash for a Python integer."""
    word = ((word ^ (word >> 16)) * 0x7FEB352D) & _WORD
    word = ((word ^ (word >> 15)) * 0x846CA68B) & _WORD
    return word ^ (word >> 16)


def fraction(word: Array) -> Array:
    """A word as a fraction from 0 to 1, in units of 2**-24."""
    return word >> u32(32 - _BITS)


def pick(part: Array, count: Array) -> tuple[Array, Array]:
    """A number below `count` (at most 255), unbiased to within 2**-24, and the rest of the fraction."""
    scaled = part * count.astype(u32)
    return (scaled >> u32(_BITS)).astype(count.dtype), scaled & u32((1 << _BITS) - 1)
