"""The packed solver: the exact margin of every state of a placing game, one array cell per filling."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from digit_duel.games._placement import Placement, Position
from digit_duel.solve.effort import Progress
from digit_duel.solve.placing.slots import MEMORY_LIMIT, Estimate, Slots, bits, score

Cells: TypeAlias = NDArray[np.signedinteger[Any]]
Prefix: TypeAlias = tuple[int, ...]

BLOCK = 100_000  # cells swept at a time, so that a block and its options stay in the processor's cache
WORKSPACE = 96 << 20  # bytes for the interpreter, NumPy, and what the sweep needs besides the table


@dataclass(frozen=True)
class PackedTable:
    """The solved game: from every state, the final margin under best play of both seats."""

    game: Placement
    states: int
    cubes: dict[int, Cells]

    def value(self, position: Position) -> int:
        """The margin for the first seat that best play leads to."""
        mask, digits = self.slots.placed(position)
        if len(digits) == self.slots.count:
            return self.slots.settled(mask, digits)
        cell = 0
        for digit in digits:
            cell = cell * len(self.slots.digits) + self.slots.digits.index(digit)
        return int(self.cubes[mask][cell])

    def result(self, position: Position) -> int:
        """The result of best play for the first seat: 1 won, 0 drawn, -1 lost."""
        return score(self.game, self.value(position))

    @cached_property
    def slots(self) -> Slots:
        """The slots of the game."""
        return Slots(self.game)


def fits(game: Placement, limit: int = MEMORY_LIMIT) -> Estimate:
    """Estimate the work of solving this game."""
    slots = Slots(game)
    base = len(slots.digits)
    cells = sum(slots.mask_count(filled) * base**filled for filled in range(slots.count))
    return Estimate(slots.states, cells, cells * _cell_type(game).itemsize + WORKSPACE, limit)


def solve(
    game: Placement,
    progress: Progress | None = None,
    *,
    limit: int = MEMORY_LIMIT,
    threads: int | None = None,
) -> PackedTable:
    """Solve a game from every state, reporting progress in states."""
    estimate = fits(game, limit).check()
    sweep = _Sweep(Slots(game))
    done = 0
    with ThreadPoolExecutor(threads or min(4, os.cpu_count() or 1)) as workers:
        try:
            for filled in reversed(range(sweep.slots.count)):
                layer = _Layer(sweep, filled)
                for states in workers.map(layer.sweep_block, layer.prefixes()):
                    done += states
                    if progress:
                        progress(done, estimate.states)
                if layer.is_last:
                    # Full boards have no cells: their results were used when solving the last move.
                    done += sweep.slots.fillings(sweep.slots.count)
        except BaseException:
            workers.shutdown(cancel_futures=True)  # so that an interrupted solve need not finish its layer
            raise
    return PackedTable(game, done, sweep.cubes)


def _cell_type(game: Placement) -> np.dtype[np.signedinteger[Any]]:
    # The ends of the type's range are never margins; they mark fillings that the pool does not allow.
    return np.dtype(np.int16) if 10**game.places < np.iinfo(np.int16).max else np.dtype(np.int32)


class _Sweep:
    """A table while it is being filled.

    The cube of a mask has one axis for each filled slot, in slot order, and one cell for each filling. A move
    fills one more slot, so the options of a whole cube are slices, along one axis, of cubes with one slot
    more.
    """

    def __init__(self, slots: Slots) -> None:
        self.slots = slots
        self.base = len(slots.digits)
        self.type = _cell_type(slots.game)
        self.low, self.high = int(np.iinfo(self.type).min), int(np.iinfo(self.type).max)
        self.cubes: dict[int, Cells] = {}


class _Layer:
    """All masks with the same number of filled slots, swept block by block.

    A block is the part of the cubes for one prefix of digits; the digits after the prefix are the tail.
    """

    def __init__(self, sweep: _Sweep, filled: int) -> None:
        self.sweep = sweep
        self.slots = sweep.slots
        self.filled = filled
        self.masks = sweep.slots.masks(filled)
        self.first_moves = filled % 2 == 0
        self.best = np.maximum if self.first_moves else np.minimum
        self.tail = min(filled, 1)
        while self.tail < filled and sweep.base ** (self.tail + 1) <= BLOCK:
            self.tail += 1
        self.excess = _Excess(sweep, self.tail)
        self.size = sweep.base**self.tail
        self.is_last = filled == self.slots.count - 1
        self.sums = {mask: self._tail_sums(mask) for mask in self.masks} if self.is_last else {}
        for mask in self.masks:
            sweep.cubes[mask] = np.empty(sweep.base**filled, sweep.type)

    def prefixes(self) -> Iterator[Prefix]:
        """Every block, as the digits that its fillings begin with, which are indices into Slots.digits."""
        return product(range(self.sweep.base), repeat=self.filled - self.tail)

    def sweep_block(self, prefix: Prefix) -> int:
        """Solve one block of every mask; returns the number of its states."""
        start = 0
        for digit in prefix:
            start = start * self.sweep.base + digit
        start *= self.size
        barred = self.excess.barred(prefix)
        # The other seat chose this filling, so an impossible one must look worst to that seat.
        marks = barred if self.first_moves else ~barred
        for mask in self.masks:
            cells = self.sweep.cubes[mask][start : start + self.size]
            cells.fill(self.sweep.low if self.first_moves else self.sweep.high)
            if self.is_last:
                self._judge(cells, mask, prefix)
            else:
                for slot in self.slots.open_to_mover(mask):
                    self._fold(cells, mask, slot, start)
            self.best(cells, marks, out=cells)
        return len(self.masks) * int(np.count_nonzero(barred == self.sweep.low))

    def _fold(self, cells: Cells, mask: int, slot: int, start: int) -> None:
        """Improve a block's cells by the values of all moves that fill this slot."""
        base = self.sweep.base
        child = self.sweep.cubes[mask | 1 << slot]
        inner = base ** (mask >> slot).bit_count()
        if inner >= self.size:
            row, column = divmod(start, inner)
            options = child.reshape(-1, base, inner)[row, :, column : column + self.size]
        else:
            block = child[start * base : (start + self.size) * base]
            options = block.reshape(-1, base, inner).swapaxes(0, 1)
            cells = cells.reshape(-1, inner)
        for option in options:
            self.best(cells, option, out=cells)

    def _judge(self, cells: Cells, mask: int, prefix: Prefix) -> None:
        """Improve a block's cells by the margins that the last digit can make."""
        # The second seat always makes the last move, and minimises the margin.
        (slot,) = self.slots.open_to_mover(mask)
        sums = self.sums[mask]
        lead = (self.slots.digits[digit] for digit in prefix)
        settled = sum(
            self.slots.weights[filled] * digit for digit, filled in zip(lead, bits(mask), strict=False)
        )
        margins = np.empty_like(cells)
        for index, digit in enumerate(self.slots.digits):
            if (used_up := self.excess.used_up(prefix, index)) is not None:
                worth = self.sweep.type.type(settled + self.slots.weights[slot] * digit)
                np.add(sums, worth, out=margins)
                np.maximum(margins, used_up, out=margins)
                np.minimum(cells, margins, out=cells)

    def _tail_sums(self, mask: int) -> Cells:
        """What each tail adds to the margin."""
        digits = np.array(self.slots.digits, self.sweep.type)
        sums = np.zeros(1, self.sweep.type)
        for slot in list(bits(mask))[self.filled - self.tail :]:
            sums = np.add.outer(sums, digits * self.sweep.type.type(self.slots.weights[slot])).ravel()
        return sums


class _Excess:
    """Which fillings of a block need more copies of a digit than the pool has: high values among low ones."""

    def __init__(self, sweep: _Sweep, tail: int) -> None:
        self.copies = sweep.slots.copies
        self.tail = tail
        counts = [np.zeros(1, np.int8) for _ in self.copies]
        for _ in range(tail):
            for digit, count in enumerate(counts):
                one_more = np.arange(sweep.base) == digit
                counts[digit] = np.add.outer(count, one_more.astype(np.int8)).ravel()
        low, high = sweep.type.type(sweep.low), sweep.type.type(sweep.high)
        # over[digit][n] marks the tails with more than n copies of the digit.
        self.over: list[list[Cells]] = [
            [np.where(count > n, high, low) for n in range(min(copies, tail) + 1)]
            for count, copies in zip(counts, self.copies, strict=True)
        ]
        self.everything = np.full(sweep.base**tail, sweep.high, sweep.type)
        self.alone = self._any(dict(enumerate(self.copies)))

    def barred(self, prefix: Prefix) -> Cells:
        """Mark the fillings that the pool does not allow."""
        left = {digit: self.copies[digit] - prefix.count(digit) for digit in prefix}
        if any(copies < 0 for copies in left.values()):
            return self.everything
        # A digit that is not in the prefix can only be in excess within the tail.
        return np.maximum(self.alone, self._any(left)) if left else self.alone

    def used_up(self, prefix: Prefix, digit: int) -> Cells | None:
        """Mark the fillings that leave no copy of this digit; None if no filling leaves one."""
        left = self.copies[digit] - prefix.count(digit)
        return self._more_than(digit, left - 1) if left > 0 else None

    def _any(self, most: dict[int, int]) -> Cells:
        marks = [self._more_than(digit, copies) for digit, copies in most.items()]
        return reduce(np.maximum, marks)

    def _more_than(self, digit: int, copies: int) -> Cells:
        return self.over[digit][min(copies, self.tail)]
