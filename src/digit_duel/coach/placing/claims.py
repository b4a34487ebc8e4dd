"""Claims about placing games: which numbers are still possible, and when the winner is decided."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TypeAlias

from digit_duel.coach.cases import Case
from digit_duel.coach.claims import Claim
from digit_duel.coach.placing.deciding import best_numbers, bounds, deciding
from digit_duel.core.game import Seat
from digit_duel.games._placement import Goal, Place, Placement, Position, Tie, number
from digit_duel.games._placement_decided import decided

PlacingCase: TypeAlias = Case[Placement, Position, Place]


@dataclass(frozen=True)
class Decided(Claim[PlacingCase]):
    """This seat wins however the rest is played."""

    seat: Seat

    def holds(self, case: PlacingCase) -> bool:
        return decided(case.game, case.after(self.path), self.seat)


@dataclass(frozen=True)
class AtLeast(Claim[PlacingCase]):
    """The lowest number that this board can still form, leading zeros included."""

    seat: Seat
    number: str

    def holds(self, case: PlacingCase) -> bool:
        return bounds(case.after(self.path), self.seat)[0] == self.number


@dataclass(frozen=True)
class AtMost(Claim[PlacingCase]):
    """The highest number that this board can still form."""

    seat: Seat
    number: str

    def holds(self, case: PlacingCase) -> bool:
        return bounds(case.after(self.path), self.seat)[1] == self.number


@dataclass(frozen=True)
class Leads(Claim[PlacingCase]):
    """In the leftmost place where the boards differ this seat has the better digit, so it has won."""

    seat: Seat
    place: int
    better: int
    worse: int

    def holds(self, case: PlacingCase) -> bool:
        mine, theirs = (case.after(self.path).boards[seat] for seat in (self.seat, self.seat.other))
        if None in mine[: self.place] or mine[: self.place] != theirs[: self.place]:
            return False
        high = case.game.goal is Goal.HIGH
        return (mine[self.place], theirs[self.place]) == (self.better, self.worse) and (
            self.better > self.worse if high else self.better < self.worse
        )


@dataclass(frozen=True)
class Numbers(Claim[PlacingCase]):
    """Both boards are full: this seat's number, then the other's."""

    seat: Seat
    mine: str
    theirs: str

    def holds(self, case: PlacingCase) -> bool:
        boards = case.after(self.path).boards
        return (number(boards[self.seat]), number(boards[self.seat.other])) == (self.mine, self.theirs)


@dataclass(frozen=True)
class BestNumbers(Claim[PlacingCase]):
    """Best play of both, by result then margin, ends with these numbers or others just as far apart."""

    seat: Seat
    mine: str
    theirs: str

    def holds(self, case: PlacingCase) -> bool:
        state = case.after(self.path)
        margin = int(self.mine) - int(self.theirs)
        if case.game.goal is Goal.LOW:
            margin = -margin
        found = best_numbers(case.game, case.oracle, state, self.seat)
        return case.value(self.path).margin_for(self.seat) == margin and found == (self.mine, self.theirs)


@dataclass(frozen=True)
class Mirrors(Claim[PlacingCase]):
    """The boards are equal, every digit left comes in pairs, and the other seat moves: copying ties."""

    seat: Seat  # who copies, and wins a tie

    def holds(self, case: PlacingCase) -> bool:
        state = case.after(self.path)
        pairs = all(copies % 2 == 0 for copies in Counter(state.pool).values())
        owner = {Tie.FIRST: Seat.FIRST, Tie.SECOND: Seat.SECOND, Tie.DRAW: None}[case.game.tie]
        # On whichever board the digit lands, its twin and the same place of the other board are free.
        return (
            state.boards[0] == state.boards[1]
            and pairs
            and case.mover(self.path) is self.seat.other
            and owner is self.seat
            and case.score(self.path, self.seat) == 1
        )


@dataclass(frozen=True)
class LastCopy(Claim[PlacingCase]):
    """This is the last copy of the digit in the pool."""

    digit: int

    def holds(self, case: PlacingCase) -> bool:
        return case.after(self.path).pool.count(self.digit) == 1


@dataclass(frozen=True)
class MustFill(Claim[PlacingCase]):
    """Unless the mover fills this place now, the other seat can put a deciding digit there."""

    board: Seat
    place: int

    def holds(self, case: PlacingCase) -> bool:
        mover = case.mover(self.path)
        if case.after(self.path).boards[self.board][self.place] is not None:
            return False
        elsewhere = [
            (*self.path, move)
            for move in case.moves(self.path)
            if (move.board, move.place) != (self.board, self.place)
        ]
        return bool(elsewhere) and all(
            deciding(case.game, case.after(path), mover.other, self.board, self.place) for path in elsewhere
        )
