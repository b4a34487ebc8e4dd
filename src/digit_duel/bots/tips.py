"""A rulebook's tips: how they like each move, what they call nonsense, and a computer that obeys them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic

from digit_duel.core.game import M, S, Seat, V
from digit_duel.core.variant import Variant

# Nonsense is the lower third of the span from the move that the tips like least to the one they like most:
# the worst digits on the best places, the smallest digits while high ones are left, anything but the blow
# that ends the game. Where the tips like all moves alike, none is nonsense.
NONSENSE = 1 / 3


def likings(variant: Variant[S, M, V], view: V, seat: Seat, legal: Sequence[M]) -> dict[M, float]:
    """How much the tips like each move, from 0, the least, to 1, the most."""
    liked = [variant.tips(variant.game, view, seat, move) for move in legal]
    low, span = min(liked), max(liked) - min(liked)
    return {move: (liking - low) / span if span else 1.0 for move, liking in zip(legal, liked, strict=True)}


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class TipsBot(Generic[S, M, V]):
    """Plays what the tips like best, and tosses a coin between equals."""

    variant: Variant[S, M, V]
    seat: Seat
    rng: Random

    def choose(self, view: V, legal: Sequence[M]) -> M:
        liked = likings(self.variant, view, self.seat, legal)
        return self.rng.choice([move for move in legal if liked[move] == 1])
