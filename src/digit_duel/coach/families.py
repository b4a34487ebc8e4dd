"""The coach for each family of games; no other module of the coach distinguishes families."""

from __future__ import annotations

from typing import Any, TypeAlias

from digit_duel.coach.coach import Coach
from digit_duel.coach.opponent import PERSON, Opponent
from digit_duel.core.swap import SwapGame
from digit_duel.core.variant import AnyVariant
from digit_duel.games._battle import Battle
from digit_duel.games._cards import Cards
from digit_duel.games._placement import Pick, Placement

AnyCoach: TypeAlias = Coach[Any, Any, Any]


def coach_of(variant: AnyVariant, opponent: Opponent = PERSON) -> AnyCoach:
    """The coach of a game; with hidden hands its advice depends on the opponent."""
    match variant.game:
        case Cards():
            from digit_duel.coach.cards.coach import CardsCoach

            return CardsCoach(variant, opponent)
        case SwapGame():
            from digit_duel.coach.swapping import SwapCoach

            return SwapCoach(variant, coach_of(variant.without_swap, opponent))
        case Placement(pick=Pick.CHOOSE, bonus=0):
            from digit_duel.coach.placing.reasons import PlacingReasons

            return Coach(variant, PlacingReasons)
        case Placement():
            from digit_duel.coach.placing.values import PlacingValues

            return Coach(variant, PlacingValues)
        case Battle():
            from digit_duel.coach.battle.reasons import BattleReasons

            return Coach(variant, BattleReasons)
    from digit_duel.coach.generic import Reasons

    return Coach(variant, Reasons)
