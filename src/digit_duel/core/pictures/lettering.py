"""Digits and capital letters as paths to stroke; the digits are those of the web page."""

from __future__ import annotations

import unicodedata

from digit_duel.core.pictures.canvas import Canvas, Colour
from digit_duel.core.pictures.paths import stroke

HIGH = 36  # units of height, of which the letters take 28
_GAP = 5.0  # units between two letters
_PEN = 3.4
_ROUND = "M12 4c5 0 9 5.5 9 14s-4 14-9 14-9-5.5-9-14 4-14 9-14Z"
OUTLINES = {
    "0": "M12 4c5 0 8 5.500 8 14s-3 14-8 14-8-5.500-8-14 3-14 8-14Z",
    "1": "M6.500 10 13.500 4v28",
    "2": (
        "M4.800 11.300C5 6.900 8.100 4 12.200 4c4.200 0 7.200 2.800 7.200 6.900 0"
        " 3-1.500 5.300-4.200 8.400L4.600 32H20"
    ),
    "3": (
        "M5 4h14l-8.500 11.500c5.600-.4 9.300 2.900 9.300 8 0 5-3.600 8.500-8.400"
        " 8.500-3.300 0-6-1.500-7.400-4.200"
    ),
    "4": "M13.500 4 4 24.500h16.500M16 16v16",
    "5": (
        "M18.500 4H7.300L6.200 16.800c1.600-1.300 3.600-2 5.900-2 4.600 0 7.800 3.400 7.800 8.500 0"
        " 5.200-3.500 8.700-8.300 8.700-3.100 0-5.700-1.300-7.200-3.700"
    ),
    "6": (
        "M15.500 4C9.500 9.200 4.400 16 4.400 23.800c0 4.900 3.200 8.200 7.700 8.200s7.700-3.300"
        " 7.700-8.100-3.200-8-7.500-8c-3.100 0-5.600 1.500-7 4.100"
    ),
    "7": "M4.500 4h15.300L9.800 32",
    "8": (
        "M12 16.800a6.400 6.400 0 1 0 0-12.800 6.400 6.400 0 0 0 0 12.800Zm0 0a7.600 7.600"
        " 0 1 0 0 15.200 7.600 7.600 0 0 0 0-15.200Z"
    ),
    "9": (
        "M8.500 32c6-5.200 11.100-12 11.100-19.800C19.600 7.300 16.400 4 11.900 4S4.200 7.300"
        " 4.200 12.100s3.200 8 7.500 8c3.100 0 5.600-1.500 7-4.100"
    ),
    "A": "M3 32 12 4l9 28M6.5 22.500h11",
    "B": "M5 18h8a7 7 0 0 1 0 14H5V4h7a7 7 0 0 1 0 14",
    "C": "M20 9c-1.5-3-4.5-5-8-5-5.5 0-9 5.5-9 14s3.5 14 9 14c3.5 0 6.5-2 8-5",
    "D": "M5 4v28h5c6.5 0 10.5-5.5 10.5-14S16.5 4 10 4H5",
    "E": "M19 4H5v28h14M5 18h11",
    "F": "M19 4H5v28M5 18h11",
    "G": "M20 9c-1.5-3-4.5-5-8-5-5.5 0-9 5.5-9 14s3.5 14 9 14 8.5-4.5 8.5-13H14",
    "H": "M5 4v28M19 4v28M5 18h14",
    "I": "M12 4v28",
    "J": "M17 4v19c0 6-2.5 9-6.5 9-3.5 0-6-2.2-6.5-6",
    "K": "M5 4v28M19 4 5 20M10.5 14.5 19.5 32",
    "L": "M5 4v28h14",
    "M": "M3 32V4l9 17 9-17v28",
    "N": "M4.5 32V4l15 28V4",
    "O": _ROUND,
    "P": "M5 32V4h8a7.5 7.5 0 0 1 0 15H5",
    "Q": f"{_ROUND}M14 25l7 8",
    "R": "M5 32V4h8a7.5 7.5 0 0 1 0 15H5M12.5 19 20 32",
    "S": "M19 9c-1-3-3.5-5-7-5-4 0-7 2.5-7 6.5 0 9 15 5.5 15 14.5 0 4-3 7-7.5 7-4 0-7-2-8.5-5.5",
    "T": "M3 4h18M12 4v28",
    "U": "M4.5 4v18c0 6 3 10 7.5 10s7.5-4 7.5-10V4",
    "V": "M3 4l9 28 9-28",
    "W": "M2 4l5 28 5-20 5 20 5-28",
    "X": "M4 4l16 28M20 4 4 32",
    "Y": "M3 4l9 15 9-15M12 19v13",
    "Z": "M4.5 4h15l-15 28h15",
    "-": "M7 18h10",
    "'": "M12 4v6",
    ".": "M12 32h.1",
    ",": "M12 31l-1.5 4",
    ":": "M12 13h.1M12 27h.1",
    "(": "M15 3c-6 8-6 22 0 30",
    ")": "M9 3c6 8 6 22 0 30",
    "/": "M19 4 5 32",
    "+": "M5 18h14M12 11v14",
    "=": "M5 14h14M5 22h14",
    "!": "M12 4v19M12 32h.1",
    "?": "M5 11c0-4 3-7 7-7s7 3 7 6.500c0 5-7 5.500-7 12M12 32h.1",
}


def capitals(text: str) -> str | None:
    """A text in capitals that can be drawn, or None if it has other characters."""
    plain = "".join(
        each for each in unicodedata.normalize("NFKD", text).upper() if not unicodedata.combining(each)
    )
    return plain if all(each == " " or each in OUTLINES for each in plain) else None


def width(text: str, high: float) -> int:
    """The width of a text at this height."""
    return round(high / HIGH * (len(text) * (24 + _GAP) - _GAP))


def write(canvas: Canvas, text: str, left: float, top: float, high: float, colour: Colour) -> None:
    """Write a text; its letters take 28/36 of the height."""
    scale = high / HIGH
    for at, each in enumerate(text):
        if path := OUTLINES.get(each):
            runs = stroke(path, scale, max(1.5, _PEN * scale))
            canvas.runs(runs, (round(left + at * scale * (24 + _GAP)), round(top)), colour)
