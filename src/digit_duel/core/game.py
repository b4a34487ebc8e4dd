"""What a game is: rule parameters, and pure functions over hashable states."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import Generic, TypeAlias, TypeVar

T = TypeVar("T")
S = TypeVar("S", bound=Hashable)  # a state: everything the rules need to go on
M = TypeVar("M", bound=Hashable)  # a move: a seat's choice, or nature's
V = TypeVar("V", bound=Hashable)  # a view: everything one seat knows

# Metadata of a view field that environments leave out, such as a history: agents remember for themselves.
UNOBSERVED: Mapping[str, object] = MappingProxyType({"observed": False})

# Metadata of a view field that environments include only if random games set it: most rule sets never do.
OBSERVED_IF_USED: Mapping[str, object] = MappingProxyType({"observed": "if used"})

Pair: TypeAlias = tuple[T, T]  # one value per seat: pair[seat]


class Seat(IntEnum):
    """A place at the table, not a person."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Seat:
        """The seat across the table."""
        return Seat.SECOND if self is Seat.FIRST else Seat.FIRST

    @property
    def letter(self) -> str:
        """The seat in notation."""
        return "ab"[self]


def put(pair: Pair[T], seat: Seat, value: T) -> Pair[T]:
    """The pair with a new value for one seat."""
    return (value, pair[1]) if seat is Seat.FIRST else (pair[0], value)


def swap(pair: Pair[T]) -> Pair[T]:
    """The pair after the players have changed seats."""
    return (pair[1], pair[0])


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won, and why; no winner is a draw."""

    winner: Seat | None
    reason: str

    def score(self, seat: Seat) -> int:
        """+1 for a win, -1 for a loss, 0 for a draw."""
        return 0 if self.winner is None else 1 if self.winner is seat else -1


class Refused(ValueError):
    """A text cannot be played now; the message says why, and what can be played."""


class NotAMove(Refused):
    """The text is not a move of this game."""


class IllegalMove(Refused):
    """The text is a move that the rules forbid now."""


@dataclass(frozen=True, eq=False)
class Game(ABC, Generic[S, M, V]):
    """The rules of a game: a frozen dataclass whose fields are the rule parameters.

    In every state the game is over, or nature moves, or one or both seats act.
    """

    @abstractmethod
    def start(self) -> S:
        """The state before the first move."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """The result, once the game is over."""

    def essence(self, state: S) -> S:
        """The state without anything that cannot affect the rest of the game, for solvers."""
        return state

    def margin(self, state: S) -> int:
        """The margin by which the first seat won, where there is one; negative if it lost."""
        return 0

    def chance(self, state: S) -> Sequence[tuple[M, int]]:
        """Nature's moves with integer weights, empty unless nature moves now."""
        return ()

    @abstractmethod
    def acting(self, state: S) -> tuple[Seat, ...]:
        """Who may move now; two seats choose without seeing each other's choice."""

    @abstractmethod
    def legal(self, state: S, seat: Seat) -> Sequence[M]:
        """The moves the seat may make now, in a fixed order."""

    @abstractmethod
    def play(self, state: S, move: M) -> S:
        """The state after a move that the caller knows to be legal."""

    @abstractmethod
    def view(self, state: S, seat: Seat) -> V:
        """All that this seat knows and remembers."""

    @abstractmethod
    def text(self, move: M) -> str:
        """The move in notation."""

    @abstractmethod
    def moves(self, seat: Seat) -> Sequence[M]:
        """Every move the seat could ever make; the index is its action id."""

    def draws(self) -> Sequence[M]:
        """Every move nature could ever make."""
        return ()

    @abstractmethod
    def why_not(self, view: V, seat: Seat, move: M) -> str:
        """Why a move of the alphabet is forbidden now, from what the seat knows."""

    @property
    @abstractmethod
    def bound(self) -> int | None:
        """The most moves a game can take; None where the rules set no limit."""

    def seen(self, path: Sequence[tuple[S, M]], seat: Seat) -> Sequence[str]:
        """The moves in notation as far as the seat knows them, with ? for what it does not."""
        return [self.text(move) for _, move in path]

    def may_be(self, state: S, move: M, later: Sequence[str]) -> bool:
        """Whether a move that a seat's record hides may be this one, by the moves after it in the record.

        Only for speed: replaying the record tries fewer moves.
        """
        return True

    def parse(self, state: S, seat: Seat, text: str) -> M:
        """The legal move with this notation; raises Refused. Text becomes a move only here."""
        wanted = text.lower() if text.isascii() else text
        for move in self.legal(state, seat):
            if self.text(move) == wanted:
                return move
        for move in self.moves(seat):
            if self.text(move) == wanted:
                raise IllegalMove(self.why_not(self.view(state, seat), seat, move))
        if any(self.text(move) == wanted for move in self.moves(seat.other)):
            raise IllegalMove(f"{wanted} is a move for the other player. {self._examples(state, seat)}")
        raise NotAMove(f"{excerpt(text)} is not a move of this game. {self._examples(state, seat)}")

    def _examples(self, state: S, seat: Seat) -> str:
        legal = self.legal(state, seat)
        return f"Try {self.text(legal[0])}, for example." if legal else "It is not your turn."


def excerpt(text: str) -> str:
    """Untrusted text, quoted, shortened and made printable for an error message."""
    cut = text if len(text) <= 20 else text[:19] + "~"
    return "'" + "".join(c if c.isprintable() else "?" for c in cut) + "'"


def public(view: Callable[[S, Seat], V], state: S) -> bool:
    """Whether both seats see the whole state."""
    return all(view(state, seat) == state for seat in Seat)
