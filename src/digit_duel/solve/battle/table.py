"""The table of battle: the value of every state before sudden death, an array for each number of used digits.

A state is which digits are used and both players' life points; the number of used digits tells who moves.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from digit_duel.core.game import Seat
from digit_duel.games._battle import Battle, Fight
from digit_duel.solve.battle.sudden_death import sudden_value
from digit_duel.solve.effort import Progress
from digit_duel.solve.errors import TooBig
from digit_duel.solve.placing.pool_table import Pools
from digit_duel.solve.placing.pooled import with_one_more
from digit_duel.solve.value import Value

Keys: TypeAlias = NDArray[np.int64]

MEMORY_LIMIT = 1 << 30
BLOCK = 1_000_000  # cells solved at a time
HARDEST = 9  # the largest loss of life points by one attack


@dataclass(frozen=True)
class Lives:
    """The life points that can occur before sudden death, and the encoding of values as ordered integers."""

    game: Battle

    @cached_property
    def points(self) -> NDArray[np.int64]:
        """Every number of life points that an undefeated player can have."""
        start, reach = self.game.start().life, sum(self.game.pool)
        return np.arange(max(1, min(start) - reach), min(self.game.max_life, max(start) + reach) + 1)

    def index(self, points: NDArray[np.int64]) -> NDArray[np.int64]:
        """The table index of life points, clipped to the ends of the table."""
        return np.asarray(np.clip(points, self.points[0], self.points[-1]) - self.points[0])

    @cached_property
    def margins(self) -> int:
        """The number of margins, which is the distance between the keys of neighbouring distances."""
        return 2 * (int(self.points[-1]) + HARDEST) + 1

    @cached_property
    def distances(self) -> int:
        """The number of distances between two different results."""
        longest = len(self.game.pool) + sudden_value(self.game, int(self.points[-1])).distance
        return 2 * longest + 1

    def keys(self, score: Keys | int, margin: Keys, haste: Keys | int = 0) -> Keys:
        """Encode values as integers that compare as the values do."""
        return np.asarray((score * self.distances + haste) * self.margins + margin)

    def value(self, key: int) -> Value:
        """Decode a value from its integer."""
        rest, margin = _split(key, self.margins)
        score, haste = _split(rest, self.distances)
        return Value(score, haste, margin)

    def a_move_earlier(self, keys: Keys) -> Keys:
        """The same outcomes, as seen one move earlier."""
        # A draw is 0, a win for the first player is positive, one for the second negative.
        return np.asarray(keys - self.margins * np.sign(keys))


def _split(number: int, size: int) -> tuple[int, int]:
    rest = (number + size // 2) % size - size // 2
    return (number - rest) // size, rest


@dataclass(frozen=True)
class BattleTable:
    """The solved game: layers[used] has a square of life points for each selection of used digits."""

    game: Battle
    layers: tuple[Keys, ...]

    def value(self, state: Fight) -> Value:
        """The value for the first player of a state with digits left, or decided when the pool ran out."""
        left = Counter(state.pool)
        used = [copies - left[digit] for digit, copies in zip(self._digits, self._pools.copies, strict=True)]
        low = int(self._lives.points[0])
        at = (self._pools.number(used), state.life[0] - low, state.life[1] - low)
        return self._lives.value(int(self.layers[sum(used)][at]))

    @cached_property
    def _lives(self) -> Lives:
        return Lives(self.game)

    @cached_property
    def _digits(self) -> tuple[int, ...]:
        return tuple(sorted(set(self.game.pool)))

    @cached_property
    def _pools(self) -> Pools:
        return pools_of(self.game)


def pools_of(game: Battle) -> Pools:
    """The selections of used digits."""
    return Pools(tuple(game.pool.count(digit) for digit in sorted(set(game.pool))), len(game.pool))


def cells(game: Battle) -> int:
    """The number of cells in the table of a game."""
    pools = pools_of(game)
    return len(Lives(game).points) ** 2 * sum(pools.count(used) for used in range(len(game.pool) + 1))


def solve(game: Battle, progress: Progress | None = None, most_cells: int | None = None) -> BattleTable:
    """Solve a battle from every state; raises TooBig."""
    size = cells(game)
    if most_cells is not None and size > most_cells:
        raise TooBig(f"this game is too big to solve: its table has more than {most_cells:,} cells.")
    if size * 8 > MEMORY_LIMIT:
        need, limit = size * 8 >> 20, MEMORY_LIMIT >> 20
        raise TooBig(f"this game is too big to solve: it needs {need:,} MiB; {limit:,} MiB are allowed.")
    lives, pools = Lives(game), pools_of(game)
    layers = [_ends(lives)]
    for used in reversed(range(len(game.pool))):
        layers.append(_layer(lives, pools, used, layers[-1]))
        if progress:
            progress(sum(layer.size for layer in layers), size, "cells")
    return BattleTable(game, tuple(reversed(layers)))


def _ends(lives: Lives) -> Keys:
    """The values when all digits are used: more life points win, and equal ones lead to sudden death."""
    first, second = np.meshgrid(lives.points, lives.points, indexing="ij")
    keys = lives.keys(np.sign(first - second), first - second)
    for at, points in enumerate(lives.points):
        tied = sudden_value(lives.game, int(points))
        keys[at, at] = (int(tied.score) * lives.distances + tied.haste) * lives.margins
    return keys[np.newaxis]


def _layer(lives: Lives, pools: Pools, used: int, after: Keys) -> Keys:
    """The values of all states with `used` digits used, from those with one more."""
    mover = Seat(used % 2)
    best = np.maximum if mover is Seat.FIRST else np.minimum
    options = with_one_more(pools, used)
    side = len(lives.points)
    worst = np.iinfo(np.int64).min if mover is Seat.FIRST else np.iinfo(np.int64).max
    keys = np.full((pools.count(used), side, side), worst)
    digits = sorted(set(lives.game.pool))
    block = max(1, BLOCK // side**2)
    for start in range(0, len(keys), block):
        found = keys[start : start + block]
        for digit, option in zip(digits, options, strict=True):
            nexts = option[start : start + block]
            rows = np.flatnonzero(nexts < len(after))  # in the other rows all copies are used
            children = after[nexts[rows]]
            either = best(_attacked(lives, children, mover, digit), _defended(lives, children, mover, digit))
            found[rows] = best(found[rows], either)
    return lives.a_move_earlier(keys)


def _attacked(lives: Lives, children: Keys, mover: Seat, digit: int) -> Keys:
    """The values after an attack, by the life points before it."""
    target = 1 + mover.other
    left = lives.points - digit
    reached = children.take(lives.index(left), axis=target)
    first, second = np.meshgrid(
        left if mover is Seat.SECOND else lives.points,
        left if mover is Seat.FIRST else lives.points,
        indexing="ij",
    )
    won = lives.keys(1 if mover is Seat.FIRST else -1, first - second)
    return np.asarray(np.where((second if mover is Seat.FIRST else first) <= 0, won, reached))


def _defended(lives: Lives, children: Keys, mover: Seat, digit: int) -> Keys:
    """The values after a defence, by the life points before it."""
    return children.take(lives.index(np.minimum(lives.points + digit, lives.game.max_life)), axis=1 + mover)
