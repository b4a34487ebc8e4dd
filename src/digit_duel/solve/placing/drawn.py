"""Placing games whose digits are drawn: the exact expected result of every state, in whole numbers.

With drawn digits the probability of winning counts, not the margin, so values do not add up as in the pool
table and every filling needs its own cell. Cells are integers: the expected result times the number of ways
in which the remaining digits can be drawn, one copy after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from math import prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from digit_duel.games._placement import Placement, Position, Tie
from digit_duel.solve.effort import Progress
from digit_duel.solve.errors import TooBig
from digit_duel.solve.placing.slots import MEMORY_LIMIT, Estimate, Slots, bits, score
from digit_duel.solve.value import Score, Value

Counts: TypeAlias = NDArray[np.signedinteger[Any]]

WORKSPACE = 128 << 20  # bytes for the interpreter, NumPy, and temporary arrays for one mask's cells


@dataclass(frozen=True)
class DrawnTable:
    """The solved game: the cells of every mask, with an axis for each filled slot."""

    game: Placement
    cubes: dict[int, Counts]

    def value(self, state: Position) -> Value:
        """The value of a state for the first seat under best play."""
        mask, digits = self.slots.placed(state)
        filled = len(digits)
        if filled == self.slots.count:
            apart = self.slots.settled(mask, digits)
            return Value(score(self.game, apart), 0, apart - self.game.bonus)
        if state.drawn is None:
            worth = Fraction(self._cell(mask, digits), self._ways(filled))
        else:
            found = [self._placed(mask, digits, slot, state.drawn) for slot in self.slots.open_to_mover(mask)]
            worth = (max if filled % 2 == 0 else min)(found)
        exact: Score = int(worth) if worth.denominator == 1 else worth
        left = 2 * (self.slots.count - filled) - (state.drawn is not None)
        return Value(exact, -int(exact) * left if exact in (1, -1) else 0)

    @cached_property
    def slots(self) -> Slots:
        """The slots of the game."""
        return Slots(self.game)

    def _placed(self, mask: int, digits: list[int], slot: int, digit: int) -> Fraction:
        """The expected result for the first seat after a drawn digit is placed."""
        rank = (mask & (1 << slot) - 1).bit_count()
        more = [*digits[:rank], digit, *digits[rank:]]
        if len(more) == self.slots.count:
            return Fraction(score(self.game, self.slots.settled(mask | 1 << slot, more)))
        return Fraction(self._cell(mask | 1 << slot, more), self._ways(len(more)))

    def _cell(self, mask: int, digits: list[int]) -> int:
        return int(self.cubes[mask][tuple(self.slots.digits.index(digit) for digit in digits)])

    def _ways(self, filled: int) -> int:
        return ways(self.game, filled)


def ways(game: Placement, filled: int) -> int:
    """The number of ways to draw the remaining digits, counting copies separately."""
    return prod(len(game.pool) - placed for placed in range(filled, 2 * game.places))


def fits(game: Placement, limit: int = MEMORY_LIMIT) -> Estimate:
    """Estimate the work of solving this game; raises TooBig if its counts overflow 64-bit integers."""
    if ways(game, 0) > np.iinfo(np.int64).max:
        raise TooBig("this game is too big to solve: there are too many ways to draw its digits.")
    slots = Slots(game)
    sizes = [slots.mask_count(filled) * len(slots.digits) ** filled for filled in range(slots.count)]
    table = sum(size * _type(game, filled).itemsize for filled, size in enumerate(sizes))
    scratch = 16 * len(slots.digits) ** (slots.count - 1)
    return Estimate(slots.states, sum(sizes), table + scratch + WORKSPACE, limit)


def solve(
    game: Placement,
    progress: Progress | None = None,
    *,
    most_cells: int | None = None,
    limit: int = MEMORY_LIMIT,
) -> DrawnTable:
    """Solve a game from every state; reports progress in states, and raises TooBig."""
    estimate = fits(game, limit).check()
    if most_cells is not None and estimate.cells > most_cells:
        raise TooBig(f"this game is too big to solve: its table has more than {most_cells:,} cells.")
    slots = Slots(game)
    cubes: dict[int, Counts] = {}
    done = slots.fillings(slots.count)
    for filled in reversed(range(slots.count)):
        left = _copies_left(slots, filled)
        best = np.maximum if filled % 2 == 0 else np.minimum
        for mask in slots.masks(filled):
            cells = np.zeros((len(slots.digits),) * filled, _type(game, filled))
            for digit, copies in enumerate(left):
                found: Counts = reduce(best, _options(slots, cubes, mask, digit))
                cells += copies * found.astype(cells.dtype, copy=False)
            cubes[mask] = cells
            done += slots.fillings(filled)
            if progress:
                progress(done, estimate.states)
    return DrawnTable(game, cubes)


def _type(game: Placement, filled: int) -> np.dtype[np.signedinteger[Any]]:
    """The smallest integer type that holds the counts of a layer."""
    return np.min_scalar_type(-ways(game, filled))


def _copies_left(slots: Slots, filled: int) -> list[Counts]:
    """For each digit, how many copies are left to be drawn after each filling."""
    base = len(slots.digits)
    left = []
    for at, digit in enumerate(slots.digits):
        copies = np.full((base,) * filled, slots.game.pool.count(digit), np.int8)
        for axis in range(filled):
            used = (np.arange(base) == at).astype(np.int8)
            copies -= used.reshape([-1 if other == axis else 1 for other in range(filled)])
        left.append(np.maximum(copies, 0))
    return left


def _options(slots: Slots, cubes: dict[int, Counts], mask: int, digit: int) -> Iterator[Counts]:
    """For each slot that the mover may fill, the counts after placing the digit there."""
    for slot in slots.open_to_mover(mask):
        if mask.bit_count() == slots.count - 1:
            yield _results(slots, mask, slots.weights[slot] * slots.digits[digit])
        else:
            rank = (mask & (1 << slot) - 1).bit_count()
            yield np.asarray(cubes[mask | 1 << slot].take(digit, axis=rank))


def _results(slots: Slots, mask: int, last: int) -> Counts:
    """The final results, after what the last digit adds to the margin."""
    base, filled = len(slots.digits), mask.bit_count()
    margins = np.full((base,) * filled, last - slots.game.bonus, np.int32)
    for axis, slot in enumerate(bits(mask)):
        worth = np.array(slots.digits, np.int32) * slots.weights[slot]
        margins += worth.reshape([-1 if other == axis else 1 for other in range(filled)])
    match slots.game.tie:
        case Tie.FIRST:
            margins = 2 * margins + 1
        case Tie.SECOND:
            margins = 2 * margins - 1
    return np.sign(margins).astype(np.int8)
