"""The script of the placing games; each variant brings its rulebook's wording."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from digit_duel.core.game import Outcome, Pair, Seat
from digit_duel.core.names import poses_as_computer
from digit_duel.core.script import (
    Cell,
    Names,
    Question,
    Row,
    Scene,
    Script,
    Spot,
    Step,
    Stock,
    first_difference,
)
from digit_duel.games._digits import Digits, distinct
from digit_duel.games._placement import (
    Board,
    Drawn,
    Goal,
    Pick,
    Place,
    Placement,
    PlacingMove,
    Position,
    Reach,
    number,
)
from digit_duel.games._placement_decided import decided

# From the right.
_NAMES = (
    "ones", "tens", "hundreds", "thousands", "ten-thousands", "hundred-thousands",
    "millions", "ten-millions", "hundred-millions",
)  # fmt: skip
_OWN, _OTHER = ("1", "you", "own", "me", "mine"), ("2", "opponent", "other")


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
class PlacementScript(Script[Position, PlacingMove, Position]):
    """Words and picture of a placing game."""

    game: Placement
    wording: Wording

    def scene(self, view: Position) -> Scene:
        first, second = (Row(self._cells(view.boards[seat]), note=self._note(view, seat)) for seat in Seat)
        drawn = None if view.drawn is None else Cell(view.drawn, label="drawn")
        pool = _stocks(view.pool, self._copies)
        better = "higher" if self.game.goal is Goal.HIGH else "lower"
        winner = next((seat for seat in Seat if decided(self.game, view, seat)), None)
        return Scene(
            (first, second),
            pool=pool,
            drawn=drawn,
            decided=self._decided(view),
            goal=f"The {better} number wins",
            leads=self._leads(view) if winner is None else winner,
            lead=f"{better} so far" if winner is None else "sure to win",
        )

    def _decided(self, view: Position) -> int | None:
        """The place that decided between two finished numbers; none where a bonus counts as well."""
        finished = not any(None in board for board in view.boards)
        return first_difference(*view.boards) if finished and not self.game.bonus else None

    def opening(self, view: Position, names: Names) -> str:
        return self.wording.welcome(view.pool)

    def headline(self, view: Position, seat: Seat, names: Names) -> str:
        return f"{names[seat]}, it's your turn."

    def turn(self, view: Position, seat: Seat, names: Names) -> str:
        told = self.wording.turn(self.headline(view, seat, names), view.pool)
        return told if view.drawn is None else f"{told}\nYou draw a '{view.drawn}'."

    def questions(self, view: Position, seat: Seat) -> Sequence[Question[PlacingMove]]:
        return self._asked[seat]

    @cached_property
    def _asked(self) -> Pair[Sequence[Question[PlacingMove]]]:
        return self._asks(Seat.FIRST), self._asks(Seat.SECOND)

    def _asks(self, seat: Seat) -> Sequence[Question[PlacingMove]]:
        listed = self.wording.place_names(self._names)
        digit = Question[PlacingMove](lambda move: self.wording.ask_digit, lambda move: (str(move.digit),))
        board = Question[PlacingMove](
            lambda move: f"Assign digit '{move.digit}' to which player? (1 for you, 2 for opponent): ",
            lambda move: _OWN if _placed(move).board is seat else _OTHER,
            label=lambda move: "own" if _placed(move).board is seat else "opponent",
        )
        place = Question[PlacingMove](
            lambda move: self.wording.ask_place(move.digit, listed),
            lambda move: self._place_answers(_placed(move)),
            label=lambda move: self._names[_placed(move).place],
        )
        where = (place,) if self.game.reach is Reach.OWN else (board, place)
        return where if self.game.pick is Pick.DRAW else (digit, *where)

    def spot(self, view: Position, move: PlacingMove) -> Spot:
        to = _placed(move)
        return Spot(to.digit if self.game.pick is Pick.CHOOSE else None, to.board, to.place)

    def lands(self, step: Step[Position, PlacingMove]) -> Spot | None:
        move = step.move
        return Spot(row=move.board, cell=move.place) if isinstance(move, Place) else None

    def narrate(self, step: Step[Position, PlacingMove], to: Seat | None, names: Names) -> str:
        move, mover = step.move, step.after.to_move.other
        if isinstance(move, Drawn):
            return ""  # turn() announces it
        name = self._names[move.place]
        news = self.wording.news(names[mover], names[move.board], move, step.after, name)
        if to in (None, mover):
            return news
        # A seat that did not type the move is told the move as well, unless the rulebook's words do.
        return f"\n{news}" if self.wording.news_tells_move else f"{self._told(move, mover, names)}\n{news}"

    def _told(self, move: Place, mover: Seat, names: Names) -> str:
        """A move, for the seat that did not make it."""
        whose = self._own(names[mover]) if move.board is mover else "your"
        return f"\n{names[mover]} places {move.digit} in {whose} {self._names[move.place]} place."

    def brief(self, step: Step[Position, PlacingMove], to: Seat | None, names: Names) -> str:
        move, mover = step.move, step.after.to_move.other
        if isinstance(move, Drawn):
            return ""
        who = "You place" if to is mover else f"{names[mover]} places"
        if move.board is mover:
            whose = "your" if to is mover else self._own(names[mover])
        else:
            whose = "your" if to is move.board else f"{names[move.board]}'s"
        return f"{who} {move.digit} in {whose} {self._names[move.place]}."

    def _own(self, name: str) -> str:
        """Whose places a player fills who fills their own; "own" only where others could be meant."""
        whose = "its" if poses_as_computer(name) else "their"
        return whose if self.game.reach is Reach.OWN else f"{whose} own"

    def closing(self, state: Position, outcome: Outcome, names: Names) -> str:
        lines = [
            self.wording.final(names[seat], self._compared(seat, number(state.boards[seat]))) for seat in Seat
        ]
        if outcome.winner is None:
            verdict = "A tie. The game is a draw."
        else:
            verdict = f"{names[outcome.winner]} wins!"
            if self.game.margin(state) == 0:
                order = "second" if outcome.winner is Seat.SECOND else "first"
                verdict = f"A tie. {names[outcome.winner]} went {order}, so {verdict}"
        return "\n".join(["Final Numbers:", *lines, "", verdict])

    def verdict(self, state: Position, outcome: Outcome, to: Seat | None, names: Names) -> str:
        winner = outcome.winner
        if winner is None:
            return "A tie. The game is a draw."
        if self.game.margin(state) == 0:
            who, wins = ("You", "you win!") if to is winner else (names[winner], f"{names[winner]} wins.")
            return f"A tie. {who} went {'second' if winner is Seat.SECOND else 'first'}, so {wins}"
        better, worse = (self._compared(seat, number(state.boards[seat])) for seat in (winner, winner.other))
        return f"{better} beats {worse}."

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

    def _note(self, view: Position, seat: Seat) -> str:
        """A board's number, or the best it can still become; left out where digits are drawn by chance."""
        board = view.boards[seat]
        if None not in board:
            return self._compared(seat, number(board))
        if self.game.pick is Pick.DRAW:
            return f"{self._bonus} points at the end" if seat is Seat.SECOND and self._bonus else ""
        best = "highest" if self.game.goal is Goal.HIGH else "lowest"
        return f"{best} possible {self._compared(seat, self._reached(view, seat))}"

    def _reached(self, view: Position, seat: Seat, gone: int = 0) -> str:
        """The best number that a board can still become, after `gone` of the best digits are taken."""
        spare = iter(sorted(view.pool, reverse=self.game.goal is Goal.HIGH)[gone:])
        return "".join([str(next(spare) if digit is None else digit) for digit in view.boards[seat]])

    def _leads(self, view: Position) -> Seat | None:
        """Whoever gets the better number, whichever player takes the best digits that are left."""
        if self.game.pick is Pick.DRAW and any(None in board for board in view.boards):
            return None  # it depends on the draws
        one, other = (self._better(view, takes) for takes in Seat)
        return one if one is other else None

    def _better(self, view: Position, takes: Seat) -> Seat | None:
        """Whoever gets the better number if this player takes the best digits and the other the next best."""
        gone = view.boards[takes].count(None)
        first, second = (
            self._total(seat, self._reached(view, seat, 0 if seat is takes else gone)) for seat in Seat
        )
        if first == second:
            return None
        return Seat.FIRST if (first > second) is (self.game.goal is Goal.HIGH) else Seat.SECOND

    def _compared(self, seat: Seat, reached: str) -> str:
        """A number as it is compared: the second player's with the bonus."""
        if seat is Seat.FIRST or not self.game.bonus:
            return reached
        return f"{reached} {self._bonus} = {self._total(seat, reached)}"

    def _total(self, seat: Seat, reached: str) -> int:
        bonus = 0 if seat is Seat.FIRST else self.game.bonus
        return int(reached) + (bonus if self.game.goal is Goal.HIGH else -bonus)

    @cached_property
    def _bonus(self) -> str:
        sign = "+" if self.game.goal is Goal.HIGH else "-"
        return f"{sign} {self.game.bonus}" if self.game.bonus else ""


def _placed(move: PlacingMove) -> Place:
    assert isinstance(move, Place)  # nobody is asked about nature's moves
    return move
