"""What a round is worth in a match."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeVar

Number = TypeVar("Number", float, Fraction)


def match_value(p: Number) -> Number:
    """The match starter's chance, first to two, starters alternating: p is a round starter's chance."""
    # The starter of the match starts rounds 1 and 3, the other seat round 2. Won: rounds 1 and 2 (p q), or 1
    # and 3 (p p p), or 2 and 3 (q q p). Rounds are independent and a round won is a round won, so at every
    # score the match is a growing function of the round's own result: best play of a round never depends on
    # the score.
    q = 1 - p
    return p * q + p * p * p + p * q * q
