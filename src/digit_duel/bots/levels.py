"""The levels of the computer, from random to perfect."""

from __future__ import annotations

from random import Random

from digit_duel.bots.bot import AnyBot
from digit_duel.bots.error_model import CAREFUL, SENSIBLE, SHARP, ErrorModel
from digit_duel.bots.families import Maker, computers
from digit_duel.bots.random import RandomBot
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant


def _fallible(errors: ErrorModel) -> Maker:
    return lambda variant, seat, rng: computers(variant).fallible(variant, seat, rng, errors)


def _perfect(variant: AnyVariant, seat: Seat, rng: Random) -> AnyBot:
    return computers(variant).perfect(variant, seat, rng)


LEVELS: dict[str, Maker] = {  # from weak to strong
    "random": RandomBot,
    "sensible": _fallible(SENSIBLE),
    "careful": _fallible(CAREFUL),
    "sharp": _fallible(SHARP),
    "perfect": _perfect,
}

DESCRIPTIONS = {
    "random": "plays any legal move",
    "sensible": "follows the tips, but does not look ahead",
    "careful": "sometimes looks ahead, but misses a good deal",
    "sharp": "looks far ahead and misses little",
    "perfect": "never makes a mistake",
}


DEFAULT_LEVEL = tuple(LEVELS)[len(LEVELS) // 2]  # where a person does not choose


def is_perfect(variant: AnyVariant) -> bool:
    """Whether the perfect computer makes no mistake in a variant, as far as is proved."""
    return computers(variant).is_perfect(variant)


def promise(variant: AnyVariant) -> str:
    """One sentence that says how well the perfect computer plays a variant."""
    return computers(variant).promise(variant)
