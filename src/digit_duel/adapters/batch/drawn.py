"""The batch of placing games with drawn digits; its own random words decide which digits are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from digit_duel.adapters.batch.base import Batch
from digit_duel.adapters.batch.dice import CHANCE, Dice, Seed, dice, fraction, pick
from digit_duel.adapters.batch.packing import Words
from digit_duel.adapters.batch.placing import PlacingBatch, Positions
from digit_duel.adapters.batch.rows import (
    ONE,
    Array,
    Namespace,
    column,
    digits_of,
    i8,
    mask,
    nth,
    total,
    u8,
    wide,
)
from digit_duel.games._digits import merge, take
from digit_duel.games._placement import Pick, Placement, Position


class DrawnPositions(NamedTuple):
    """The state of many placing games, each with a digit to place."""

    position: Positions  # its pool still holds the drawn digit
    drawn: Array  # the mark of the drawn digit, its rank plus one; 0 once a game is over
    dice: Dice

    @property
    def result(self) -> Array:
        """The result of each game, or RUNNING."""
        return self.position.result


class DrawnBatch(Batch[DrawnPositions]):
    """Many placing games with pick=draw: the game with chosen digits, but chance chooses the digit."""

    numbers = i8

    def __init__(self, game: Placement, xp: Namespace = np) -> None:
        super().__init__(xp)
        self.game = game
        self._chosen = PlacingBatch(replace(game, pick=Pick.CHOOSE), xp)
        self._digits, self.moves = self._chosen.digits, self._chosen.moves
        self._slots = self.moves // len(self._digits)  # how many moves there are for each digit
        self.features = (*self._chosen.features, "digit drawn")

    def begin(self, lane: Array, seed: Seed) -> DrawnPositions:
        return self._dealt(self._chosen.begin(lane, seed), dice(lane, seed, CHANCE))

    def mover(self, state: DrawnPositions) -> Array:
        return self._chosen.mover(state.position)

    def legal_rows(self, state: DrawnPositions) -> Array:
        marks = column([move // self._slots + 1 for move in range(self.moves)], state.drawn)
        return self._chosen.legal_rows(state.position) & (marks == state.drawn)

    def observed(self, state: DrawnPositions, seat: Array) -> list[Array]:
        left = self._chosen.observed(state.position._replace(pool=self._left(state)), seat)
        return [*left, digits_of(state.drawn, self._digits)]

    def random_move(self, state: DrawnPositions, word: Array) -> Array:
        free = self._chosen.free_places(state.position).view(u8)
        at, _ = pick(fraction(word), total(free))
        return (state.drawn - ONE) * u8(self._slots) + nth(list(free), at)

    def _moved(self, state: DrawnPositions, ids: Array, again: bool) -> tuple[DrawnPositions, Array]:
        position, result = self._chosen._moved(state.position, ids, again)
        return self._dealt(position, state.dice.next()), result

    def held(self, state: DrawnPositions, waits: Array) -> DrawnPositions:
        dealt = self._dealt(state.position, state.dice)
        return dealt._replace(drawn=dealt.drawn & ~waits)

    def _dealt(self, position: Positions, rolled: Dice) -> DrawnPositions:
        """The games with the next digit drawn, unless they are over."""
        pool = self._chosen.pools.unpack(position.pool)
        at, _ = pick(fraction(rolled.word()), total(pool))
        running = mask(position.result == 0)
        return DrawnPositions(position, (nth(list(pool), at) + ONE) & running, rolled)

    def _left(self, state: DrawnPositions) -> Words:
        """The pools without the drawn digits."""
        pools = self._chosen.pools
        some = wide(mask(state.drawn != 0), pools.dtype)
        pairs = zip(state.position.pool, pools.one(state.drawn - ONE), strict=True)
        return tuple(pool - (one & some) for pool, one in pairs)

    def plain(self, state: DrawnPositions) -> list[Position]:
        marks = np.asarray(state.drawn).tolist()
        return [
            replace(whole, pool=take(whole.pool, digit), drawn=digit) if mark else whole
            for whole, mark in zip(self._chosen.plain(state.position), marks, strict=True)
            for digit in [self._digits[mark - 1]]
        ]

    def packed(self, states: Sequence[Position], seed: Seed, first: int) -> DrawnPositions:
        whole = [
            state
            if state.drawn is None
            else replace(state, pool=merge(state.pool, [state.drawn]), drawn=None)
            for state in states
        ]
        marks = [0 if state.drawn is None else self._digits.index(state.drawn) + 1 for state in states]
        start = self.start(len(states), seed, first)
        return start._replace(
            position=self._chosen.packed(whole, seed, first), drawn=self.xp.asarray(marks, u8)
        )
