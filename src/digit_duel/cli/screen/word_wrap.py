"""Wrap text at words for a window of any width; colour codes take no room."""

from __future__ import annotations

import re
from collections.abc import Iterator

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_WORD = re.compile(r" *[^ ]+")


def wrap_words(text: str, columns: int) -> str:
    """A text whose lines fit the window; a word that is longer than a line stays whole."""
    return "\n".join(part for line in text.split("\n") for part in _lines(line, columns))


def _lines(line: str, columns: int) -> Iterator[str]:
    """The parts of a line; continuation lines are indented like the first."""
    if _width(line.rstrip(" ")) <= columns:
        yield line
        return
    margin = line[: len(line) - len(line.lstrip(" "))]
    if len(margin) > columns // 2:
        margin = ""
    part = ""
    for word in _WORD.findall(line):
        if part and _width(part + word) > columns:
            yield part
            part = margin + word.lstrip(" ")
        else:
            part += word
    yield part + line[len(line.rstrip(" ")) :]


def _width(text: str) -> int:
    return len(_COLOUR.sub("", text))
