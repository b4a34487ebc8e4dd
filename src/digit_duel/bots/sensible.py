"""The opponent that knows the rulebook's tips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant


@dataclass(frozen=True, slots=True)
class SensibleBot:
    """Plays what the tips like best, and tosses a coin between equals."""

    variant: AnyVariant
    seat: Seat
    rng: Random

    def choose(self, view: Any, legal: Sequence[Any]) -> Any:
        liked = [self.variant.tips(self.variant.game, view, self.seat, move) for move in legal]
        best = max(liked)
        return self.rng.choice([move for move, liking in zip(legal, liked, strict=True) if liking == best])
