"""The link for a friend, as text and as a QR code where there is room."""

from __future__ import annotations

from collections.abc import Sequence

from digit_duel.cli.app.drawing.canvas import BOLD, DIM, Canvas, Ink, width_of
from digit_duel.cli.app.drawing.pages import draw_foot, draw_title

_BORDER = 2  # light modules around the code
_HALVES = {"00": " ", "10": "▀", "01": "▄", "11": "█"}


def draw_invitation(canvas: Canvas, title: str, link: str, qr: Sequence[str], headline: str) -> None:
    """Draw the link to send to a friend, and whom the game is waiting for."""
    draw_title(canvas, title)
    draw_foot(canvas, f"{'c copy link   ' if link else ''}r rules   q leave; the server keeps the game")
    y = 2
    if link:
        canvas.centred(y, "Send this link to a friend:", DIM)
        y += 2
        # A link that needs two lines fills the first, so that terminals still recognise it as one.
        for start in range(0, width_of(link), canvas.width):
            canvas.put(0, y, link[start : start + canvas.width], BOLD)
            y += 1
    code = _code(qr)
    if code and y + 3 + len(code) < canvas.height:
        for at, line in enumerate(code):
            canvas.centred(y + 1 + at, line, Ink("on_tile", "tile"))
        y += len(code) + 1
    canvas.centred(min(y + 1, canvas.height - 3), headline or "Waiting …")


def _code(rows: Sequence[str]) -> list[str]:
    """Lines of half blocks, dark on light."""
    if not rows:
        return []
    width = len(rows[0]) + 2 * _BORDER
    blank = "0" * width
    framed = [blank] * _BORDER + [row.center(width, "0") for row in rows] + [blank] * (_BORDER + 1)
    pairs = zip(framed[::2], framed[1::2], strict=False)
    return ["".join(_HALVES[a + b] for a, b in zip(*two, strict=True)) for two in pairs]
