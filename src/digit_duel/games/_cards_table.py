"""The state of cards: the moves, the table with its memory, and what one seat knows of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from digit_duel.core.game import UNOBSERVED, Pair, Seat
from digit_duel.games._digits import Digits


class To(Enum):
    """Where a drawn card went."""

    FIRST = 0
    SECOND = 1
    DISCARDS = 2


HAND = (To.FIRST, To.SECOND)  # by seat


@dataclass(frozen=True, slots=True)
class Draw:
    """Nature draws a card for the player on turn."""

    digit: int


@dataclass(frozen=True, slots=True)
class Keep:
    """Take the drawn card; if the hand is full, it is discarded."""


@dataclass(frozen=True, slots=True)
class Give:
    """Give the drawn card to the opponent; if their hand is full, it is discarded (C3)."""


@dataclass(frozen=True, slots=True)
class Arrange:
    """Lay out a full hand as a number."""

    seat: Seat
    digits: Digits


CardsMove = Draw | Keep | Give | Arrange


@dataclass(frozen=True, slots=True)
class Turn:
    """A remembered turn: who drew a card, which (None if unseen), and where it went."""

    seat: Seat
    digit: int | None
    to: To


_UNSEEN = tuple(Turn(seat, None, HAND[seat]) for seat in Seat)  # a kept card, as the other seat remembers it


@dataclass(frozen=True, slots=True)
class Reveal:
    """A remembered end of a round: both numbers face up."""

    numbers: Pair[Digits]

    @property
    def winner(self) -> Seat | None:
        """Who has the higher number; None on a tie."""
        first, second = self.numbers
        return None if first == second else Seat.FIRST if first > second else Seat.SECOND


Memory = tuple[Turn | Reveal, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The state; the deck has no order, because a draw is nature's move."""

    deck: Digits
    starter: Seat
    to_move: Seat
    hands: Pair[Digits] = ((), ())  # in order of arrival
    discards: Digits = ()
    drawn: int | None = None
    numbers: Pair[Digits | None] = (None, None)
    wins: Pair[int] = (0, 0)
    run_outs: int = 0  # times the deck ran out on a player facing a full hand, this round (C4)
    thrown: int = 0  # cards discarded by giving to a full hand, this round (C3)
    memory: Memory = ()


@dataclass(frozen=True, slots=True)
class Sight:
    """What one seat knows of the table; None is a card face down."""

    seat: Seat
    hands: Pair[tuple[int | None, ...]]
    deck_size: int
    discards: Digits
    starter: Seat
    to_move: Seat
    waiting: bool  # a card has been drawn and not yet kept or given
    drawn: int | None
    numbers: Pair[Digits | None]
    arranged: Pair[bool]
    wins: Pair[int]
    run_outs: int
    thrown: int
    memory: Memory = field(metadata=UNOBSERVED)


def remembered(event: Turn | Reveal, seat: Seat) -> Turn | Reveal:
    """An event as one seat remembers it: a card that the opponent drew and kept is unseen (C1)."""
    if isinstance(event, Turn) and event.seat is not seat and event.to is HAND[event.seat]:
        return _UNSEEN[event.seat]
    return event


def this_round(memory: Memory) -> tuple[Turn, ...]:
    """The turns since the last reveal."""
    turns: list[Turn] = []
    for event in reversed(memory):
        if isinstance(event, Reveal):
            break
        turns.append(event)
    return tuple(reversed(turns))


def remembered_hand(memory: Memory, owner: Seat) -> tuple[int | None, ...]:
    """A hand as far as it is known, in order of arrival."""
    hand = HAND[owner]
    return tuple(turn.digit for turn in this_round(memory) if turn.to is hand)
