"""The opponent that plays anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant


@dataclass(frozen=True, slots=True)
class RandomBot:
    """Every legal move is as good as the next."""

    variant: AnyVariant
    seat: Seat
    rng: Random

    def choose(self, view: Any, legal: Sequence[Any]) -> Any:
        return self.rng.choice(legal)
