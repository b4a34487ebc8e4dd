"""A QR code as text."""

from __future__ import annotations

from collections.abc import Sequence

from digit_duel.cli.screen.symbols import ASCII, Style

_WHITE_ON_BLACK, _ORDINARY = "\x1b[97;40m", "\x1b[0m"
_BORDER = 2  # light modules around the code


def qr_code(rows: Sequence[str], style: Style) -> list[str]:
    """Lines of half blocks, light on dark in any theme; none if the terminal cannot show them."""
    if not style.colour or style.symbols == ASCII or not rows:
        return []
    width = len(rows[0]) + 2 * _BORDER
    blank = "0" * width
    framed = [blank] * _BORDER + [row.center(width, "0") for row in rows] + [blank] * (_BORDER + 1)
    blocks = {("0", "0"): "█", ("0", "1"): "▀", ("1", "0"): "▄", ("1", "1"): " "}
    pairs = zip(framed[::2], framed[1::2], strict=False)
    lines = ["".join(blocks.get(pair, " ") for pair in zip(*two, strict=False)) for two in pairs]
    return [f"  {_WHITE_ON_BLACK}{line}{_ORDINARY}" for line in lines]
