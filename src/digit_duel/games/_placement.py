"""The rules of the placing games: place digits from a shared pool, then compare the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from digit_duel.core.game import Game, Outcome, Pair, Seat, put
from digit_duel.core.options import BadOption, integer, one_of, option
from digit_duel.games._digits import Digits, distinct, read_digits, show_digits, take

Board = tuple[int | None, ...]  # from the left, most valuable place first

MOST_PLACES = 9


class Goal(StrEnum):
    """Which number wins."""

    HIGH = "high"
    LOW = "low"


class Reach(StrEnum):
    """Whose board a player may place on."""

    OWN = "own"
    ANY = "any"


class Tie(StrEnum):
    """Who wins with equal numbers."""

    SECOND = "second"
    FIRST = "first"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Place:
    """Put a digit on a board."""

    digit: int
    board: Seat
    place: int  # from the left, starting with 0


# One object of each move: creating them again would take most of the time.
_PLACES = [
    [[Place(digit, seat, place) for place in range(MOST_PLACES)] for seat in Seat] for digit in range(10)
]
_TEXTS = [
    [[f"{move.digit}{move.board.letter}{move.place + 1}" for move in row] for row in rows] for rows in _PLACES
]


@dataclass(frozen=True, slots=True)
class Position:
    """The digits left, the two boards, and whose turn it is."""

    pool: Digits
    boards: Pair[Board]
    to_move: Seat


def number(board: Board) -> str:
    """The number on a full board, with leading zeros (S3)."""
    return "".join(str(digit) for digit in board)


@dataclass(frozen=True)
class Placement(Game[Position, Place, Position]):
    """The rules of a placing game; nothing is hidden, so a view is the position itself."""

    places: int = option(3, integer("places", 1, MOST_PLACES), "digits in a number")
    pool: Digits = option(read_digits("1-9"), read_digits, "the shared digits, such as 0-9x2", show_digits)
    goal: Goal = option(Goal.HIGH, one_of("goal", Goal), "which number wins: high or low")
    reach: Reach = option(
        Reach.OWN, one_of("reach", Reach), "where you may place: on your own board, or on any"
    )
    tie: Tie = option(Tie.SECOND, one_of("tie", Tie), "who wins a tie: second, first, or nobody (draw)")

    def __post_init__(self) -> None:
        if len(self.pool) < 2 * self.places:
            raise BadOption(
                f"two numbers of {self.places} digits need a pool of at least {2 * self.places} digits; "
                f"{show_digits(self.pool)} has {len(self.pool)}."
            )

    def start(self) -> Position:
        empty: Board = (None,) * self.places
        return Position(self.pool, (empty, empty), Seat.FIRST)

    def outcome(self, state: Position) -> Outcome | None:
        first, second = state.boards
        if None in first or None in second:
            return None
        if first == second:
            # P1, S4: in the rulebooks the second player wins a tie.
            winner = {Tie.SECOND: Seat.SECOND, Tie.FIRST: Seat.FIRST, Tie.DRAW: None}[self.tie]
            return Outcome(winner, "equal numbers")
        high = Seat.FIRST if number(first) > number(second) else Seat.SECOND
        if self.goal is Goal.HIGH:
            return Outcome(high, "higher number")
        return Outcome(high.other, "lower number")

    def margin(self, state: Position) -> int:
        ahead = int(number(state.boards[0])) - int(number(state.boards[1]))
        return ahead if self.goal is Goal.HIGH else -ahead

    def acting(self, state: Position) -> tuple[Seat, ...]:
        return () if self.outcome(state) else (state.to_move,)

    def legal(self, state: Position, seat: Seat) -> Sequence[Place]:
        if seat is not state.to_move:
            return ()
        free = [
            (board, place)
            for board in self._reachable(seat)
            for place, filled in enumerate(state.boards[board])
            if filled is None
        ]
        return [_PLACES[digit][board][place] for digit in distinct(state.pool) for board, place in free]

    def play(self, state: Position, move: Place) -> Position:
        board = list(state.boards[move.board])
        board[move.place] = move.digit
        return Position(
            take(state.pool, move.digit), put(state.boards, move.board, tuple(board)), state.to_move.other
        )

    def view(self, state: Position, seat: Seat) -> Position:
        return state

    def text(self, move: Place) -> str:
        return _TEXTS[move.digit][move.board][move.place]

    def moves(self, seat: Seat) -> Sequence[Place]:
        start = replace(self.start(), to_move=seat)
        return self.legal(start, seat)

    def why_not(self, view: Position, seat: Seat, move: Place) -> str:
        if self.outcome(view):
            return "The game is over."
        if seat is not view.to_move:
            return "It is not your turn."
        if move.digit not in view.pool:
            return f"{move.digit} is no longer in the pool."
        return "That place is already filled."

    @property
    def bound(self) -> int:
        return 2 * self.places

    def _reachable(self, seat: Seat) -> tuple[Seat, ...]:
        return (seat,) if self.reach is Reach.OWN else (seat, seat.other)
