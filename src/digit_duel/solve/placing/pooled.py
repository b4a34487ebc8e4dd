"""The pool solver: fills the pool table of any placing game."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from digit_duel.games._placement import Placement
from digit_duel.solve.effort import Progress
from digit_duel.solve.placing.packed import Cells
from digit_duel.solve.placing.pool_table import Pools, PoolTable, cell_code
from digit_duel.solve.placing.slots import MEMORY_LIMIT, Estimate, Slots

Numbers: TypeAlias = NDArray[np.int64]

BLOCK = 30_000  # cells solved at a time: enough to use NumPy well, few enough for the processor's cache
WORKSPACE = 64 << 20  # bytes for the interpreter, NumPy, and the options of one block


def fits(game: Placement, limit: int = MEMORY_LIMIT) -> Estimate:
    """Estimate the work of solving this game."""
    slots = Slots(game)
    pools = Pools(slots.copies, slots.count)
    cells = sum(slots.mask_count(filled) * pools.count(filled) for filled in range(slots.count))
    most = max(pools.count(filled) for filled in range(slots.count + 1))
    options = most * len(slots.digits) * 24  # a gather's indices, its values, and temporaries
    table = cells * np.dtype(cell_code(game.places)).itemsize
    return Estimate(slots.states, cells, table + options + WORKSPACE, limit)


def solve(game: Placement, progress: Progress | None = None, *, limit: int = MEMORY_LIMIT) -> PoolTable:
    """Solve a game from every state, reporting progress in states."""
    estimate = fits(game, limit).check()
    slots = Slots(game)
    pools = Pools(slots.copies, slots.count)
    done = slots.fillings(slots.count)  # with full boards nothing is open
    after = np.zeros((1, pools.count(slots.count)), cell_code(game.places))
    layers = []
    for filled in reversed(range(slots.count)):
        layer = np.empty((slots.mask_count(filled), pools.count(filled)), cell_code(game.places))
        masks, later = np.array(slots.masks(filled)), np.array(slots.masks(filled + 1))
        options = with_one_more(pools, filled)
        block = max(1, BLOCK // layer.shape[1])
        for start in range(0, len(masks), block):
            rows = slice(start, start + block)
            _take_best(slots, filled, masks[rows], layer[rows], later, after, options)
            done += len(masks[rows]) * slots.fillings(filled)
            if progress:
                progress(done, estimate.states)
        layers.append(layer.reshape(-1).data)
        after = layer
    return PoolTable(game, tuple(reversed(layers)))


def _take_best(
    slots: Slots, filled: int, masks: Numbers, cells: Cells, later: Numbers, after: Cells, options: Numbers
) -> None:
    """Fill the cells of some masks with the value of the mover's best option."""
    number = cells.dtype.type
    first_moves = filled % 2 == 0
    best = np.maximum if first_moves else np.minimum
    # Beyond any margin even after a digit is added: it stands for a digit that is used up.
    worst = number((-2 if first_moves else 2) * 10**slots.game.places)
    cells.fill(worst)
    for slot in slots.within_reach(filled):
        rows = np.flatnonzero(masks >> slot & 1 == 0)
        children = np.full((len(rows), after.shape[1] + 1), worst)
        children[:, :-1] = after[np.searchsorted(later, masks[rows] | 1 << slot)]
        found = cells[rows]
        for digit, option in zip(slots.digits, options, strict=True):
            best(found, children.take(option, axis=1) + number(slots.weights[slot] * digit), out=found)
        cells[rows] = found


def with_one_more(pools: Pools, filled: int) -> Numbers:
    """For each digit and each selection, the number of the selection with that digit too.

    Where the digit is used up it is one past the last number.
    """
    steps = np.array(pools.steps)
    selections = _selections(pools, steps, filled)
    options = np.full(selections.shape, pools.count(filled + 1))
    for digit, copies in enumerate(pools.copies):
        left = selections[digit] < copies
        more = selections[:, left]
        more[digit] += 1
        options[digit, left] = _numbers(steps, more, filled + 1)
    return options


def _numbers(steps: Numbers, selections: Numbers, size: int) -> Numbers:
    """The indices of these selections among those of their size."""
    numbers = np.zeros(selections.shape[1], np.int64)
    rest = np.full(selections.shape[1], size)
    for step, held in zip(steps, selections, strict=True):
        numbers += step[rest, held]
        rest -= held
    return numbers


def _selections(pools: Pools, steps: Numbers, size: int) -> Numbers:
    """Every selection of this size in order: a row of copies for each digit, a column for each selection."""
    numbers = np.arange(pools.count(size))
    rest = np.full(len(numbers), size)
    rows = []
    for step, copies in zip(steps, pools.copies, strict=True):
        held = np.zeros(len(numbers), np.int64)
        for more in range(1, copies + 1):
            held += (numbers >= step[rest, more]) & (rest >= more)
        numbers -= step[rest, held]
        rest -= held
        rows.append(held)
    return np.array(rows)
