"""The rulebook's tips for cards: keep high digits, give low ones, lay out the highest number."""

from __future__ import annotations

from digit_duel.core.game import Seat
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Arrange, CardsMove, Draw, Keep, Sight

KEEP_FROM = 5  # the rulebook leaves the middle digits open; these tips keep the upper half
HUNT_FROM = 8  # giving to a full hand throws the card away, so it pays to wait for a high one


def tips(game: Cards, view: Sight, seat: Seat, move: CardsMove) -> int:
    """How good a move looks."""
    if isinstance(move, Arrange):
        return int("".join(map(str, move.digits)))
    if isinstance(move, Draw) or view.drawn is None:
        return 0
    keeps = view.drawn >= (HUNT_FROM if game.facing_full_hand(view) else KEEP_FROM)
    return 1 if isinstance(move, Keep) is keeps else 0
