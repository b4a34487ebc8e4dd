"""Symbols with their ASCII substitutes, and colours that follow a light or dark theme."""

from __future__ import annotations

from dataclasses import dataclass

# ANSI attributes; terminals map the eight basic colours to the reader's theme.
BOLD, DIM, REVERSE = "1", "2", "7"
RED, GREEN, YELLOW, MAGENTA, CYAN = "31", "32", "33", "35", "36"
SEAT_COLOURS = (CYAN, MAGENTA)


@dataclass(frozen=True, slots=True)
class Symbols:
    """The characters of a picture beyond letters and digits."""

    turn: str = "▸"
    taken: str = "·"
    full: str = "█"
    rest: str = "░"
    heart: str = "♥"
    back: str = "▒"
    top: str = "┌─┐"
    side: str = "│"
    bottom: str = "└─┘"
    copies: tuple[str, ...] = ("", "", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹")


UNICODE = Symbols()
ASCII = Symbols(
    turn=">", taken=".", full="#", rest="-", heart="life", back="#",
    top="+-+", side="|", bottom="+-+",
    copies=("", "", *(f"x{n}" for n in range(2, 10))),
)  # fmt: skip


def symbols_for(encoding: str | None) -> Symbols:
    """The Unicode symbols if the encoding has all of them, else the ASCII ones."""
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
    colour: bool = False

    def paint(self, text: str, *attributes: str) -> str:
        """The text with ANSI attributes, if colour is on."""
        return f"\x1b[{';'.join(attributes)}m{text}\x1b[0m" if self.colour and attributes else text
