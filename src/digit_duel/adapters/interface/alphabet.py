"""Action numbers: a move's index in the alphabet of its seat, or the rank order that lays out a hand."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from digit_duel.core.decisions import Decisions, rules_of, state_of
from digit_duel.core.game import Pair, Seat, T
from digit_duel.core.variant import AnyGame
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Arrange


@dataclass(frozen=True)
class Alphabet:
    """The numbering of all moves of both seats and of nature."""

    game: AnyGame
    moves: Pair[tuple[Hashable, ...]]
    size: int  # of the larger of the two seats' alphabets

    @cached_property
    def numbers(self) -> Pair[dict[Hashable, int]]:
        """The number of every move of each seat."""
        return _numbered(self.moves[0]), _numbered(self.moves[1])

    @cached_property
    def objects(self) -> Pair[dict[int, int]]:
        """The same, by the identity of the move."""
        return _numbered(map(id, self.moves[0])), _numbered(map(id, self.moves[1]))

    @cached_property
    def draws(self) -> tuple[Hashable, ...]:
        """The moves of nature."""
        return tuple(self.game.draws())

    @cached_property
    def draw_numbers(self) -> dict[Hashable, int]:
        """The number of every move of nature."""
        return _numbered(self.draws)

    def legal(self, state: Hashable, seat: Seat) -> list[int]:
        """The numbers of the legal moves, in the order of the rules."""
        moves, known = self.game.legal(state, seat), self.objects[seat]
        try:
            # Faster than hashing: most games return the objects of their alphabet, which stay alive here.
            return [known[id(move)] for move in moves]
        except KeyError:
            return list(map(self.numbers[seat].__getitem__, moves))

    def move(self, state: Hashable, seat: Seat, number: int) -> Hashable:
        """The move with a number; raises IndexError if there is none."""
        return self.moves[seat][number]

    def number(self, state: Hashable, seat: Seat, move: Hashable) -> int:
        """The number of a legal move."""
        return self.numbers[seat][move]

    def why_not(self, state: Hashable, seat: Seat, number: int) -> str:
        """Why the move with a number is illegal now."""
        return self.game.why_not(self.game.view(state, seat), seat, self.moves[seat][number])

    def name(self, number: int) -> str:
        """The meaning of a number for the first seat, in words or notation."""
        return self.game.text(self.moves[Seat.FIRST][number])

    def mask(self, legal: Sequence[int]) -> NDArray[np.int8]:
        """An array with a 1 for each legal move."""
        mask = np.zeros(self.size, np.int8)
        mask[legal] = 1
        return mask

    def __reduce__(self) -> tuple[object, ...]:
        return alphabet, (self.game,)  # object identities do not survive pickling


@dataclass(frozen=True)
class RankedAlphabet(Alphabet):
    """An alphabet that numbers the layouts of a hand by rank order: the first one is the highest number.

    If digits are equal, several orders make the same number, and only the first of them is legal.
    """

    orders: tuple[tuple[int, ...], ...]  # of ranks in a hand, highest card first
    others: int  # moves that are not orders

    def legal(self, state: Hashable, seat: Seat) -> list[int]:
        moves = self.game.legal(state, seat)
        if not (moves and isinstance(moves[0], Arrange)):
            known = self.numbers[seat]
            return [known[move] for move in moves]
        return sorted(self._laid_out(state, seat).values())

    def move(self, state: Hashable, seat: Seat, number: int) -> Hashable:
        if number < self.others:
            return self.moves[seat][number]
        hand = _descending(state, seat)
        return Arrange(seat, tuple(hand[rank] for rank in self.orders[number - self.others]))

    def number(self, state: Hashable, seat: Seat, move: Hashable) -> int:
        if isinstance(move, Arrange):
            return self._laid_out(state, seat)[move.digits]
        return self.numbers[seat][move]

    def why_not(self, state: Hashable, seat: Seat, number: int) -> str:
        if number < self.others:
            return super().why_not(state, seat, number)
        if self.legal(state, seat)[-1:] > [self.others]:
            return "Two of your digits are equal: this order makes the same number as an earlier one."
        anything = next(move for move in self.game.moves(seat) if isinstance(move, Arrange))
        return self.game.why_not(self.game.view(state, seat), seat, anything)

    def name(self, number: int) -> str:
        if number < self.others:
            return super().name(number)
        return "order " + "".join(str(rank + 1) for rank in self.orders[number - self.others])

    def __reduce__(self) -> tuple[object, ...]:
        return ranked_alphabet, (self.game,)

    def _laid_out(self, state: Hashable, seat: Seat) -> dict[tuple[int, ...], int]:
        """The numbers that a hand can form, each with its first order."""
        hand = _descending(state, seat)
        found: dict[tuple[int, ...], int] = {}
        for at, order in enumerate(self.orders, self.others):
            found.setdefault(tuple(hand[rank] for rank in order), at)
        return found


@lru_cache(maxsize=64)
def alphabet(game: AnyGame) -> Alphabet:
    """The alphabet of a game, with a number for every move."""
    moves = (tuple(game.moves(Seat.FIRST)), tuple(game.moves(Seat.SECOND)))
    return Alphabet(game, moves, max(map(len, moves)))


@lru_cache(maxsize=64)
def ranked_alphabet(game: AnyGame) -> Alphabet:
    """The alphabet of a game, with hands laid out by rank if the game has hands."""
    rules = rules_of(game)
    if not isinstance(rules, Cards):
        return alphabet(game)
    first, second = (
        tuple(move for move in game.moves(seat) if not isinstance(move, Arrange)) for seat in Seat
    )
    asked = not (isinstance(game, Decisions) and highest_number in game.conventions)
    orders = tuple(permutations(range(rules.hand_size))) if asked else ()
    return RankedAlphabet(game, (first, second), len(first) + len(orders), orders, len(first))


def highest_number(legal: Sequence[Hashable]) -> Hashable | None:
    """The convention of laying out a hand as its highest number, which is never worse than another."""
    numbers = [move for move in legal if isinstance(move, Arrange)]
    return max(numbers, key=lambda move: move.digits, default=None)


def _descending(state: Hashable, seat: Seat) -> list[int]:
    return sorted(state_of(state).hands[seat], reverse=True)


def _numbered(things: Iterable[T]) -> dict[T, int]:
    return {thing: number for number, thing in enumerate(things)}
