"""The opponent that plays at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic

from digit_duel.core.game import M, S, Seat, V
from digit_duel.core.variant import Variant


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class RandomBot(Generic[S, M, V]):
    """Chooses every legal move with equal probability."""

    variant: Variant[S, M, V]
    seat: Seat
    rng: Random

    def choose(self, view: V, legal: Sequence[M]) -> M:
        return self.rng.choice(legal)
