"""Matrix games: literal values, and optimality checked from both sides in exact fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digit_duel.solve.general.matrix import solve_matrix

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


@pytest.mark.parametrize(
    ("matrix", "value", "rows", "columns"),
    [
        ([[7]], 7, (1,), (1,)),
        ([[1, -1], [-1, 1]], 0, (HALF, HALF), (HALF, HALF)),
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, (THIRD,) * 3, (THIRD,) * 3),
        (
            [[2, -1], [-1, 1]],
            Fraction(1, 5),
            (Fraction(2, 5), Fraction(3, 5)),
            (Fraction(2, 5), Fraction(3, 5)),
        ),
        ([[3, 5], [1, 9]], 3, (1, 0), (1, 0)),
        ([[0, 0], [0, 0]], 0, (1, 0), (1, 0)),
    ],
)
def test_known_matrices_have_their_known_solutions(
    matrix: list[list[int]], value: Fraction, rows: tuple[Fraction, ...], columns: tuple[Fraction, ...]
) -> None:
    assert solve_matrix(matrix) == (value, rows, columns)


@given(
    st.integers(1, 5).flatmap(
        lambda w: st.lists(st.lists(st.integers(-3, 3), min_size=w, max_size=w), min_size=1, max_size=5)
    )
)
def test_neither_side_can_do_better_than_the_solution(matrix: list[list[int]]) -> None:
    solution = solve_matrix(matrix)
    assert sum(solution.rows) == sum(solution.columns) == 1
    assert min(solution.rows) >= 0
    assert min(solution.columns) >= 0
    for column in zip(*matrix, strict=True):
        assert sum(p * entry for p, entry in zip(solution.rows, column, strict=True)) >= solution.value
    for row in matrix:
        assert sum(q * entry for q, entry in zip(solution.columns, row, strict=True)) <= solution.value
