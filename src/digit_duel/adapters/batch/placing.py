"""The batch of the placing games."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from digit_duel.adapters.batch.base import RUNNING, SEATED, Batch, bag, fitting, lanes, verdict
from digit_duel.adapters.batch.dice import fraction, pick
from digit_duel.adapters.batch.rows import (
    ONE,
    Array,
    Namespace,
    choose,
    column,
    digits_of,
    i8,
    mask,
    nth,
    sides,
    total,
    u8,
)
from digit_duel.core.game import Pair, Seat
from digit_duel.games._digits import distinct
from digit_duel.games._placement import Board, Goal, Placement, Position, Reach, Tie


class Positions(NamedTuple):
    """The state of many placing games; a mark is the rank of a digit plus one, and 0 is an empty place."""

    pool: Array  # [digits, games]: copies left
    boards: Pair[Array]  # [places, games] each: marks
    placed: Array  # digits on the boards; even if the first seat is to move
    result: Array


class PlacingBatch(Batch[Positions]):
    """Many placing games, with any options."""

    def __init__(self, game: Placement, xp: Namespace = np) -> None:
        super().__init__(xp)
        self.game = game
        self.moves = len(game.moves(Seat.FIRST))
        fitting("digits in a pool", len(game.pool), 127)
        self._digits = distinct(game.pool)
        self._copies = [game.pool.count(digit) for digit in self._digits]
        self._reachable = game.places * (1 if game.reach is Reach.OWN else 2)
        places = range(1, game.places + 1)
        self.features = (
            *SEATED,
            *(f"copies of {digit} in the pool" for digit in self._digits),
            *(f"own place {place}" for place in places),
            *(f"other's place {place}" for place in places),
        )

    def begin(self, lane: Array, seed: int) -> Positions:
        none = (lane ^ lane).astype(u8)
        empty = none + column([0] * self.game.places, none)
        return Positions(none + column(self._copies, none), (empty, empty), none, none)

    def mover(self, state: Positions) -> Array:
        return state.placed & ONE

    def legal_rows(self, state: Positions) -> Array:
        left = (state.pool != 0)[:, None]
        free = self.xp.concatenate(self._free(state)).astype(bool)
        return (left & free).reshape(self.moves, *state.result.shape)

    def observe_rows(self, state: Positions, seat: Array) -> Array:
        own, other = sides(mask(seat != 0), state.boards)
        seated = self.xp.stack([seat, (seat == self.mover(state)).view(u8)])
        boards = (digits_of(board, self._digits) for board in (own, other))
        return self.xp.concatenate([seated.astype(i8), state.pool.astype(i8), *boards])

    def random_move(self, state: Positions, word: Array) -> Array:
        left = (state.pool != 0).view(u8)
        boards = self._free(state)
        free = [row for board in boards for row in board]
        digit, rest = pick(fraction(word), total(left))
        place, _ = pick(rest, sum(total(board) for board in boards))
        return nth(list(left), digit) * u8(self._reachable) + nth(free, place)

    def _moved(self, state: Positions, ids: Array, again: bool) -> tuple[Positions, Array]:
        ids = ids.astype(u8)
        rank = ids // u8(self._reachable)
        cell = self._cell(ids - rank * u8(self._reachable), mask(self.mover(state) != 0))
        pool = state.pool - (column(range(len(self._digits)), rank) == rank).view(u8)
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
        """A place counted from the mover's board on, as one counted from the first seat's board on."""
        places = u8(self.game.places)
        if self.game.reach is Reach.OWN:
            return cell + (places & second)
        across = cell + places - ((places + places) & mask(cell >= places))
        return choose(second, across, cell)

    def _result(self, first: Array, second: Array) -> Array:
        """The results, if both boards are full."""
        higher, equal = mask(first[-1] > second[-1]), mask(first[-1] == second[-1])
        for place in reversed(range(self.game.places - 1)):
            same = mask(first[place] == second[place])
            higher = mask(first[place] > second[place]) | (same & higher)
            equal = equal & same
        lower = ~(higher | equal)
        ahead, behind = (higher, lower) if self.game.goal is Goal.HIGH else (lower, higher)
        match self.game.tie:
            case Tie.SECOND:
                return verdict(ahead, behind | equal)
            case Tie.FIRST:
                return verdict(ahead | equal, behind)
            case Tie.DRAW:
                return verdict(ahead, behind, equal)

    def _free(self, state: Positions) -> list[Array]:
        """1 for each place that the mover may fill, per board, its own first; 0 once a game is over."""
        boards = sides(mask(self.mover(state) != 0), state.boards)
        reachable = boards[:1] if self.game.reach is Reach.OWN else boards
        return [((board | state.result) == RUNNING).view(u8) for board in reachable]

    def plain(self, state: Positions) -> list[Position]:
        return [
            Position(bag(self._digits, pool), (self._board(first), self._board(second)), Seat(placed & 1))
            for pool, first, second, placed in lanes(state.pool, *state.boards, state.placed)
        ]

    def _board(self, marks: list[int]) -> Board:
        return tuple(self._digits[mark - 1] if mark else None for mark in marks)
