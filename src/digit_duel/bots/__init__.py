"""Opponents: each sees one seat's view and its legal moves, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

from digit_duel.bots.bot import Bot
from digit_duel.bots.error_model import CAREFUL, SENSIBLE, SHARP, Mind
from digit_duel.bots.random import RandomBot
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant

Maker: TypeAlias = Callable[[AnyVariant, Seat, Random], Bot[Any, Any]]


def _human(mind: Mind) -> Maker:
    def make(variant: AnyVariant, seat: Seat, rng: Random) -> Bot[Any, Any]:
        # Solvers are loaded when somebody sits down to think, not when the command starts.
        from digit_duel.bots.human import human

        return human(variant, seat, rng, mind)

    return make


def _perfect(variant: AnyVariant, seat: Seat, rng: Random) -> Bot[Any, Any]:
    from digit_duel.bots.perfect import perfect

    return perfect(variant, seat, rng)


LEVELS: dict[str, Maker] = {  # from weak to strong
    "random": RandomBot,
    "sensible": _human(SENSIBLE),
    "careful": _human(CAREFUL),
    "sharp": _human(SHARP),
    "perfect": _perfect,
}

DESCRIPTIONS = {
    "random": "plays anything",
    "sensible": "knows the tips, but does not look ahead",
    "careful": "looks ahead now and then, and overlooks a good deal",
    "sharp": "looks far ahead, and overlooks little",
    "perfect": "gives nothing away",
}


def promise(variant: AnyVariant) -> str:
    """What the perfect computer of a variant is certain of, in one sentence."""
    from digit_duel.bots.perfect import promise

    return promise(variant)


__all__ = ["DESCRIPTIONS", "LEVELS", "Bot", "Maker", "promise"]
