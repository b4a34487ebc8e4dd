"""The batch of the placing games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from digit_duel.adapters.batch.base import (
    RUNNING,
    SEATED,
    Batch,
    bag,
    counts,
    fitting,
    lanes,
    results,
    verdict,
)
from digit_duel.adapters.batch.dice import Seed, fraction, pick
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
)
from digit_duel.core.game import Pair, Seat
from digit_duel.games._digits import distinct
from digit_duel.games._placement import Board, Goal, Placement, Position, Reach, Tie


class Positions(NamedTuple):
    """The state of many placing games; a mark is the rank of a digit plus one, or 0 for an empty place."""

    pool: Array  # [digits, games]: copies left
    boards: Pair[Array]  # [places, games] each: marks
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
        self._copies = [game.pool.count(digit) for digit in self.digits]
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
        empty = none + column([0] * self.game.places, none)
        return Positions(none + column(self._copies, none), (empty, empty), none, none)

    def mover(self, state: Positions) -> Array:
        return state.placed & ONE

    def legal_rows(self, state: Positions) -> Array:
        # A move is legal if its digit is left and its place is free.
        missing = bits([*(state.pool == 0), *(self.free_places(state) == 0)], self._bits)
        return (column(self._needs, missing, self._bits) & self._whole(state, missing)) == 0

    def observed(self, state: Positions, seat: Array) -> list[Array]:
        boards = sides(mask(seat != 0), state.boards)
        digits = (digits_of(board, self.digits) for board in boards)
        return [seat, seat == self.mover(state), state.pool, *digits]

    def random_move(self, state: Positions, word: Array) -> Array:
        left = (state.pool != 0).view(u8)
        free = self.free_places(state)
        digit, rest = pick(fraction(word), total(left))
        place, _ = pick(rest, total(free))
        return nth(list(left), digit) * u8(self._reachable) + nth(list(free), place)

    def _moved(self, state: Positions, ids: Array, again: bool) -> tuple[Positions, Array]:
        ids = ids.astype(u8)
        rank = ids // u8(self._reachable)
        cell = self._cell(ids - rank * u8(self._reachable), mask(self.mover(state) != 0))
        pool = state.pool - (column(range(len(self.digits)), rank) == rank).view(u8)
        boards = [
            board | ((rank + ONE) & mask(column(range(at, at + self.game.places), cell) == cell))
            for board, at in zip(state.boards, (0, self.game.places), strict=True)
        ]
        placed = state.placed + ONE
        full = mask(placed >= u8(2 * self.game.places))
        result = self._result(boards[0], boards[1]) & full
        if not again:
            return Positions(pool, (boards[0], boards[1]), placed, result), result
        pool = choose(full, column(self._copies, rank), pool)
        boards = [board & ~full for board in boards]
        return Positions(pool, (boards[0], boards[1]), placed & ~full, state.result), result

    def _cell(self, cell: Array, second: Array) -> Array:
        """Convert a place counted from the mover's board to one counted from the first seat's board."""
        places = u8(self.game.places)
        if self.game.reach is Reach.OWN:
            return cell + (places & second)
        across = cell + places - ((places + places) & mask(cell >= places))
        return choose(second, across, cell)

    def _result(self, first: Array, second: Array) -> Array:
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

    def _compared(self, first: Array, second: Array) -> Pair[Array]:
        """Masks of the games in which the first number is higher, and of those in which they are equal."""
        higher, equal = mask(first[-1] > second[-1]), mask(first[-1] == second[-1])
        for place in reversed(range(self.game.places - 1)):
            same = mask(first[place] == second[place])
            higher = mask(first[place] > second[place]) | (same & higher)
            equal = equal & same
        return higher, equal

    def _margin(self, first: Array, second: Array) -> Array:
        """By how much the first player is ahead, after the second player's bonus."""
        ahead = first[0].astype(i32) * i32(0)
        for left, right in zip(first, second, strict=True):
            gap = digits_of(left, self.digits) - digits_of(right, self.digits)
            ahead = ahead * i32(10) + gap.astype(i32)
        return (ahead if self.game.goal is Goal.HIGH else -ahead) - i32(self.game.bonus)

    def free_places(self, state: Positions) -> Array:
        """1 for each place that the mover may fill, its own board first; 0 once a game is over."""
        boards = sides(mask(self.mover(state) != 0), state.boards)
        reachable = boards[:1] if self.game.reach is Reach.OWN else boards
        return self.xp.concatenate([((board | state.result) == RUNNING).view(u8) for board in reachable])

    def plain(self, state: Positions) -> list[Position]:
        return [
            Position(bag(self.digits, pool), (self._board(first), self._board(second)), Seat(placed & 1))
            for pool, first, second, placed in lanes(state.pool, *state.boards, state.placed)
        ]

    def from_plain(self, states: Sequence[Position], seed: Seed = 0, first: int = 0) -> Positions:
        boards = [
            [
                [self._mark(digit) for digit in row]
                for row in zip(*(s.boards[seat] for s in states), strict=True)
            ]
            for seat in Seat
        ]
        return self.start(len(states), seed, first)._replace(
            pool=self.xp.asarray(counts(self.digits, [state.pool for state in states]), u8),
            boards=(self.xp.asarray(boards[0], u8), self.xp.asarray(boards[1], u8)),
            placed=self.xp.asarray([len(self.game.pool) - len(state.pool) for state in states], u8),
            result=self.xp.asarray(results(self.game, states), u8),
        )

    def _mark(self, digit: int | None) -> int:
        return 0 if digit is None else self.digits.index(digit) + 1

    def _board(self, marks: list[int]) -> Board:
        return tuple(self.digits[mark - 1] if mark else None for mark in marks)
