"""A rulebook's tips: how they rate each move, what they call nonsense, and a computer that follows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic

from digit_duel.core.game import M, S, Seat, V
from digit_duel.core.variant import Variant

# Moves in the lower third of the span between the lowest and the highest rating are nonsense, such as the
# worst digits in the best places, or any move but the attack that ends the game. If the tips rate all moves
# alike, none is nonsense.
NONSENSE = 1 / 3


def likings(variant: Variant[S, M, V], view: V, seat: Seat, legal: Sequence[M]) -> dict[M, float]:
    """How the tips rate each move, scaled to run from 0, the worst, to 1, the best."""
    liked = [variant.tips(variant.game, view, seat, move) for move in legal]
    low, span = min(liked), max(liked) - min(liked)
    return {move: (liking - low) / span if span else 1.0 for move, liking in zip(legal, liked, strict=True)}


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class TipsBot(Generic[S, M, V]):
    """Plays the move that the tips rate highest, choosing at random among equals."""

    variant: Variant[S, M, V]
    seat: Seat
    rng: Random

    def choose(self, view: V, legal: Sequence[M]) -> M:
        liked = likings(self.variant, view, self.seat, legal)
        return self.rng.choice([move for move in legal if liked[move] == 1])
