"""Which games can be played in batches; no other module here distinguishes families of games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from digit_duel.bots.batches import drawn, pie_rule, placing
from digit_duel.bots.batches.noisy_choices import Floats
from digit_duel.core.game import Pair
from digit_duel.core.swap import SwapGame
from digit_duel.core.variant import AnyVariant
from digit_duel.games._placement import Placement
from digit_duel.solve.placing.slots import Slots

Playing: TypeAlias = Callable[[AnyVariant, Pair[str], int, str], Floats]


@dataclass(frozen=True, slots=True)
class BatchPlay:
    """How to play many games of a rule set at once."""

    play: Playing  # plays games between two levels and returns their figures
    usual: int  # the default number of games


def batch_play(variant: AnyVariant) -> BatchPlay | None:
    """How to play games of a rule set in batches; None if that is not supported."""
    if placing.can_batch(variant.game):
        return BatchPlay(placing.play, placing.USUAL)
    if pie_rule.can_batch(variant.game):
        return BatchPlay(pie_rule.play, placing.USUAL)
    if drawn.can_batch(variant.game):
        return BatchPlay(drawn.play, drawn.USUAL)
    return None


def least_states(variant: AnyVariant) -> int:
    """How many reachable states a rule set has at least, as far as that is known without visiting them."""
    game = variant.game
    inner = game.game if isinstance(game, SwapGame) else game
    return Slots(inner).states if isinstance(inner, Placement) else 0
