"""Explanations for placing games with drawn digits or a bonus, from their values alone."""

from __future__ import annotations

from digit_duel.coach.generic import Reasons
from digit_duel.coach.placing.claims import PlacingCase
from digit_duel.coach.placing.words import PlacingVariant, Words
from digit_duel.coach.speech import Speech
from digit_duel.core.game import Seat
from digit_duel.games._placement import Place, Placement, Position


class PlacingValues(Reasons[Placement, Position, Place]):
    """Explains moves by their values, in the words of placing games."""

    def __init__(self, variant: PlacingVariant, case: PlacingCase, speech: Speech) -> None:
        super().__init__(variant, case, speech)
        self.words = Words(variant, speech)

    def named(self, mover: Seat, move: Place) -> str:
        return self.words.named(move)
