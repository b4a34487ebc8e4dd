"""The page on safety keeps its word: every row is there, and the tests it names carry its number."""

from __future__ import annotations

import ast
import re
from functools import cache
from io import StringIO
from pathlib import Path
from tokenize import COMMENT, generate_tokens

import pytest

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "docs" / "safety.md").read_text(encoding="utf-8")
ROWS = {"A": 18, "B": 16, "C": 18, "D": 10, "E": 9, "F": 14, "G": 9, "H": 10, "I": 8}  # 112 in all
LISTED = dict(re.findall(r"^\| ([A-I]\d+) \|(.*)\|$", PAGE, re.MULTILINE))


def numbers(source: str) -> set[str]:
    """The rows that a module's tests name one by one: in its docstring, in theirs, in their comments.

    A range does not count, for it hides what is left out of it; nor does a module without tests.
    """
    module = ast.parse(source)
    tests = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef) and is_test(node)]
    if not tests:
        return set()
    lines = {line for test in tests for line in range(test.lineno, (test.end_lineno or 0) + 1)}
    said = [ast.get_docstring(module) or "", *(ast.get_docstring(test) or "" for test in tests)]
    said += [
        token.string
        for token in generate_tokens(StringIO(source).readline)
        if token.type == COMMENT and token.start[0] in lines
    ]
    alone = re.sub(r"\b[A-I]\d+ to [A-I]?\d+\b", "", "\n".join(said))
    return set(re.findall(r"\b[A-I]\d+\b", alone))


def is_test(node: ast.FunctionDef) -> bool:
    """Whether pytest runs it, or Hypothesis does as a rule of a state machine."""
    calls = [each.func for each in node.decorator_list if isinstance(each, ast.Call)]
    return node.name.startswith("test_") or any(isinstance(at, ast.Name) and at.id == "rule" for at in calls)


@cache
def carried(name: str) -> set[str]:
    """The rows that a file of tests carries."""
    return numbers((TESTS / name).read_text(encoding="utf-8"))


def test_every_danger_has_its_row() -> None:
    assert list(LISTED) == [
        f"{table}{number}" for table, most in ROWS.items() for number in range(1, most + 1)
    ]


@pytest.mark.parametrize("row", LISTED)
def test_a_row_names_tests_that_carry_its_number_or_says_why_there_are_none(row: str) -> None:
    named = re.findall(r"`([\w/]+\.py)`", LISTED[row])
    if not named:
        assert "does not apply" in LISTED[row]
    assert [name for name in named if row not in carried(name)] == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('"""All of it: A1, A2."""\ndef test_x(): pass', {"A1", "A2"}),
        ('def test_x():\n    """B3: so."""\n    assert y  # C4 too', {"B3", "C4"}),
        ('class Duel:\n    @rule(x=1)\n    def resend(self):\n        """A1."""', {"A1"}),
        ('"""F9 to F13, and A6."""\ndef test_x():\n    """C1 to C9: all."""', {"A6"}),
        ('"""A1."""\ndef helper():\n    """A2."""', set()),
        ('# A1\ndef test_x():\n    x("A2")\n\ndef helper():\n    """A3."""', set()),
        ('def test_x():\n    """A12, R8."""', {"A12"}),
    ],
)
def test_a_number_counts_where_a_test_carries_it_by_itself(source: str, found: set[str]) -> None:
    assert numbers(source) == found
