"""Wording for placing games: places with their owners, and bounds on numbers."""

from __future__ import annotations

from functools import cached_property
from typing import TypeAlias

from digit_duel.coach.cases import Path
from digit_duel.coach.placing.claims import AtLeast, AtMost, Leads
from digit_duel.coach.placing.deciding import bounds, lead
from digit_duel.coach.reason import Reason
from digit_duel.coach.speech import Speech
from digit_duel.core.game import Seat
from digit_duel.core.variant import Variant
from digit_duel.games._placement import Goal, Place, Placement, Position

PlacingVariant: TypeAlias = Variant[Position, Place, Position]


class Words:
    """Words places, moves and bounds for one reader."""

    def __init__(self, variant: PlacingVariant, speech: Speech) -> None:
        self.variant, self.speech = variant, speech
        self.high = variant.game_as(Placement).goal is Goal.HIGH

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The names of the places, from the left."""
        cells = self.variant.voice.scene(self.variant.game.start()).rows[0].cells
        return tuple(cell.label for cell in cells)

    def where(self, board: Seat, place: int) -> str:
        """A place with its owner, such as "your tens"."""
        return f"{self.speech.whose(board)} {self.labels[place]}"

    def named(self, move: Place) -> str:
        """A move, such as "9 in your tens"."""
        return f"{move.digit} in {self.where(move.board, move.place)}"

    def ending(self, seat: Seat, mine: str, theirs: str) -> str:
        """A clause with the final numbers of both."""
        return f"{self.speech.does(seat, 'end')} on {mine}, {self.speech.who(seat.other)} on {theirs}"

    def why_decided(self, path: Path, state: Position, winner: Seat) -> Reason:
        """A clause that says what decides the game: the leading place, or the bounds on the numbers."""
        found = lead(state, winner)
        if found is None:
            return self.limits(path, state, winner)
        place, better, worse = found
        clause = (
            f"{self.speech.whose(winner)} {better} beats {self.speech.whose(winner.other)} {worse}"
            f" in the {self.labels[place]}"
        )
        return Reason(clause, (Leads(path, winner, place, better, worse),))

    def limits(self, path: Path, state: Position, winner: Seat) -> Reason:
        """A clause with the bounds on both numbers."""
        large, small = (winner, winner.other) if self.high else (winner.other, winner)
        least, most = bounds(state, large)[0], bounds(state, small)[1]
        high, low = self.speech.whose(large), self.speech.own(small)
        clause = f"{high} number is at least {least}, and {low} at most {most}"
        return Reason(clause, (AtLeast(path, large, least), AtMost(path, small, most)))
