"""Many games at once on NumPy arrays, or JAX arrays with jit and vmap, with the rules of the plain games."""

from __future__ import annotations

from typing import Any, Literal, overload

import numpy as np

from digit_duel.adapters.batch.base import AnyBatch, Batch, BatchStep, NoBatch, Rollout, Transition
from digit_duel.adapters.batch.battle import BattleBatch, Fights
from digit_duel.adapters.batch.cards import CardsBatch, Tables
from digit_duel.adapters.batch.dice import Dice
from digit_duel.adapters.batch.drawn import DrawnBatch, DrawnPositions
from digit_duel.adapters.batch.placing import PlacingBatch, Positions
from digit_duel.adapters.batch.ranked_cards import HighestCards, RankedCards
from digit_duel.adapters.batch.rows import Namespace
from digit_duel.adapters.batch.swap import SwapBatch, SwapStates
from digit_duel.adapters.batch.version2 import Version2
from digit_duel.adapters.interface.encoding import encoding
from digit_duel.adapters.interface.names import VERSIONS
from digit_duel.adapters.interface.version import Forced, Layout, option_text
from digit_duel.core.options import BadOption, one_of
from digit_duel.core.swap import SwapGame
from digit_duel.core.variant import AnyGame, Variant
from digit_duel.games._battle import Battle
from digit_duel.games._cards import Cards
from digit_duel.games._placement import Pick, Placement

__all__ = [
    "Batch", "BatchStep", "BattleBatch", "CardsBatch", "Dice", "DrawnBatch", "DrawnPositions",
    "Fights", "NoBatch", "PlacingBatch", "Positions", "Rollout", "SwapBatch", "SwapStates", "Tables",
    "Transition", "Version2", "batch_of",
]  # fmt: skip


@overload
def batch_of(
    game: AnyGame, xp: Namespace = ..., *, version: Literal[2], layout: str = ..., forced: str = ...
) -> Version2[Any]: ...
@overload
def batch_of(
    game: AnyGame, xp: Namespace = ..., version: int = ..., layout: str = ..., forced: str = ...
) -> AnyBatch: ...
def batch_of(
    game: AnyGame, xp: Namespace = np, version: int = 1, layout: str = "ask", forced: str = "ask"
) -> AnyBatch:
    """The batch of a game on the arrays of a namespace, numpy or jax.numpy.

    Version 2 has the ids and observations of the `_v2` environments, and their options `layout` and `forced`.
    Raises NoBatch if the game has no batch, and BadOption.
    """
    if isinstance(game, Variant):
        raise TypeError("batch_of takes a game, not a variant; pass variant.game.")
    how = one_of("layout", Layout)(option_text("layout", layout))
    skips = one_of("forced", Forced)(option_text("forced", forced)) is Forced.SKIP
    if version not in VERSIONS:
        raise BadOption(f"version must be one of: {', '.join(map(str, VERSIONS))}.")
    if version == 1:
        if how is not Layout.ASK or skips:
            raise BadOption("layout and forced need version=2.")
        return _first_version(game, xp)
    if isinstance(game, Cards) and type(game) is Cards:
        inner: AnyBatch = HighestCards(game, xp) if how is Layout.HIGHEST else RankedCards(game, xp)
    elif how is Layout.HIGHEST:
        raise BadOption("layout is only for games in which a hand is laid out; leave it out here.")
    else:
        inner = _first_version(game, xp)
    return Version2(inner, encoding(game), skips)


def _first_version(game: AnyGame, xp: Namespace) -> AnyBatch:
    # The exact class is required: a subclass may change the rules.
    match game:
        case SwapGame(Battle() as battle) if type(battle) is Battle:
            return SwapBatch(game, BattleBatch(battle, xp, swaps=True))
        case SwapGame(Placement()):
            return SwapBatch(game, _first_version(game.game, xp))
        case Placement() if type(game) is Placement:
            return PlacingBatch(game, xp) if game.pick is Pick.CHOOSE else DrawnBatch(game, xp)
        case Battle() if type(game) is Battle:
            return BattleBatch(game, xp)
        case Cards() if type(game) is Cards:
            return CardsBatch(game, xp)
    raise NoBatch(f"there are batches for Battle, Cards and Placement, but not for {type(game).__name__}.")
