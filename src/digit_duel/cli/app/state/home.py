"""What the first screen shows: the games, an unfinished one, and a miniature of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from digit_duel import games
from digit_duel.bots import DESCRIPTIONS
from digit_duel.cli.app.state.look_back import LookBack
from digit_duel.cli.app.state.table import TableView
from digit_duel.cli.errors import Problem
from digit_duel.cli.records.find_games import SavedGame, game_to_offer, status
from digit_duel.core.record import read_record

_FIRST = 2  # moves already made when the miniature begins: an empty table shows little


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game that can be started."""

    id: str
    summary: str


@dataclass(frozen=True, slots=True)
class HomeView:
    """What the first screen shows."""

    cards: Sequence[GameCard]
    running: str  # the game that can be continued, or empty
    players: tuple[str, ...]  # their names, which may be shortened
    level: str
    levels: Sequence[tuple[str, str]]  # each with what it means
    preview: TableView | None = None


def home_view(level: str, waiting: SavedGame | None, preview: TableView | None = None) -> HomeView:
    """The first screen, with an unfinished game if there is one."""
    cards = [GameCard(id, games.variant(id).summary) for id in games.ids()]
    running = "" if waiting is None else _described(waiting)
    players = () if waiting is None else waiting.record.names
    return HomeView(cards, running, players, level, list(DESCRIPTIONS.items()), preview)


def waiting_game() -> SavedGame | None:
    """The game to continue: the one played last that is not open elsewhere."""
    try:
        return game_to_offer()
    except Problem:  # the folder cannot be read
        return None


def miniature(id: str, beat: int) -> TableView:
    """The example game of the rules after some moves; after the last one it starts over."""
    game = _example(id)
    game.at = min(_FIRST + beat % (game.last + 2 - _FIRST), game.last)
    return replace(game.view(), title=f"Example: how a game of {id} goes", turn=None, message="")


def _described(game: SavedGame) -> str:
    names = " - ".join(game.record.names)
    return f"{game.record.game.capitalize()}: {names}, {status(game)}"


@cache
def _example(id: str) -> LookBack:
    variant = games.variant(id)
    return LookBack(variant, read_record(variant.rules.example))
