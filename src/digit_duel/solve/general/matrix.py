"""Zero-sum matrix games: exact values and optimal mixed strategies."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

Matrix = Sequence[Sequence[int | Fraction]]  # rows are the choices of the first seat, which maximises


class MatrixSolution(NamedTuple):
    """The value for the row player, and an optimal mixture for each side."""

    value: Fraction
    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]


def solve_matrix(matrix: Matrix) -> MatrixSolution:
    """The exact solution of a zero-sum matrix game, by the simplex method in fractions."""
    saddle = _saddle(matrix)
    return saddle if saddle is not None else _simplex(matrix)


def _saddle(matrix: Matrix) -> MatrixSolution | None:
    """A saddle point in pure strategies; None if there is none."""
    lows = [min(row) for row in matrix]
    highs = [max(column) for column in zip(*matrix, strict=True)]
    low, high = max(lows), min(highs)
    if low != high:
        return None
    return MatrixSolution(
        Fraction(low), _pure(lows.index(low), len(lows)), _pure(highs.index(high), len(highs))
    )


def _pure(at: int, length: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(int(i == at)) for i in range(length))


def _simplex(matrix: Matrix) -> MatrixSolution:
    """Maximise the sum of y under (matrix + shift) y <= 1: its inverse is the value, its dual the rows."""
    # All entries are made positive, so that the value is positive and the start (all slack) feasible.
    shift = 1 - min(min(row) for row in matrix)
    height, width = len(matrix), len(matrix[0])
    tableau = [
        [*(Fraction(entry) + shift for entry in row), *_pure(at, height), Fraction(1)]
        for at, row in enumerate(matrix)
    ]
    tableau.append([Fraction(-1)] * width + [Fraction(0)] * (height + 1))
    basis = [width + at for at in range(height)]
    # Bland's rule: the first improving column, and the lowest basic variable on ties. It never cycles.
    while (column := next((at for at, cost in enumerate(tableau[-1][:-1]) if cost < 0), None)) is not None:
        ratios = [
            (tableau[at][-1] / tableau[at][column], basis[at], at)
            for at in range(height)
            if tableau[at][column] > 0
        ]
        _pivot(tableau, min(ratios)[2], column)
        basis[min(ratios)[2]] = column
    total = tableau[-1][-1]
    weights = dict(zip(basis, (row[-1] for row in tableau[:-1]), strict=True))
    return MatrixSolution(
        value=1 / total - shift,
        rows=tuple(tableau[-1][width + at] / total for at in range(height)),
        columns=tuple(weights.get(at, Fraction(0)) / total for at in range(width)),
    )


def _pivot(tableau: list[list[Fraction]], row: int, column: int) -> None:
    pivot = tableau[row][column]
    tableau[row] = [entry / pivot for entry in tableau[row]]
    for at, other in enumerate(tableau):
        if at != row and (factor := other[column]):
            tableau[at] = [entry - factor * new for entry, new in zip(other, tableau[row], strict=True)]
