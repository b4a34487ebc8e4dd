"""The batch of the placing games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np

from digit_duel.adapters.batch.base import (
    RUNNING,
    SEATED,
    Batch,
    bag,
    counts,
    each,
    fitting,
    lanes,
    results,
    verdict,
)
from digit_duel.adapters.batch.dice import Seed, fraction, pick
from digit_duel.adapters.batch.packing import Packing, Words
from digit_duel.adapters.batch.rows import (
    ONE,
    Array,
    Namespace,
    bits,
    choose,
    column,
    digits_of,
    i8,
    i32,
    mask,
    nth,
    sides,
    total,
    u8,
    u16,
    u32,
    wide,
)
from digit_duel.core.game import Pair, Seat
from digit_duel.games._digits import distinct
from digit_duel.games._placement import Board, Goal, Placement, Position, Reach, Tie


class Positions(NamedTuple):
    """The state of many placing games; a mark is the rank of a digit plus one, or 0 for an empty place."""

    pool: Words  # the copies left of each digit
    boards: Pair[Words]  # the marks in each place
    placed: Array  # how many digits are on the boards; even if the first seat is to move
    result: Array


class PlacingBatch(Batch[Positions]):
    """Many placing games in which players choose the digits."""

    numbers = i8

    def __init__(self, game: Placement, xp: Namespace = np) -> None:
        super().__init__(xp)
        self.game = game
        self.moves = len(game.moves(Seat.FIRST))
        fitting("digits in a pool", len(game.pool), 127)
        self.digits = distinct(game.pool)
        copies = [game.pool.count(digit) for digit in self.digits]
        self.pools = Packing(xp, len(self.digits), max(copies))
        self._full_pool = self.pools.pack(copies)
        self._boards = Packing(xp, game.places, len(self.digits))
        self._reachable = game.places * (1 if game.reach is Reach.OWN else 2)
        self._bits = u16 if len(self.digits) + self._reachable <= 16 else u32
        self._needs = [
            1 << rank | 1 << (len(self.digits) + place)
            for rank in range(len(self.digits))
            for place in range(self._reachable)
        ]
        places = range(1, game.places + 1)
        self.features = (
            *SEATED,
            *(f"copies of {digit} in the pool" for digit in self.digits),
            *(f"own place {place}" for place in places),
            *(f"other's place {place}" for place in places),
        )

    def begin(self, lane: Array, seed: Seed) -> Positions:
        none = (lane ^ lane).astype(u8)
        pool = each(lambda word: none + word, self._full_pool)
        board = self._boards.pack([none] * self.game.places)
        return Positions(pool, (board, board), none, none)

    def mover(self, state: Positions) -> Array:
        return state.placed & ONE

    def legal_rows(self, state: Positions) -> Array:
        # A move is legal if its digit is left and its place is free.
        missing = bits([*~self.pools.present(state.pool), *~self.free_places(state)], self._bits)
        return (column(self._needs, missing, self._bits) & self._whole(state, missing)) == 0

    def observed(self, state: Positions, seat: Array) -> list[Array]:
        digits = (digits_of(self._boards.unpack(board), self.digits) for board in self._sides(state, seat))
        return [seat, seat == self.mover(state), self.pools.unpack(state.pool), *digits]

    def random_move(self, state: Positions, word: Array) -> Array:
        left = self.pools.present(state.pool).view(u8)
        free = self.free_places(state).view(u8)
        digit, rest = pick(fraction(word), total(left))
        place, _ = pick(rest, total(free))
        return nth(list(left), digit) * u8(self._reachable) + nth(list(free), place)

    def _moved(self, state: Positions, ids: Array, again: bool) -> tuple[Positions, Array]:
        ids = ids.astype(u8)
        rank = ids // u8(self._reachable)
        place = ids - rank * u8(self._reachable)
        across = mask(place >= u8(self.game.places))  # places on the other board come after the own
        marks = self._boards.one(place - (u8(self.game.places) & across))
        marks = each(lambda word: word * (rank + ONE).astype(word.dtype), marks)
        on_second = wide(mask(self.mover(state) != 0) ^ across, self._boards.dtype)
        first = each(lambda board, mark: board | (mark & ~on_second), state.boards[0], marks)
        second = each(lambda board, mark: board | (mark & on_second), state.boards[1], marks)
        pool = each(lambda left, taken: left - taken, state.pool, self.pools.one(rank))
        placed = state.placed + ONE
        full = mask(placed >= u8(2 * self.game.places))
        result = self._result(first, second) & full
        if not again:
            return Positions(pool, (first, second), placed, result), result
        over = wide(full, self.pools.dtype)
        pool = each(lambda begun, left: choose(over, begun, left), self._full_pool, pool)
        boards = each(lambda board: board & ~wide(full, board.dtype), (first, second))
        return Positions(pool, boards, placed & ~full, state.result), result

    def _result(self, first: Words, second: Words) -> Array:
        """The results, if both boards are full."""
        if self.game.bonus:
            margin = self._margin(first, second)
            ahead, equal = mask(margin > i32(0)), mask(margin == i32(0))
            behind = ~(ahead | equal)
        else:
            higher, equal = self._compared(first, second)
            lower = ~(higher | equal)
            ahead, behind = (higher, lower) if self.game.goal is Goal.HIGH else (lower, higher)
        match self.game.tie:
            case Tie.SECOND:
                return verdict(ahead, behind | equal)
            case Tie.FIRST:
                return verdict(ahead | equal, behind)
            case Tie.DRAW:
                return verdict(ahead, behind, equal)

    def _compared(self, first: Words, second: Words) -> Pair[Array]:
        """Masks of the games in which the first number is higher, and of those in which they are equal."""
        higher, equal = mask(first[-1] > second[-1]), mask(first[-1] == second[-1])
        for word in reversed(range(len(first) - 1)):
            same = mask(first[word] == second[word])
            higher = mask(first[word] > second[word]) | (same & higher)
            equal = equal & same
        return higher, equal

    def _margin(self, first: Words, second: Words) -> Array:
        """By how much the first player is ahead, after the second player's bonus."""
        digits = (digits_of(self._boards.unpack(board), self.digits) for board in (first, second))
        gaps = (next(digits) - next(digits)).astype(i32)
        ahead = reduce(lambda so_far, gap: so_far * i32(10) + gap, gaps)
        return (ahead if self.game.goal is Goal.HIGH else -ahead) - i32(self.game.bonus)

    def free_places(self, state: Positions) -> Array:
        """Whether the mover may fill each place, its own board first; false once a game is over."""
        boards = self._sides(state, self.mover(state))
        reachable = boards[:1] if self.game.reach is Reach.OWN else boards
        filled = self.xp.concatenate([self._boards.present(board) for board in reachable])
        return ~filled & (state.result == RUNNING)

    def _sides(self, state: Positions, seat: Array) -> tuple[Words, ...]:
        """A seat's own board, and the other."""
        second = wide(mask(seat != 0), self._boards.dtype)
        pairs = [sides(second, pair) for pair in zip(*state.boards, strict=True)]
        return tuple(zip(*pairs, strict=True))

    def plain(self, state: Positions) -> list[Position]:
        rows = (self.pools.unpack(state.pool), *map(self._boards.unpack, state.boards), state.placed)
        return [
            Position(bag(self.digits, pool), (self._board(first), self._board(second)), Seat(placed & 1))
            for pool, first, second, placed in lanes(*rows)
        ]

    def packed(self, states: Sequence[Position], seed: Seed, first: int) -> Positions:
        boards = (
            [
                [self._mark(digit) for digit in row]
                for row in zip(*(s.boards[seat] for s in states), strict=True)
            ]
            for seat in Seat
        )
        first_board, second_board = map(self._boards.pack, boards)
        return self.start(len(states), seed, first)._replace(
            pool=self.pools.pack(counts(self.digits, [state.pool for state in states])),
            boards=(first_board, second_board),
            placed=self.xp.asarray([len(self.game.pool) - len(state.pool) for state in states], u8),
            result=self.xp.asarray(results(self.game, states), u8),
        )

    def _mark(self, digit: int | None) -> int:
        return 0 if digit is None else self.digits.index(digit) + 1

    def _board(self, marks: list[int]) -> Board:
        return tuple(self.digits[mark - 1] if mark else None for mark in marks)
