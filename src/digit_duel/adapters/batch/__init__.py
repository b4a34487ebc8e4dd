"""Many games at once on arrays of NumPy, or of JAX with its jit and vmap, by the rules of the plain games."""

from __future__ import annotations

import numpy as np

from digit_duel.adapters.batch.base import AnyBatch, Batch, BatchStep, NoBatch, Rollout
from digit_duel.adapters.batch.battle import BattleBatch, Fights
from digit_duel.adapters.batch.cards import CardsBatch, Tables
from digit_duel.adapters.batch.dice import Dice
from digit_duel.adapters.batch.placing import PlacingBatch, Positions
from digit_duel.adapters.batch.rows import Namespace
from digit_duel.core.variant import AnyGame
from digit_duel.games._battle import Battle
from digit_duel.games._cards import Cards
from digit_duel.games._placement import Placement

__all__ = [
    "Batch", "BatchStep", "BattleBatch", "CardsBatch", "Dice", "Fights", "NoBatch", "PlacingBatch",
    "Positions", "Rollout", "Tables", "batch_of",
]  # fmt: skip


def batch_of(game: AnyGame, xp: Namespace = np) -> AnyBatch:
    """The batch of a game on the arrays of a namespace, numpy or jax.numpy, or NoBatch."""
    # The class must be the very one: a subclass may change the rules.
    match game:
        case Placement() if type(game) is Placement:
            return PlacingBatch(game, xp)
        case Battle() if type(game) is Battle:
            return BattleBatch(game, xp)
        case Cards() if type(game) is Cards:
            return CardsBatch(game, xp)
    raise NoBatch(f"there are batches for Battle, Cards and Placement, but not for {type(game).__name__}.")
