"""The script of the placing games; each variant brings its rulebook's wording."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from digit_duel.core.game import Outcome, Pair, Seat
from digit_duel.core.script import Cell, Names, Question, Row, Scene, Script, Spot, Step, Stock
from digit_duel.games._digits import Digits, distinct
from digit_duel.games._placement import Board, Goal, Place, Placement, Position, Reach, number

# From the right.
_NAMES = (
    "ones", "tens", "hundreds", "thousands", "ten-thousands", "hundred-thousands",
    "millions", "ten-millions", "hundred-millions",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wording:
    """The texts of one rulebook's sample session."""

    last_place: str  # units or ones (P2)
    welcome: Callable[[Digits], str]
    turn: Callable[[str, Digits], str]
    ask_digit: str
    ask_place: Callable[[int, str], str]  # digit, place names
    place_names: Callable[[tuple[str, ...]], str]
    news: Callable[[str, str, Place, Position, str], str]  # mover, whose board, move, after, place name
    final: Callable[[str, str], str]  # name, number
    news_tells_move: bool = False  # who placed which digit where


def spaced(pool: Digits) -> str:
    """Digits with spaces between."""
    return " ".join(map(str, pool))


def boxed(board: Board, empty: str, between: str) -> str:
    """A board in brackets, an empty place as the rulebook draws it."""
    return between.join(f"[{empty if digit is None else digit}]" for digit in board)


# Cached: looking a scene's parts up is faster than creating them.
@lru_cache(maxsize=1024)
def _stocks(pool: Digits, copies: tuple[tuple[int, int], ...]) -> tuple[Stock, ...]:
    return tuple(Stock(digit, pool.count(digit), most) for digit, most in copies)


@lru_cache(maxsize=1024)
def _cell(digit: int | None, label: str) -> Cell:
    return Cell(digit, label=label)


@dataclass(frozen=True)
class PlacementScript(Script[Position, Place, Position]):
    """Words and picture of a placing game."""

    game: Placement
    wording: Wording

    def scene(self, view: Position) -> Scene:
        first, second = (Row(self._cells(board), note=self._best(view, board)) for board in view.boards)
        return Scene((first, second), pool=_stocks(view.pool, self._copies))

    def opening(self, view: Position, names: Names) -> str:
        return self.wording.welcome(view.pool)

    def headline(self, view: Position, seat: Seat, names: Names) -> str:
        return f"{names[seat]}, it's your turn."

    def turn(self, view: Position, seat: Seat, names: Names) -> str:
        return self.wording.turn(self.headline(view, seat, names), view.pool)

    def questions(self, view: Position, seat: Seat) -> Sequence[Question[Place]]:
        return self._asked[seat]

    @cached_property
    def _asked(self) -> Pair[Sequence[Question[Place]]]:
        return self._asks(Seat.FIRST), self._asks(Seat.SECOND)

    def _asks(self, seat: Seat) -> Sequence[Question[Place]]:
        listed = self.wording.place_names(self._names)
        digit = Question[Place](lambda move: self.wording.ask_digit, lambda move: (str(move.digit),))
        board = Question[Place](
            lambda move: f"Assign digit '{move.digit}' to which player? (1 for you, 2 for opponent): ",
            lambda move: (
                ("1", "you", "own", "me", "mine") if move.board is seat else ("2", "opponent", "other")
            ),
            label=lambda move: "own" if move.board is seat else "opponent",
        )
        place = Question[Place](
            lambda move: self.wording.ask_place(move.digit, listed),
            self._place_answers,
            label=lambda move: self._names[move.place],
        )
        return (digit, place) if self.game.reach is Reach.OWN else (digit, board, place)

    def spot(self, move: Place) -> Spot:
        return Spot(move.digit, move.board, move.place)

    def lands(self, step: Step[Position, Place]) -> Spot:
        return Spot(row=step.move.board, cell=step.move.place)

    def narrate(self, step: Step[Position, Place], to: Seat | None, names: Names) -> str:
        move, mover = step.move, step.after.to_move.other
        name = self._names[move.place]
        news = self.wording.news(names[mover], names[move.board], move, step.after, name)
        if to in (None, mover):
            return news
        # A seat that did not type the move is told the move as well, unless the rulebook's words do.
        return f"\n{news}" if self.wording.news_tells_move else f"{self._told(step, names)}\n{news}"

    def narrate_on_screen(self, step: Step[Position, Place], to: Seat | None, names: Names) -> str:
        if to in (None, step.after.to_move.other):
            return self.narrate(step, to, names)
        return self._told(step, names)  # the picture shows the board and the pool

    def _told(self, step: Step[Position, Place], names: Names) -> str:
        """A move, for the seat that did not make it."""
        move, mover = step.move, step.after.to_move.other
        whose = "their own" if move.board is mover else "your"
        return f"\n{names[mover]} places {move.digit} in {whose} {self._names[move.place]} place."

    def brief(self, step: Step[Position, Place], to: Seat | None, names: Names) -> str:
        move, mover = step.move, step.after.to_move.other
        who = "You place" if to is mover else f"{names[mover]} places"
        if move.board is mover:
            whose = "your" if to is mover else "their own"
        else:
            whose = "your" if to is move.board else f"{names[move.board]}'s"
        return f"{who} {move.digit} in {whose} {self._names[move.place]}."

    def closing(self, state: Position, outcome: Outcome, names: Names) -> str:
        lines = [self.wording.final(names[seat], number(state.boards[seat])) for seat in Seat]
        if outcome.winner is None:
            verdict = "A tie. The game is a draw."
        else:
            verdict = f"{names[outcome.winner]} wins!"
            if state.boards[0] == state.boards[1]:
                order = "second" if outcome.winner is Seat.SECOND else "first"
                verdict = f"A tie. {names[outcome.winner]} went {order}, so {verdict}"
        return "\n".join(["Final Numbers:", *lines, "", verdict])

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(reversed((self.wording.last_place, *_NAMES[1 : self.game.places])))

    @cached_property
    def _copies(self) -> tuple[tuple[int, int], ...]:
        return tuple((digit, self.game.pool.count(digit)) for digit in distinct(self.game.pool))

    def _cells(self, board: Board) -> tuple[Cell, ...]:
        return tuple(map(_cell, board, self._names))

    def _place_answers(self, move: Place) -> tuple[str, ...]:
        name = self._names[move.place]
        # P2: both words for the last place; S2: 1-4 from the left always work.
        synonyms = ("units", "ones") if name == self.wording.last_place else (name,)
        return (name, *synonyms, str(move.place + 1))

    def _best(self, view: Position, board: Board) -> str:
        """The best number that a board could still become, for its row's note."""
        high = self.game.goal is Goal.HIGH
        spare = iter(sorted(view.pool, reverse=high))
        reached = "".join([str(next(spare) if digit is None else digit) for digit in board])
        return f"{'highest' if high else 'lowest'} possible {reached}" if None in board else reached
