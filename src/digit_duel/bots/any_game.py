"""Computer opponents for any game: solved exactly, searching ahead, or following the tips."""

from __future__ import annotations

from random import Random

from digit_duel.bots.bot import AnyBot
from digit_duel.bots.error_model import ErrorModel
from digit_duel.bots.fallible import FallibleBot
from digit_duel.bots.look_ahead import LookAheadBot
from digit_duel.bots.solved import SolvedBot
from digit_duel.bots.tips import TipsBot
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant
from digit_duel.solve.families import quick_oracle, views_differ


def perfect(variant: AnyVariant, seat: Seat, rng: Random) -> AnyBot:
    """The computer that plays perfectly, or in an unsolved game the strongest one that does not cheat."""
    if views_differ(variant.game):
        return TipsBot(variant, seat, rng)
    if quick_oracle(variant.game) is None:
        return LookAheadBot(variant, seat, rng)
    return SolvedBot(variant, seat, rng)


def fallible(variant: AnyVariant, seat: Seat, rng: Random, errors: ErrorModel) -> AnyBot:
    """The computer that errs as people do."""
    sees_all = not views_differ(variant.game)
    looks_ahead = sees_all and errors.greed < 1 and quick_oracle(variant.game) is not None
    return FallibleBot(variant, seat, rng, errors, sees_all, looks_ahead)


def is_perfect(variant: AnyVariant) -> bool:
    """Whether the perfect computer makes no mistake."""
    return not views_differ(variant.game) and quick_oracle(variant.game) is not None


def promise(variant: AnyVariant) -> str:
    """One sentence that says how well the perfect computer plays a variant."""
    if views_differ(variant.game):
        return "It follows the tips: no solver knows this game of hidden hands."
    if quick_oracle(variant.game) is None:
        return "It looks a few moves ahead and follows the tips: this game is too large to solve."
    return "It never makes a mistake: every position of this game is solved exactly."
