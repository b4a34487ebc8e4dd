"""The rules of the placing games: place digits from a shared pool, then compare the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from digit_duel.core.game import OBSERVED_IF_USED, Game, Outcome, Pair, Seat, put
from digit_duel.core.options import BadOption, integer, one_of, option
from digit_duel.games._digits import Digits, distinct, read_digits, show_digits, take

Board = tuple[int | None, ...]  # from the left, most valuable place first

MOST_PLACES = 9
MOST_BONUS = 999_999


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


class Pick(StrEnum):
    """Where the next digit comes from."""

    CHOOSE = "choose"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Place:
    """Put a digit on a board."""

    digit: int
    board: Seat
    place: int  # from the left, starting with 0


@dataclass(frozen=True, slots=True)
class Drawn:
    """Nature draws a digit for the player on turn."""

    digit: int


PlacingMove = Place | Drawn


# One object for each move: creating them again would take most of the running time.
_PLACES = [
    [[Place(digit, seat, place) for place in range(MOST_PLACES)] for seat in Seat] for digit in range(10)
]
_TEXTS = [
    [[f"{move.digit}{move.board.letter}{move.place + 1}" for move in row] for row in rows] for rows in _PLACES
]


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """The digits left, the two boards, whose turn it is, and the digit drawn for them."""

    pool: Digits
    boards: Pair[Board]
    to_move: Seat
    drawn: int | None = field(default=None, metadata=OBSERVED_IF_USED)  # only where digits are drawn

    def __repr__(self) -> str:
        # Leaves out an unused drawn digit, because policy files identify positions by this text.
        drawn = "" if self.drawn is None else f", drawn={self.drawn}"
        return f"Position(pool={self.pool!r}, boards={self.boards!r}, to_move={self.to_move!r}{drawn})"


def number(board: Board) -> str:
    """The number on a full board, with leading zeros (S3)."""
    return "".join(str(digit) for digit in board)


@dataclass(frozen=True)
class Placement(Game[Position, PlacingMove, Position]):
    """The rules of a placing game; nothing is hidden, so a view is the position itself."""

    places: int = option(3, integer("places", 1, MOST_PLACES), "digits in a number")
    pool: Digits = option(
        read_digits("1-9"),
        read_digits,
        "the shared digits, such as 0-9x2",
        show_digits,
        ("1-9", "0-9", "1-9x2", "0-9x2"),
    )
    goal: Goal = option(Goal.HIGH, one_of("goal", Goal), "which number wins: high or low")
    reach: Reach = option(
        Reach.OWN, one_of("reach", Reach), "where you may place: on your own board, or on any",
        repairs=("own", "any"),
    )  # fmt: skip
    tie: Tie = option(
        Tie.SECOND, one_of("tie", Tie), "who wins a tie: second, first, or nobody (draw)",
        repairs=("draw", "first", "second"),
    )  # fmt: skip
    pick: Pick = option(
        Pick.CHOOSE, one_of("pick", Pick), "choose the digit to place, or draw it from the pool by chance",
        repairs=("draw",),
    )  # fmt: skip
    bonus: int = option(
        0, integer("bonus", 0, MOST_BONUS), "points for the second player when the numbers are compared",
        dial=(0, MOST_BONUS),
    )  # fmt: skip

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
        margin = self.margin(state)
        if margin == 0:
            # P1, S4: in the rulebooks the second player wins a tie.
            winner = {Tie.SECOND: Seat.SECOND, Tie.FIRST: Seat.FIRST, Tie.DRAW: None}[self.tie]
            return Outcome(winner, "equal numbers")
        ahead = Seat.FIRST if margin > 0 else Seat.SECOND
        return Outcome(ahead, "higher number" if self.goal is Goal.HIGH else "lower number")

    def margin(self, state: Position) -> int:
        ahead = int(number(state.boards[0])) - int(number(state.boards[1]))
        # The bonus is added to the second number, or taken off where the lower one wins.
        return (ahead if self.goal is Goal.HIGH else -ahead) - self.bonus

    def chance(self, state: Position) -> Sequence[tuple[PlacingMove, int]]:
        if self.pick is Pick.CHOOSE or state.drawn is not None or self.outcome(state):
            return ()
        return [(Drawn(digit), state.pool.count(digit)) for digit in distinct(state.pool)]

    def acting(self, state: Position) -> tuple[Seat, ...]:
        waiting = self.pick is Pick.DRAW and state.drawn is None
        return () if waiting or self.outcome(state) else (state.to_move,)

    def legal(self, state: Position, seat: Seat) -> Sequence[Place]:
        if seat is not state.to_move:
            return ()
        free = [
            (board, place)
            for board in self._reachable(seat)
            for place, filled in enumerate(state.boards[board])
            if filled is None
        ]
        if self.pick is Pick.CHOOSE:
            digits = distinct(state.pool)
        else:
            digits = () if state.drawn is None else (state.drawn,)
        return [_PLACES[digit][board][place] for digit in digits for board, place in free]

    def play(self, state: Position, move: PlacingMove) -> Position:
        if isinstance(move, Drawn):
            return replace(state, pool=take(state.pool, move.digit), drawn=move.digit)
        board, at = state.boards[move.board], move.place
        board = (*board[:at], move.digit, *board[at + 1 :])
        pool = take(state.pool, move.digit) if self.pick is Pick.CHOOSE else state.pool
        return Position(pool, put(state.boards, move.board, board), state.to_move.other)

    def view(self, state: Position, seat: Seat) -> Position:
        return state

    def text(self, move: PlacingMove) -> str:
        if isinstance(move, Drawn):
            return f"d{move.digit}"
        return _TEXTS[move.digit][move.board][move.place]

    def moves(self, seat: Seat) -> Sequence[Place]:
        slots = [(board, place) for board in self._reachable(seat) for place in range(self.places)]
        return [_PLACES[digit][board][place] for digit in distinct(self.pool) for board, place in slots]

    def draws(self) -> Sequence[PlacingMove]:
        return () if self.pick is Pick.CHOOSE else [Drawn(digit) for digit in distinct(self.pool)]

    def why_not(self, view: Position, seat: Seat, move: PlacingMove) -> str:
        if self.outcome(view):
            return "The game is over."
        if seat is not view.to_move:
            return "It is not your turn."
        if self.pick is Pick.DRAW and move.digit != view.drawn:
            return "The digit is not drawn yet." if view.drawn is None else f"Your digit is {view.drawn}."
        if self.pick is Pick.CHOOSE and move.digit not in view.pool:
            return f"{move.digit} is no longer in the pool."
        if isinstance(move, Place) and move.board not in self._reachable(seat):
            return "Digits go on your own board."
        if isinstance(move, Place) and None not in view.boards[move.board]:
            return "Your board is full." if move.board is seat else "Your opponent's board is full."
        return "That place is already filled."

    @property
    def bound(self) -> int:
        return (2 if self.pick is Pick.CHOOSE else 4) * self.places

    def _reachable(self, seat: Seat) -> tuple[Seat, ...]:
        return (seat,) if self.reach is Reach.OWN else (seat, seat.other)
