"""The page on safety keeps its word: every row is there, and the tests it names carry its number."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "docs" / "safety.md").read_text(encoding="utf-8")
ROWS = {"A": 18, "B": 16, "C": 18, "D": 10, "E": 9, "F": 14, "G": 9, "H": 10, "I": 8}  # 112 in all
LISTED = dict(re.findall(r"^\| ([A-I]\d+) \|(.*)\|$", PAGE, re.MULTILINE))


def test_every_danger_has_its_row() -> None:
    assert list(LISTED) == [
        f"{table}{number}" for table, most in ROWS.items() for number in range(1, most + 1)
    ]


@pytest.mark.parametrize("row", LISTED)
def test_a_row_names_tests_that_carry_its_number_or_says_why_there_are_none(row: str) -> None:
    named = re.findall(r"`([\w/]+\.py)`", LISTED[row])
    if not named:
        assert "does not apply" in LISTED[row]
    for name in named:
        assert re.search(rf"\b{row}\b", (TESTS / name).read_text(encoding="utf-8")), name
