"""Wrap text at words for a window of any width."""

from __future__ import annotations

import re
from collections.abc import Iterator

_WORD = re.compile(r" *[^ ]+")


def wrap_words(text: str, columns: int) -> str:
    """A text whose lines fit the window; a word that is longer than a line stays whole."""
    return "\n".join(part for line in text.split("\n") for part in _lines(line, columns))


def _lines(line: str, columns: int) -> Iterator[str]:
    """The parts of a line; continuation lines are indented like the first."""
    if len(line.rstrip(" ")) <= columns:
        yield line
        return
    margin = line[: len(line) - len(line.lstrip(" "))]
    if len(margin) > columns // 2:
        margin = ""
    part = ""
    for word in _WORD.findall(line):
        if part and len(part + word) > columns:
            yield part
            part = margin + word.lstrip(" ")
        else:
            part += word
    yield part + line[len(line.rstrip(" ")) :]
