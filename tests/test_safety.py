"""The page on safety lists every danger, with tests that are there or the reason why there are none."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "docs" / "safety.md").read_text(encoding="utf-8")
ROWS = {"A": 18, "B": 16, "C": 18, "D": 10, "E": 9, "F": 14, "G": 9, "H": 10, "I": 8}  # 112 in all
LISTED = dict(re.findall(r"^\| ([A-I]\d+) \|(.*)\|$", PAGE, re.MULTILINE))


def test_every_danger_has_a_row() -> None:
    assert list(LISTED) == [
        f"{table}{number}" for table, most in ROWS.items() for number in range(1, most + 1)
    ]


def test_every_row_names_tests_that_are_there_or_says_why_there_are_none() -> None:
    named = {row: re.findall(r"`([\w/]+\.py)`", text) for row, text in LISTED.items()}
    assert [row for row, files in named.items() if not files and "does not apply" not in LISTED[row]] == []
    assert {file for files in named.values() for file in files if not (TESTS / file).exists()} == set()
