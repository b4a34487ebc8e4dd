"""The rules of battle: attack or defend for life points, sudden death on a tie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum

from digit_duel.core.game import Game, Outcome, Pair, Seat, put
from digit_duel.core.options import BadOption, integer, one_of, option
from digit_duel.games._digits import Digits, distinct, read_digits, show_digits, take

MOST_LIFE = 999
STANDOFFS: int | None = 10  # B3


class Sealed(Enum):
    """Stands for a secret digit that the other seat has chosen."""

    SEALED = "sealed"


class Standoff(StrEnum):
    """Who wins after too many equal reveals in a row."""

    SECOND = "second"
    DRAW = "draw"


SecretPick = int | Sealed | None  # only views have SEALED


@dataclass(frozen=True, slots=True)
class Attack:
    """Take life points from the opponent."""

    digit: int


@dataclass(frozen=True, slots=True)
class Defend:
    """Gain life points."""

    digit: int


@dataclass(frozen=True, slots=True)
class Secret:
    """A seat's hidden choice in sudden death."""

    seat: Seat
    digit: int


BattleMove = Attack | Defend | Secret


@dataclass(frozen=True, slots=True)
class Fight:
    """Life points, the digits left, whose turn it is, and the choices of sudden death."""

    life: Pair[int]
    pool: Digits
    to_move: Seat
    picks: Pair[SecretPick] = (None, None)
    standoffs: int = 0  # equal reveals in a row
    last: Pair[int] | None = None  # the digits of the latest reveal


def _read_limit(text: str) -> int | None:
    return None if text.isascii() and text.lower() == "none" else integer("standoff_limit", 1, 1000)(text)


def _read_second(text: str) -> int | None:
    same = text.isascii() and text.lower() == "same"
    return None if same else integer("second_life", 1, MOST_LIFE)(text)


def _read_sudden(text: str) -> Digits:
    digits = read_digits(text)
    if digits != tuple(range(digits[0], digits[-1] + 1)):
        raise BadOption("sudden must be a range of digits such as 1-5.")
    return digits


@dataclass(frozen=True)
class Battle(Game[Fight, BattleMove, Fight]):
    """The rules; only a secret digit is hidden, which the other seat's view shows as SEALED."""

    start_life: int = option(10, integer("start_life", 1, MOST_LIFE), "life points at the start")
    max_life: int = option(20, integer("max_life", 1, MOST_LIFE), "the most life points a player can have")
    pool: Digits = option(
        read_digits("1-9"),
        read_digits,
        "the shared digits, such as 1-9",
        show_digits,
        ("1-9", "1-7", "1-5", "1-9x2"),
    )
    sudden: Digits = option(
        read_digits("1-5"),
        _read_sudden,
        "the secret digits of sudden death, such as 1-5",
        show_digits,
        ("1-3", "1-5", "1-9"),
    )
    standoff_limit: int | None = option(
        STANDOFFS, _read_limit, "equal reveals in a row that end sudden death, or none",
        lambda limit: "none" if limit is None else str(limit), ("3", "5", "10", "20", "none"),
    )  # fmt: skip
    second_life: int | None = option(
        None, _read_second, "the second player's life points at the start, or same",
        lambda life: "same" if life is None else str(life), ("same", "12", "14", "15", "16"),
        dial=(1, MOST_LIFE),
    )  # fmt: skip

    standoff: Standoff = option(
        Standoff.SECOND, one_of("standoff", Standoff), "who wins a stand-off: second, or nobody (draw)",
        repairs=("draw",),
    )  # fmt: skip

    def __post_init__(self) -> None:
        if self.start_life > self.max_life:
            raise BadOption(f"start_life {self.start_life} is more than max_life {self.max_life}.")
        if self.second_life == self.start_life:
            object.__setattr__(self, "second_life", None)  # the same rules must compare equal
        if self.standoff_limit is None:
            object.__setattr__(self, "standoff", Standoff.SECOND)  # there are no stand-offs
        if self.second_life is not None and self.second_life > self.max_life:
            raise BadOption(f"second_life {self.second_life} is more than max_life {self.max_life}.")
        if 0 in self.pool:
            raise BadOption("the pool of a battle cannot contain 0, which would change nothing.")
        if len(self.sudden) == 1 and self.standoff_limit is None:
            raise BadOption("sudden death with one digit and no standoff_limit would never end.")

    def start(self) -> Fight:
        second = self.start_life if self.second_life is None else self.second_life
        return Fight((self.start_life, second), self.pool, Seat.FIRST)

    @property
    def standoff_winner(self) -> Seat | None:
        """Who wins a stand-off; None if it is a draw."""
        # B3: in the rulebooks of this family the second player wins ties.
        return None if self.standoff is Standoff.DRAW else Seat.SECOND

    def outcome(self, state: Fight) -> Outcome | None:
        first, second = state.life
        if first <= 0 or second <= 0:
            # B2: at zero or below the game ends at once; only one life falls in a move.
            return Outcome(Seat.FIRST if second <= 0 else Seat.SECOND, "no life points left")
        if self.sudden_death(state):
            if self.standoff_limit is not None and state.standoffs >= self.standoff_limit:
                return Outcome(self.standoff_winner, "stand-off")
            return None
        if state.pool:
            return None
        return Outcome(Seat.FIRST if first > second else Seat.SECOND, "more life points")

    def essence(self, state: Fight) -> Fight:
        # What the last reveal showed does not matter, but that there was one does.
        if state.last is None or state.last == (0, 0):
            return state
        return Fight(state.life, state.pool, state.to_move, state.picks, state.standoffs, (0, 0))

    def margin(self, state: Fight) -> int:
        return state.life[0] - state.life[1]

    def acting(self, state: Fight) -> tuple[Seat, ...]:
        if self.outcome(state):
            return ()
        if self.sudden_death(state):
            return tuple(seat for seat in Seat if state.picks[seat] is None)
        return (state.to_move,)

    def legal(self, state: Fight, seat: Seat) -> Sequence[BattleMove]:
        if seat not in self.acting(state):
            return ()
        if self.sudden_death(state):
            return [Secret(seat, digit) for digit in self.sudden]
        return [kind(digit) for digit in distinct(state.pool) for kind in (Attack, Defend)]

    def play(self, state: Fight, move: BattleMove) -> Fight:
        match move:
            case Attack(digit):
                target = state.to_move.other
                life = put(state.life, target, state.life[target] - digit)
            case Defend(digit):
                mover = state.to_move
                life = put(state.life, mover, min(state.life[mover] + digit, self.max_life))
            case Secret(seat, digit):
                return self._reveal(state, put(state.picks, seat, digit))
        return Fight(life, take(state.pool, move.digit), state.to_move.other)

    def view(self, state: Fight, seat: Seat) -> Fight:
        theirs = state.picks[seat.other]
        if theirs is None:
            return state
        # B3: that the other has chosen is public, what they chose is not.
        return replace(state, picks=put(state.picks, seat.other, Sealed.SEALED))

    def text(self, move: BattleMove) -> str:
        match move:
            case Attack(digit):
                return f"x{digit}"
            case Defend(digit):
                return f"+{digit}"
            case Secret(seat, digit):
                return f"{seat.letter}{digit}"

    def moves(self, seat: Seat) -> Sequence[BattleMove]:
        ordinary: list[BattleMove] = [
            kind(digit) for digit in distinct(self.pool) for kind in (Attack, Defend)
        ]
        return [*ordinary, *(Secret(seat, digit) for digit in self.sudden)]

    def why_not(self, view: Fight, seat: Seat, move: BattleMove) -> str:
        if self.outcome(view):
            return "The game is over."
        if self.sudden_death(view):
            if view.picks[seat] is not None:
                return "Your digit is sealed and cannot be changed."
            return "This is sudden death: both players choose a secret digit."
        if seat is not view.to_move:
            return "It is not your turn."
        if isinstance(move, Secret):
            return "Secret digits are for sudden death only."
        return f"{move.digit} is no longer in the pool."

    @property
    def bound(self) -> None:
        """None: in sudden death the life points can go back and forth without end."""

    def seen(self, path: Sequence[tuple[Fight, BattleMove]], seat: Seat) -> Sequence[str]:
        known = [self.text(move) for _, move in path]
        if path:
            state, move = path[-1]
            if isinstance(move, Secret) and move.seat is not seat and state.picks[seat] is None:
                known[-1] = f"{seat.other.letter}?"  # not shown before this seat has chosen too
        return known

    def sudden_death(self, state: Fight) -> bool:
        """Whether the pool ran out on equal life points."""
        # B4: life points may differ during sudden death; then there has been a reveal.
        return not state.pool and (state.life[0] == state.life[1] or state.last is not None)

    def _reveal(self, state: Fight, picks: Pair[SecretPick]) -> Fight:
        first, second = picks
        if not (isinstance(first, int) and isinstance(second, int)):
            return replace(state, picks=picks)
        gap = first - second
        life = (min(state.life[0] + gap, self.max_life), min(state.life[1] - gap, self.max_life))  # B1
        # Counted only up to a limit, so that there are finitely many states.
        standoffs = state.standoffs + 1 if gap == 0 and self.standoff_limit is not None else 0
        return Fight(life, state.pool, state.to_move, (None, None), standoffs, (first, second))
