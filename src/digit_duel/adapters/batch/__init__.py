"""Many games at once on arrays, move for move the plain games: NumPy, or JAX with its jit and vmap."""

from __future__ import annotations

from typing import Any

import numpy as np

from digit_duel.adapters.batch.base import Batch, NoBatch, Rollout, Step
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
    "Batch", "BattleBatch", "CardsBatch", "Dice", "Fights", "NoBatch", "PlacingBatch", "Positions", "Rollout",
    "Step", "Tables", "batch_of",
]  # fmt: skip

_KINDS: dict[type, Any] = {Placement: PlacingBatch, Battle: BattleBatch, Cards: CardsBatch}


def batch_of(game: AnyGame, xp: Namespace = np) -> Batch[Any]:
    """The batch of a game on the arrays of a namespace, numpy or jax.numpy."""
    # By the very class: one that changes the rules of another would be played by the wrong ones.
    kind = _KINDS.get(type(game))
    if kind is None:
        known = ", ".join(sorted(rules.__name__ for rules in _KINDS))
        raise NoBatch(f"there are batches for {known}, and none for {type(game).__name__}.")
    batch: Batch[Any] = kind(game, xp)
    return batch
