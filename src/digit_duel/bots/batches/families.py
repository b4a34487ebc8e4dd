"""Which games can be played at once: the one place here that tells families of games apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from digit_duel.bots.batches import drawn, placing
from digit_duel.bots.batches.feelings import Floats
from digit_duel.core.game import Pair
from digit_duel.core.variant import AnyVariant
from digit_duel.games._placement import Placement
from digit_duel.solve.placing.slots import Slots

Playing: TypeAlias = Callable[[AnyVariant, Pair[str], int, str], Floats]


@dataclass(frozen=True, slots=True)
class Batch:
    """A way to play many games of a rule set at once."""

    play: Playing  # the figures of so many games between two levels
    usual: int  # games that take a second or so
    states: int  # that play can reach, not counting those with a digit drawn


def batch_of(variant: AnyVariant) -> Batch | None:
    """How games of a rule set are played at once; None if they are not."""
    if placing.can_batch(variant):
        return Batch(placing.play, placing.USUAL, _states(variant))
    if drawn.can_batch(variant):
        return Batch(drawn.play, drawn.USUAL, _states(variant))
    return None


def _states(variant: AnyVariant) -> int:
    return Slots(variant.game_as(Placement)).states
