"""How many high digits a hunter ends up with who keeps every digit from a threshold up."""

from __future__ import annotations

from math import comb

import numpy as np

from digit_duel.solve.keep_or_give.public_tree import Array, Ints


def high_chances(deck: Ints, least: int, places: int, discards: int) -> Array:
    """The distribution of the number of high digits kept, row by row, if the deck does not run out."""
    size = deck.sum(axis=1).astype(np.float64)
    high = deck[:, least:].sum(axis=1).astype(np.float64)
    low = size - high
    chance = np.zeros((len(deck), places + 1))
    # Either the hand fills up with high digits before all discards are spent on low ones ...
    filled = np.ones(len(deck))
    for held in range(places):
        filled *= (high - held) / (size - held)
    for passed in range(discards):
        chance[:, places] += np.maximum(filled, 0)
        left = np.maximum(size - places - passed, 1)
        filled *= (places + passed) / (passed + 1) * np.maximum(low - passed, 0) / left
    # ... or the last discard is spent before that, and the next cards are kept as they come.
    spent = np.ones(len(deck))
    for passed in range(discards):
        spent *= np.maximum(low - passed, 0) / np.maximum(size - passed, 1)
    for held in range(places):
        more_high, rest = np.maximum(high - held, 0), places - held
        more_low = np.maximum(low - discards, 0)
        for more in range(rest + 1):
            pick = comb(rest, more) * _falling(more_high, more) * _falling(more_low, rest - more)
            chance[:, held + more] += spent * pick / np.maximum(_falling(more_high + more_low, rest), 1)
        left = np.maximum(size - discards - held, 1)
        spent = spent * (discards + held) / (held + 1) * np.maximum(high - held, 0) / left
    return chance


def _falling(numbers: Array, length: int) -> Array:
    out = np.ones_like(numbers)
    for step in range(length):
        out *= np.maximum(numbers - step, 0)
    return out
