"""A canvas of at most 256 colours with anti-aliased edges, written as PNG with the standard library alone."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from functools import lru_cache
from math import hypot
from struct import pack
from typing import TypeAlias

Colour: TypeAlias = tuple[int, int, int]
Run: TypeAlias = tuple[int, int, int, int]  # y, first x, end x, and coverage from 0 to FULL

FULL = 8  # the coverage of a pixel that lies wholly inside a shape
_MOST_COLOURS = 256


class Canvas:
    """A picture that is drawn from back to front."""

    def __init__(self, width: int, height: int, background: Colour) -> None:
        self.width, self.height = width, height
        self._palette: dict[Colour, int] = {background: 0}
        self._colours = [background]
        self._rows = [bytearray(width) for _ in range(height)]
        self._mixed: dict[tuple[int, Colour, int], int] = {}

    def _index(self, colour: Colour) -> int:
        """A colour's index in the palette; once that is full, the index of the nearest colour."""
        if (known := self._palette.get(colour)) is None:
            if len(self._colours) < _MOST_COLOURS:
                known = len(self._colours)
                self._colours.append(colour)
            else:
                known = min(range(_MOST_COLOURS), key=lambda at: _distance(self._colours[at], colour))
            self._palette[colour] = known
        return known

    def _blend(self, under: int, colour: Colour, level: int) -> int:
        key = (under, colour, level)
        if (known := self._mixed.get(key)) is None:
            below = self._colours[under]
            red, green, blue = (
                (b * (FULL - level) + c * level) // FULL for b, c in zip(below, colour, strict=True)
            )
            known = self._mixed[key] = self._index((red, green, blue))
        return known

    def runs(self, runs: Iterable[Run], at: tuple[int, int], colour: Colour) -> None:
        """Draw runs of pixels with equal coverage, clipped to the canvas."""
        left, top = at
        solid = bytes([self._index(colour)])
        for y, first, last, level in runs:
            y, first, last = y + top, max(0, first + left), min(self.width, last + left)
            if not 0 <= y < self.height or first >= last:
                continue
            row = self._rows[y]
            if level == FULL:
                row[first:last] = solid * (last - first)
            else:
                row[first:last] = bytes(self._blend(under, colour, level) for under in row[first:last])

    def box(self, left: int, top: int, width: int, height: int, colour: Colour, radius: int = 0) -> None:
        """Fill a box with rounded corners."""
        self.runs(_rounded(width, height, radius), (left, top), colour)

    @property
    def indexed(self) -> tuple[bytes, list[Colour]]:
        """The picture, row by row, as indices into a palette, and the palette."""
        return b"".join(self._rows), self._colours

    def png(self) -> bytes:
        """The picture as a PNG file."""
        header = pack(">IIBBBBB", self.width, self.height, 8, 3, 0, 0, 0)
        palette = b"".join(bytes(colour) for colour in self._colours)
        data = zlib.compress(b"".join(b"\0" + bytes(row) for row in self._rows), 6)
        chunks = [(b"IHDR", header), (b"PLTE", palette), (b"IDAT", data), (b"IEND", b"")]
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in chunks)


@lru_cache(maxsize=64)
def _rounded(width: int, height: int, radius: int) -> tuple[Run, ...]:
    """The runs of a box with rounded corners."""
    found: list[Run] = []
    for y in range(height):
        dy = max(radius - y - 0.5, y + 0.5 - (height - radius), 0.0)
        inset = radius if dy > 0 else 0
        levels = [_covered(radius - hypot(radius - step - 0.5, dy)) for step in range(inset)]
        clear = levels.index(FULL) if FULL in levels else inset
        found.append((y, clear, width - clear, FULL))
        for step, level in enumerate(levels[:clear]):
            if level:
                found += [(y, step, step + 1, level), (y, width - 1 - step, width - step, level)]
    return tuple(found)


def _covered(depth: float) -> int:
    """The coverage of a pixel, from how deep inside the box its centre lies."""
    return round(FULL * min(1.0, max(0.0, depth + 0.5)))


def _chunk(kind: bytes, body: bytes) -> bytes:
    return pack(">I", len(body)) + kind + body + pack(">I", zlib.crc32(kind + body))


def _distance(one: Colour, other: Colour) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))
