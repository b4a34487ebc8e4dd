"""The pool table: the exact margin of every state, from one cell per set of empty slots and remaining digits.

A placed digit adds a fixed amount to the margin. So what can still be gained depends only on the empty slots
and the digits left: the margin of a state is the settled part plus the open part, and all arrangements of the
same digits in the same slots share one cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from digit_duel.games._placement import Placement, Position
from digit_duel.solve.placing.slots import Slots, score


def cell_code(places: int) -> str:
    """The array type code of the smallest cell that holds twice any margin, which filling a table needs."""
    return "h" if places <= 4 else "i" if places <= 8 else "q"


@dataclass(frozen=True)
class Pools:
    """The multisets of digits ("selections") that can be taken from a pool, numbered within each size.

    A selection is a tuple with the number of copies of each digit; the numbering follows the tuples' order.
    """

    copies: tuple[int, ...]
    largest: int

    @cached_property
    def steps(self) -> list[list[list[int]]]:
        """How many selections, [from digit i on][of a size], hold [fewer than n] copies of digit i."""
        steps: list[list[list[int]]] = []
        ways = [1] + [0] * self.largest
        for copies in reversed(self.copies):
            rows = []
            for size in range(self.largest + 1):
                row = [0]
                for held in range(max(self.copies) + 1):
                    row.append(row[-1] + (ways[size - held] if held <= min(copies, size) else 0))
                rows.append(row)
            steps.insert(0, rows)
            ways = [row[-1] for row in rows]
        return steps

    def count(self, size: int) -> int:
        """How many selections of this size there are."""
        return self.steps[0][size][-1]

    def number(self, selection: Sequence[int]) -> int:
        """The index of this selection among those of its size."""
        size, number = sum(selection), 0
        for steps, held in zip(self.steps, selection, strict=True):
            number += steps[size][held]
            size -= held
        return number


@dataclass(frozen=True)
class PoolTable:
    """The solved game: from every state, the final margin under best play of both seats.

    layers[filled] holds the open part of the margin, mask by mask in the order of Slots.masks, and within a
    mask by the number of the selection in its filled slots.
    """

    game: Placement
    layers: tuple[memoryview, ...]

    def value(self, position: Position) -> int:
        """The margin for the first seat that best play leads to."""
        mask, digits = self.slots.placed(position)
        settled = self.slots.settled(mask, digits)
        if len(digits) == self.slots.count:
            return settled
        number = self.pools.number([digits.count(digit) for digit in self.slots.digits])
        row = self._rows[mask]
        opened: int = self.layers[len(digits)][row * self.pools.count(len(digits)) + number]
        return settled + opened

    def result(self, position: Position) -> int:
        """The result of best play for the first seat: 1 won, 0 drawn, -1 lost."""
        return score(self.game, self.value(position))

    @property
    def states(self) -> int:
        """The number of states that the table covers."""
        return self.slots.states

    @cached_property
    def slots(self) -> Slots:
        """The slots of the game."""
        return Slots(self.game)

    @cached_property
    def pools(self) -> Pools:
        """The selections of digits that filled slots can hold."""
        return Pools(self.slots.copies, self.slots.count)

    @cached_property
    def _rows(self) -> dict[int, int]:
        layers = (self.slots.masks(filled) for filled in range(self.slots.count))
        return {mask: row for masks in layers for row, mask in enumerate(masks)}
