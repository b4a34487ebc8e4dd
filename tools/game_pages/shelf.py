"""All games at a glance."""

from __future__ import annotations

from typing import Any

from tools.game_pages import battle, cards
from tools.game_pages.markdown import Row, table

from digit_duel.games import catalogue
from digit_duel.games._battle import Battle
from digit_duel.games._cards import Cards
from digit_duel.games._placement import Placement
from digit_duel.solve.keep_or_give import FacingFull
from digit_duel.solve.library import oracle
from digit_duel.solve.placing.slots import Slots


def shelf() -> str:
    """All games at a glance."""
    lines = {
        "classic": "the higher three-digit number, digits 1-9",
        "reverse": "the lower three-digit number, digits 1-9",
        "sabotage": "the lower four-digit number, digits 0-9 twice, on either board",
        "cards": "draw, keep or give, hidden hands, first to two rounds",
        "battle": "attack or defend, ten life points, sudden death",
    }
    rows: list[Row] = []
    for id, said in lines.items():
        game: Any = catalogue()[id].game
        if isinstance(game, Cards):
            size = "without bound"
            best = f"the starter wins {cards.proven_round(FacingFull.DISCARD)[2].low} of rounds"
        else:
            wins = oracle(game).value(game.start()).score
            placing = isinstance(game, Placement)
            states = Slots(game).states if placing else sum(map(len, battle.every_level()))
            size = f"{states:,}" + (" before sudden death" if isinstance(game, Battle) else "")
            best = f"the {'first' if wins == 1 else 'second'} player wins"
        rows.append([f"[{id}]({id}.md)", said, size, best])
    return table(["game", "in one line", "states", "best play"], rows)
