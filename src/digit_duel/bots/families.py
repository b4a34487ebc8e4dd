"""Which computers play which game: the one place here that tells families of games apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from digit_duel.bots.bot import AnyBot
from digit_duel.bots.error_model import ErrorModel
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant
from digit_duel.games._cards import Cards

Maker: TypeAlias = Callable[[AnyVariant, Seat, Random], AnyBot]


@dataclass(frozen=True, slots=True)
class Computers:
    """The computers of a family of games."""

    perfect: Maker  # gives nothing away; where nobody knows how, the strongest honest one
    human: Callable[[AnyVariant, Seat, Random, ErrorModel], AnyBot]  # errs as people do
    promise: Callable[[AnyVariant], str]  # what the perfect one is certain of, in one sentence


def computers(variant: AnyVariant) -> Computers:
    """The computers of a game, loaded when somebody sits down to play: solvers take a while to load."""
    if isinstance(variant.game, Cards):
        from digit_duel.bots.cards import players

        return Computers(players.perfect, players.human, players.promise)
    from digit_duel.bots import any_game

    return Computers(any_game.perfect, any_game.human, any_game.promise)
