"""Which games can be played in batches; no other module here distinguishes families of games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from digit_duel.bots.batches import drawn, placing
from digit_duel.bots.batches.noisy_choices import Floats
from digit_duel.core.game import Pair
from digit_duel.core.variant import AnyVariant
from digit_duel.games._placement import Placement
from digit_duel.solve.placing.slots import Slots

Playing: TypeAlias = Callable[[AnyVariant, Pair[str], int, str], Floats]


@dataclass(frozen=True, slots=True)
class BatchPlay:
    """How to play many games of a rule set at once."""

    play: Playing  # plays games between two levels and returns their figures
    usual: int  # the default number of games
    states: int  # reachable ones, not counting those with a digit drawn


def batch_play(variant: AnyVariant) -> BatchPlay | None:
    """How to play games of a rule set in batches; None if that is not supported."""
    if placing.can_batch(variant):
        return BatchPlay(placing.play, placing.USUAL, _states(variant))
    if drawn.can_batch(variant):
        return BatchPlay(drawn.play, drawn.USUAL, _states(variant))
    return None


def _states(variant: AnyVariant) -> int:
    return Slots(variant.game_as(Placement)).states
