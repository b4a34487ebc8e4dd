"""Checks that the packed table, the shipped file and a plain C sweep agree on every state of sabotage."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from digit_duel.games._placement import Placement
from digit_duel.games.sabotage import VARIANT
from digit_duel.solve.placing import packed
from digit_duel.solve.placing.packed import PackedTable
from digit_duel.solve.placing.pool_table import PoolTable
from digit_duel.solve.placing.slots import bits
from digit_duel.solve.placing.solver import placing_table

HERE = Path(__file__).parent
SABOTAGE = VARIANT.game_as(Placement)


def filling_numbers(table: PoolTable, filled: int) -> NDArray[np.int32]:
    """The selection number of every filling, in the order of a cube's cells; -1 if the pool forbids it."""
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
    """The part of the margin that the digits of every filling of a mask contribute."""
    sums = np.zeros(1, np.int32)
    for slot in bits(mask):
        worth = np.array(table.slots.digits, np.int32) * table.slots.weights[slot]
        sums = np.add.outer(sums, worth).ravel()
    return sums


def full_board_counts() -> NDArray[np.int8]:
    """The count of each digit in the last seven of eight slots, for every filling of them."""
    counts = np.zeros((10, 10**7), np.int8)
    for axis in range(7):
        digit = np.arange(10**7) // 10**axis % 10
        for index in range(10):
            counts[index] += digit == index
    return counts


@dataclass
class Differences:
    """The number of states compared, and of those on which the solvers differ."""

    states: int = 0
    shipped: int = 0
    results: int = 0
    plain: int = 0

    def __bool__(self) -> bool:
        return bool(self.shipped or self.results or self.plain)


def plain_sweep(folder: Path) -> NDArray[np.int16]:
    """Compile and run the C sweep, and memory-map its output: a cube of all states, empty slots at 0."""
    binary, dump = folder / "plain_sweep", folder / "margins"
    subprocess.run(["cc", "-O2", str(HERE / "plain_sweep.c"), "-o", str(binary)], check=True)
    subprocess.run([str(binary), str(dump)], check=True, stdout=subprocess.DEVNULL)
    return np.memmap(dump, np.int16, "r", shape=(11,) * 8)


def compared(shipped: PoolTable, ours: PackedTable, plain: NDArray[np.int16]) -> Differences:
    """Compare all three on every state."""
    found = Differences()
    slots = shipped.slots
    for filled in range(slots.count):
        numbers = filling_numbers(shipped, filled)
        allowed = numbers >= 0
        masks = slots.masks(filled)
        layer = np.asarray(shipped.layers[filled]).reshape(len(masks), -1)
        for row, mask in enumerate(masks):
            margins = ours.cubes[mask][allowed].astype(np.int32)
            pooled = settled(shipped, mask)[allowed] + layer[row][numbers[allowed]]
            cube = plain[tuple(slice(1, None) if mask >> slot & 1 else 0 for slot in range(slots.count))]
            found.states += len(margins)
            found.shipped += int(np.count_nonzero(margins != pooled))
            found.results += int(np.count_nonzero((margins > 0) != (pooled > 0)))
            found.plain += int(np.count_nonzero(margins != np.ravel(cube)[allowed]))
    # Both tables evaluate full boards by Slots.settled; the C sweep computes its own sums.
    (mask,) = slots.masks(slots.count)
    sums = settled(shipped, mask).reshape(10, -1)
    tails = full_board_counts()
    for lead in range(10):
        tails[lead] += 1
        allowed = tails.max(axis=0) <= 2
        tails[lead] -= 1
        cube = plain[lead + 1][(slice(1, None),) * 7]
        found.states += int(np.count_nonzero(allowed))
        found.plain += int(np.count_nonzero(sums[lead][allowed] != np.ravel(cube)[allowed]))
    return found


def main() -> int:
    """Compare and print the result; the exit code tells whether all agree."""
    begin = time.perf_counter()
    shipped = placing_table(SABOTAGE)
    ours = packed.solve(SABOTAGE)
    with TemporaryDirectory() as folder:
        found = compared(shipped, ours, plain_sweep(Path(folder)))
    missing = found.states != ours.states
    print(
        f"sabotage, {found.states:,} of {ours.states:,} states compared: packed and shipped margins "
        f"differ on {found.shipped}, results on {found.results}, "
        f"packed and plain C margins on {found.plain}; {time.perf_counter() - begin:.0f} s; "
        f"goal no difference: {'MISSED' if found or missing else 'reached'}"
    )
    return int(bool(found) or missing)


if __name__ == "__main__":
    sys.exit(main())
