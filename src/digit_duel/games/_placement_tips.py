"""The rulebooks' strategy tips for the placing games, as a rule of thumb."""

from __future__ import annotations

from digit_duel.core.game import Seat
from digit_duel.games._placement import Goal, Place, Placement, Position


def tips(game: Placement, view: Position, seat: Seat, move: Place) -> int:
    """How good a move looks: good digits in valuable places of yours, bad ones in theirs."""
    # How the digit ranks among those left: +1 is the best one for its owner's number, -1 the worst.
    better = sum(1 for digit in view.pool if digit < move.digit)
    worse = sum(1 for digit in view.pool if digit > move.digit)
    quality = better - worse if game.goal is Goal.HIGH else worse - better
    weight = game.places - move.place
    return weight * (quality if move.board is seat else -quality)
