"""A placing game as an entry of the catalogue, with the tips that all rulebooks give."""

from __future__ import annotations

from collections.abc import Callable

from digit_duel.core.game import Seat
from digit_duel.core.teaching.tutorial import Tutorial
from digit_duel.core.variant import Edition, Rules, Variant
from digit_duel.games._placement import Drawn, Goal, Placement, PlacingMove, Position
from digit_duel.games._placement_script import PlacementScript


def placing_variant(
    id: str,
    title: str,
    summary: str,
    game: Placement,
    script: Callable[[Placement], PlacementScript],
    rules: Rules,
    tutorial: Tutorial,
    editions: tuple[Edition, ...] = (),
) -> Variant[Position, PlacingMove, Position]:
    """The variant with its rulebook's wording and the common tips."""
    return Variant(id, title, summary, game, script, rules, tips, tutorial, editions)


def tips(game: Placement, view: Position, seat: Seat, move: PlacingMove) -> int:
    """How good a move looks: good digits on your valuable places, bad ones on the opponent's."""
    if isinstance(move, Drawn):
        return 0
    lower = sum(1 for digit in view.pool if digit < move.digit)
    higher = sum(1 for digit in view.pool if digit > move.digit)
    quality = lower - higher if game.goal is Goal.HIGH else higher - lower
    weight = game.places - move.place
    return weight * (quality if move.board is seat else -quality)
