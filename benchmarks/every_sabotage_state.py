"""Agreement on every state of sabotage: the packed table, the shipped file, the dump of the plain C sweep."""

from __future__ import annotations

import sys
import time

import numpy as np
from numpy.typing import NDArray

from digit_duel.games.sabotage import VARIANT
from digit_duel.solve.library import placing_table
from digit_duel.solve.placing import packed
from digit_duel.solve.placing.pool_table import PoolTable
from digit_duel.solve.placing.slots import bits

SABOTAGE = VARIANT.game


def filling_numbers(table: PoolTable, filled: int) -> NDArray[np.int32]:
    """The number of every filling's selection, in the order of a cube's cells; -1 if the pool forbids it."""
    base = len(table.slots.digits)
    cells = np.arange(base**filled)
    counts = np.zeros((base, len(cells)), np.int8)
    for axis in range(filled):
        digit = cells // base**axis % base
        for index in range(base):
            counts[index] += digit == index
    allowed = np.all(counts <= np.array(table.slots.copies)[:, None], axis=0)
    steps = np.array(table.pools.steps)
    numbers = np.zeros(len(cells), np.int64)
    rest = np.full(len(cells), filled)
    for step, held in zip(steps, counts, strict=True):
        held = np.where(allowed, held, 0)
        numbers += step[np.where(allowed, rest, 0), held]
        rest -= held
    return np.where(allowed, numbers, -1).astype(np.int32)


def settled(table: PoolTable, mask: int) -> NDArray[np.int32]:
    """What the digits of every filling of a mask add to the margin."""
    sums = np.zeros(1, np.int32)
    for slot in bits(mask):
        worth = np.array(table.slots.digits, np.int32) * table.slots.weights[slot]
        sums = np.add.outer(sums, worth).ravel()
    return sums


def full_board_counts() -> NDArray[np.int8]:
    """How often each digit is in the last seven of eight slots, for every filling of these."""
    counts = np.zeros((10, 10**7), np.int8)
    for axis in range(7):
        digit = np.arange(10**7) // 10**axis % 10
        for index in range(10):
            counts[index] += digit == index
    return counts


def main() -> None:
    """Compare all three on every state of sabotage, and count states and differences."""
    table = placing_table(SABOTAGE)
    full = packed.solve(SABOTAGE)
    plain = np.fromfile(sys.argv[2], np.int16).reshape((11,) * 8) if len(sys.argv) > 2 else None
    states = shipped_differs = plain_differs = wins_differ = 0
    begin = time.perf_counter()
    for filled in range(table.slots.count + 1):
        if filled < table.slots.count:
            numbers = filling_numbers(table, filled)
            masks = table.slots.masks(filled)
            layer = np.asarray(table.layers[filled]).reshape(len(masks), -1)
            for row, mask in enumerate(masks):
                allowed = numbers >= 0
                ours = full.cubes[mask][allowed].astype(np.int32)
                shipped = settled(table, mask)[allowed] + layer[row][numbers[allowed]]
                states += len(ours)
                shipped_differs += int(np.count_nonzero(ours != shipped))
                wins_differ += int(np.count_nonzero((ours > 0) != (shipped > 0)))
                if plain is not None:
                    cube = plain[tuple(slice(1, None) if mask >> slot & 1 else 0 for slot in range(8))]
                    plain_differs += int(np.count_nonzero(ours != np.ravel(cube)[allowed]))
        elif plain is not None:  # both tables judge full boards by Slots.settled; C has sums of its own
            (mask,) = table.slots.masks(filled)
            sums = settled(table, mask).reshape(10, -1)
            tails = full_board_counts()
            for lead in range(10):
                counts = tails.copy()
                counts[lead] += 1
                allowed = counts.max(axis=0) <= 2
                states += int(np.count_nonzero(allowed))
                cube = plain[lead + 1][(slice(1, None),) * 7]
                plain_differs += int(np.count_nonzero(sums[lead][allowed] != np.ravel(cube)[allowed]))
    print(
        f"{states:,} states: packed and shipped margins differ on {shipped_differs}, "
        f"results on {wins_differ}; "
        f"packed and plain C on {plain_differs if plain is not None else 'not compared'}; "
        f"{time.perf_counter() - begin:.0f} s"
    )


if __name__ == "__main__":
    main()
