"""Symbols with their ASCII substitutes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Symbols:
    """The characters of boards and charts beyond letters and digits."""

    turn: str = "▸"
    taken: str = "·"
    full: str = "█"
    rest: str = "░"
    back: str = "▒"
    copies: tuple[str, ...] = ("", "", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹")


UNICODE = Symbols()
ASCII = Symbols(
    turn=">", taken=".", full="#", rest="-", back="#", copies=("", "", *(f"x{n}" for n in range(2, 10)))
)


def symbols_for(encoding: str | None) -> Symbols:
    """The Unicode symbols if the encoding has all of them, otherwise the ASCII ones."""
    every = "".join("".join(getattr(UNICODE, name)) for name in UNICODE.__slots__)
    try:
        every.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


@dataclass(frozen=True, slots=True)
class Style:
    """What a terminal can show."""

    symbols: Symbols = ASCII
    colour: bool = False  # a QR code needs black and white
