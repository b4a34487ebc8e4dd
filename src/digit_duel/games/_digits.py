"""Multisets of digits: pools, decks and discard piles, as sorted tuples."""

from __future__ import annotations

import re
from collections.abc import Iterable

from digit_duel.core.options import BadOption

Digits = tuple[int, ...]

MOST_COPIES = 9
_PART = re.compile(r"([0-9])(?:-([0-9]))?(?:x([1-9]))?", re.ASCII)


def take(pool: Digits, digit: int) -> Digits:
    """The pool without one copy of the digit."""
    at = pool.index(digit)
    return pool[:at] + pool[at + 1 :]


def distinct(pool: Digits) -> Digits:
    """The distinct digits of the pool."""
    return tuple(dict.fromkeys(pool))


def merge(pool: Digits, more: Iterable[int]) -> Digits:
    """The pool with more digits in it."""
    return tuple(sorted((*pool, *more)))


def a_digit(digit: int | None) -> str:
    """A digit with its article; None is a card that is not seen."""
    if digit is None:
        return "a card"
    return f"an {digit}" if digit == 8 else f"a {digit}"


def read_digits(text: str) -> Digits:
    """The pool that a text such as 1-9, 0-9x2 or 1,3,5x2 describes; raises BadOption."""
    found: list[int] = []
    for part in text.split(","):
        match = _PART.fullmatch(part)
        if match is None:
            raise BadOption("write digits like 1-9, 0-9x2 (two of each) or 1,3,5x2.")
        low, high, copies = int(match[1]), int(match[2] or match[1]), int(match[3] or 1)
        if low > high:
            raise BadOption(f"the range {part} runs backwards; write {high}-{low}.")
        found.extend(digit for digit in range(low, high + 1) for _ in range(copies))
    if any(found.count(digit) > MOST_COPIES for digit in found):
        raise BadOption(f"a pool can have at most {MOST_COPIES} copies of a digit.")
    return tuple(sorted(found))


def show_digits(pool: Digits) -> str:
    """The shortest text that read_digits turns back into this pool."""
    runs: list[list[int]] = []  # low, high, copies
    for digit in distinct(pool):
        copies = pool.count(digit)
        if runs and runs[-1][1] == digit - 1 and runs[-1][2] == copies:
            runs[-1][1] = digit
        else:
            runs.append([digit, digit, copies])
    return ",".join(
        f"{low}" + (f"-{high}" if high > low else "") + (f"x{copies}" if copies > 1 else "")
        for low, high, copies in runs
    )
