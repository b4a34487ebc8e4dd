"""The icons of the installed app, drawn on first request."""

from __future__ import annotations

from functools import lru_cache

from digit_duel.core.pictures.canvas import Canvas, Colour
from digit_duel.core.pictures.paths import stroke

ICONS = {"icon-192.png": (192, False), "icon-512.png": (512, False), "icon-maskable-512.png": (512, True)}
_RED: Colour = (168, 50, 26)
_IVORY: Colour = (255, 248, 236)
_PAPER: Colour = (244, 238, 226)
# Two digits chasing each other, as in logo.svg.
_MARK = (
    "M11 18a6 6 0 1 0 12 0a6 6 0 1 0-12 0M23 18c0 8-3 13-9 15"
    "M25 30a6 6 0 1 0 12 0a6 6 0 1 0-12 0M25 30c0-8 3-13 9-15"
)
_UNITS = 48


@lru_cache(maxsize=8)
def icon(name: str) -> bytes:
    """Draw one of ICONS as a PNG file; a maskable icon fills its square, with the mark in the safe zone."""
    size, maskable = ICONS[name]
    canvas = Canvas(size, size, _RED if maskable else _PAPER)
    part = 0.72 if maskable else 1.0
    scale = size / _UNITS * part
    if not maskable:
        edge = size // 24
        canvas.box(edge, edge, size - 2 * edge, size - 2 * edge, _RED, size * 11 // _UNITS)
    offset = round((size - _UNITS * scale) / 2)
    canvas.runs(stroke(_MARK, scale, 4.4 * scale), (offset, offset), _IVORY)
    return canvas.png()
