"""The computer opponents for each family of games; no other module here distinguishes families."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from digit_duel.bots.bot import AnyBot
from digit_duel.bots.error_model import ErrorModel
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant

Maker: TypeAlias = Callable[[AnyVariant, Seat, Random], AnyBot]


@dataclass(frozen=True, slots=True)
class Computers:
    """The computers of a family of games."""

    perfect: Maker  # plays perfectly, or in an unsolved game as well as possible without cheating
    fallible: Callable[[AnyVariant, Seat, Random, ErrorModel], AnyBot]  # errs as people do
    is_perfect: Callable[[AnyVariant], bool]  # whether the perfect one makes no mistake
    promise: Callable[[AnyVariant], str]  # a sentence that says how well it plays


def computers(variant: AnyVariant) -> Computers:
    """The computers of a game; imported here, on first use: games between people start without them."""
    from digit_duel.games._cards import Cards

    if isinstance(variant.game, Cards):
        from digit_duel.bots.cards import players

        return Computers(players.perfect, players.fallible, players.is_perfect, players.promise)
    from digit_duel.bots import any_game

    return Computers(any_game.perfect, any_game.fallible, any_game.is_perfect, any_game.promise)
