"""Positions of cards for a computer to play from."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.bots.walks import CUSTOMISED

from digit_duel import games
from digit_duel.bots import LEVELS
from digit_duel.core.variant import AnyVariant
from digit_duel.games._cards_table import Draw, Give, Keep, Table

CARDS = games.variant("cards")
MUST_KEEP = CARDS.customised({"facing_full": "must_keep"})
TABLES = [CARDS, *(games.variant(id).customised(set) for id, set in CUSTOMISED if id == "cards")]


def at(variant: AnyVariant, draws: str, words: str) -> Table:
    """The table after these draws and choices; one draw more than choices leaves a card to decide on."""
    game = variant.game
    state: Table = game.start()
    for number, digit in enumerate(draws):
        state = game.play(state, Draw(int(digit)))
        if number < len(words):
            state = game.play(state, Keep() if words[number] == "k" else Give())
    return state


def choice(variant: AnyVariant, level: str, state: Table, seed: int = 1) -> Any:
    seat = variant.game.acting(state)[0]
    view, legal = variant.game.view(state, seat), variant.game.legal(state, seat)
    return LEVELS[level](variant, seat, Random(seed)).choose(view, legal)
