"""A placing game as an entry of the catalogue, with the tips that all rulebooks give."""

from __future__ import annotations

from functools import partial

from digit_duel.core.game import Seat
from digit_duel.core.variant import Rules, Variant
from digit_duel.games._placement import Goal, Place, Placement, Position
from digit_duel.games._placement_script import PlacementScript, Wording


def placing_variant(
    id: str, title: str, summary: str, game: Placement, wording: Wording, rules: Rules
) -> Variant[Position, Place, Position]:
    """The variant with its rulebook's wording."""
    return Variant(id, title, summary, game, partial(PlacementScript, wording=wording), rules, tips)


def tips(game: Placement, view: Position, seat: Seat, move: Place) -> int:
    """How good a move looks: good digits on your valuable places, bad ones on the opponent's."""
    lower = sum(1 for digit in view.pool if digit < move.digit)
    higher = sum(1 for digit in view.pool if digit > move.digit)
    quality = lower - higher if game.goal is Goal.HIGH else higher - lower
    weight = game.places - move.place
    return weight * (quality if move.board is seat else -quality)
