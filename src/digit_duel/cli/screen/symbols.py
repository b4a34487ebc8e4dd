"""What a terminal can show: symbols with ASCII stand-ins, and colours that suit light and dark."""

from __future__ import annotations

from dataclasses import dataclass

# ANSI attributes; the eight basic colours follow the reader's own theme, light or dark.
BOLD, DIM, REVERSE = "1", "2", "7"
RED, GREEN, YELLOW, MAGENTA, CYAN = "31", "32", "33", "35", "36"
SEAT_COLOURS = (CYAN, MAGENTA)


@dataclass(frozen=True, slots=True)
class Symbols:
    """The few characters that go beyond ASCII."""

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
    """The symbols an encoding can carry: all, or none."""
    everything = "".join(getattr(UNICODE, name) for name in UNICODE.__slots__ if name != "copies") + "".join(
        UNICODE.copies
    )
    try:
        everything.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


@dataclass(frozen=True, slots=True)
class Style:
    """How to draw on this terminal."""

    symbols: Symbols = ASCII
    colour: bool = False

    def paint(self, text: str, *attributes: str) -> str:
        """The text in colour, where there is colour."""
        return f"\x1b[{';'.join(attributes)}m{text}\x1b[0m" if self.colour and attributes else text
