"""Sparse systems of linear equations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_ROUNDING = 1e-12


def solve_linear(
    shares: NDArray[np.float64], told: NDArray[np.float64], endless: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Solve x = shares @ x + told, for a stack of systems with the same sparsity pattern.

    An unknown that depends only on itself, because play never ends there, gets its value from `endless`.

    Unknowns that few rows use are eliminated first, so a long chain costs little; np.linalg.solve treats
    every system as dense and starts threads for it.
    """
    left, found = shares.copy(), told.copy()
    used = (left != 0).any(axis=0)
    for at in np.argsort(used.sum(axis=0), kind="stable"):
        again = left[:, at, at].copy()
        left[:, at, at] = 0
        ends = again < 1 - _ROUNDING
        scale = np.where(ends, 1 / np.where(ends, 1 - again, 1), 0)[:, np.newaxis]
        left[:, at] *= scale
        found[:, at] = np.where(ends[:, np.newaxis], found[:, at] * scale, endless)
        rows = np.flatnonzero((left[:, :, at] != 0).any(axis=0))
        columns = np.flatnonzero((left[:, at] != 0).any(axis=0))
        share = left[:, rows, at].copy()
        left[:, rows, at] = 0
        left[:, rows[:, np.newaxis], columns] += share[:, :, np.newaxis] * left[:, at, columns][:, np.newaxis]
        found[:, rows] += share[:, :, np.newaxis] * found[:, at][:, np.newaxis]
    return found
