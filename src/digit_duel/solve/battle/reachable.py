"""Counts the reachable states of a battle."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from digit_duel.core.game import Seat
from digit_duel.games._battle import Battle
from digit_duel.solve.battle.sudden_death import sudden_states
from digit_duel.solve.battle.table import HARDEST, Lives, pools_of
from digit_duel.solve.placing.pooled import with_one_more

Flags: TypeAlias = NDArray[np.bool_]


def states(game: Battle) -> int:
    """The number of reachable states, including those of sudden death."""
    lives, pools = Lives(game), pools_of(game)
    # A defeated player has between 0 and minus the highest digit.
    low = min(int(lives.points[0]), 1) - HARDEST
    side = int(lives.points[-1]) - low + 1
    points = np.arange(low, low + side)
    standing = np.logical_and.outer(points > 0, points > 0)
    here = np.zeros((1, side, side), bool)
    here[0, game.start().life[0] - low, game.start().life[1] - low] = True
    total = 1
    for used in range(len(game.pool)):
        there = np.zeros((pools.count(used + 1) + 1, side, side), bool)  # the last row is for digits used up
        alive, mover = here & standing, Seat(used % 2)
        for digit, option in zip(sorted(set(game.pool)), with_one_more(pools, used), strict=True):
            there[option] |= np.roll(alive, -digit, axis=1 + mover.other)  # no entry wraps around
            there[option] |= _raised(alive, digit, axis=1 + mover)
        here = there[:-1]
        total += int(np.count_nonzero(here))
    ties = [int(life) for at, life in enumerate(points) if life > 0 and here[0, at, at]]
    return total - len(ties) + sudden_states(game, ties)


def _raised(alive: Flags, digit: int, axis: int) -> Flags:
    """Raise life points along an axis by a digit, but not beyond the limit."""
    before = np.moveaxis(alive, axis, 0)
    after = np.zeros_like(before)
    after[digit:] = before[:-digit]
    after[-1] |= before[-digit:].any(axis=0)
    return np.moveaxis(after, 0, axis)
