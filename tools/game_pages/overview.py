"""The table of all games that have a page."""

from __future__ import annotations

from pathlib import Path

from tools.game_pages import battle, cards
from tools.game_pages.markdown import Row, table

from digit_duel.core.variant import AnyGame
from digit_duel.games import catalogue
from digit_duel.games._battle import Battle
from digit_duel.games._cards import Cards
from digit_duel.games._placement import Placement
from digit_duel.solve.families import oracle
from digit_duel.solve.general.tablebase import Tablebase
from digit_duel.solve.keep_or_give import FullHandRule
from digit_duel.solve.placing.slots import Slots


def overview(pages: Path) -> str:
    """The games whose pages are in a folder, each with its size and the result of best play."""
    rows: list[Row] = [
        [f"[{id}]({id}.md)", variant.summary, _size(variant.game), _best(variant.game)]
        for id, variant in catalogue().items()
        if (pages / f"{id}.md").exists()
    ]
    return table(["game", "in one line", "states", "best play"], rows)


def _size(game: AnyGame) -> str:
    if isinstance(game, Cards):
        return "without bound"
    if isinstance(game, Placement):
        return f"{Slots(game).states:,}"
    if isinstance(game, Battle):
        return f"{sum(map(len, battle.every_level())):,} before sudden death"
    return f"{len(list(Tablebase(game))):,}"


def _best(game: AnyGame) -> str:
    if isinstance(game, Cards):
        return f"the starter wins {cards.proven_round(FullHandRule.DISCARD)[2].low} of rounds"
    score = oracle(game).value(game.start()).score
    if score in (1, -1):
        return f"the {'first' if score == 1 else 'second'} player wins"
    return f"worth {score} to the first player"
