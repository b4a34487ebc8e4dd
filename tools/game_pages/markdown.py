"""Paragraphs, tables, percentages and lists as the pages write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from textwrap import fill

WIDTH = 124

Row = Sequence[object]


def paragraph(text: str) -> str:
    """A text wrapped to the width of the pages, but not inside code spans."""
    whole = re.sub(r"`[^`]*`", lambda span: span[0].replace(" ", "\0"), " ".join(text.split()))
    return fill(whole, WIDTH, break_long_words=False, break_on_hyphens=False).replace("\0", " ")


def table(head: Row, rows: Iterable[Row]) -> str:
    """A table; whole numbers get their commas."""
    lines = ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in (head, *rows)]
    lines.insert(1, "|" + "---|" * len(head))
    return "\n".join(lines)


def _cell(cell: object) -> str:
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def percent(part: int | Fraction, of: int = 1, places: int = 2) -> str:
    """A share in percent."""
    return f"{decimals(100 * Fraction(part) / of, places)}%"


def code(words: Iterable[str]) -> str:
    """Moves as code, one by one."""
    return ", ".join(f"`{word}`" for word in words)


def digit_list(digits: Sequence[int]) -> str:
    """Digits as text, with three or more in a row as a range."""
    parts = []
    for _, run in groupby(enumerate(digits), lambda pair: pair[1] - pair[0]):
        found = [digit for _, digit in run]
        parts += [f"{found[0]} to {found[-1]}"] if len(found) > 2 else [str(digit) for digit in found]
    return ", ".join(parts) or "none"


def decimals(value: Fraction, places: int, rounding: Callable[[Fraction], int] = round) -> str:
    """A fraction as a decimal number."""
    whole = rounding(value * 10**places)
    return f"{whole // 10**places}.{whole % 10**places:0{places}}"


def signed(margin: int) -> str:
    """A margin with its sign."""
    return f"{margin:+d}" if margin else "0"
