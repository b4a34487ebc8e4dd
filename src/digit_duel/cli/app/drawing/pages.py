"""Lists and long texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from digit_duel.cli.app.drawing.canvas import DIM, Canvas, Ink, clipped, shortened, width_of, with_short_names

_WIDEST = 96  # columns of a row, so that its right-hand text stays close to its left-hand text


def draw_title(canvas: Canvas, title: str, beside: str = "") -> None:
    """The bar at the top, with the back arrow."""
    bar = Ink("text", "felt", bold=True)
    canvas.fill(0, 0, canvas.width, 1, bar)
    shown = shortened(f"← {title}", canvas.width - 2)
    canvas.key("q", 0, 0, canvas.put(1, 0, shown, bar))
    if beside and width_of(beside) + width_of(title) + 6 < canvas.width:
        canvas.put(canvas.width - width_of(beside) - 1, 0, beside, Ink("dim", "felt"))


def draw_foot(canvas: Canvas, text: str) -> None:
    """The keys, in the last line."""
    canvas.keys(1, canvas.height - 1, text, canvas.width)


def draw_lines(canvas: Canvas, lines: Sequence[str], offset: int, top: int = 2, margin: int = 2) -> None:
    """A long text from a line on."""
    room = canvas.height - top - 2
    for at, line in enumerate(lines[offset : offset + room]):
        ink = Ink(bold=True) if line.isupper() else Ink()
        canvas.put(margin, top + at, shortened(line, canvas.width - 2 * margin), ink)
    if len(lines) > room:
        seen = min(len(lines), offset + room)
        shown = f"lines {offset + 1}-{seen} of {len(lines)}"
        canvas.put(canvas.width - 2 - len(shown), canvas.height - 1, shown, DIM)


@dataclass(frozen=True, slots=True)
class Line:
    """Something to choose: what it does, a text, a text at the right, and one below."""

    action: str
    text: str
    right: str = ""
    below: str = ""
    names: tuple[str, ...] = ()  # in the text, to be shortened first


def draw_rows(canvas: Canvas, rows: Sequence[Line], top: int = 2, bottom: int = 2) -> None:
    """Rows to choose from, with blank lines between them if there is room; scrolled to the focused one."""
    gap = 2 if 3 * len(rows) <= canvas.height - top - bottom else 1
    room = max(1, (canvas.height - top - bottom) // (1 + gap))
    chosen = next((at for at, row in enumerate(rows) if row.action == canvas.focus), 0)
    first = max(0, min(chosen - room // 2, len(rows) - room))
    y = top
    for at, row in enumerate(rows):
        visible = first <= at < first + room
        if visible:
            _row(canvas, row, y)
        # Rows out of sight stay targets, so that the arrow keys reach them.
        canvas.target(row.action, 1, y if visible else (at - first) * (1 + gap) + top, _row_width(canvas) - 2)
        y += (1 + gap) if visible else 0


def _row(canvas: Canvas, row: Line, y: int) -> None:
    focus, width = canvas.focus == row.action, _row_width(canvas)
    ink = Ink("on_tile", "focus", bold=True) if focus else Ink()
    canvas.fill(1, y, width - 2, 1, ink)
    right = with_short_names(row.right, row.names, width // 3)
    side = width_of(right)
    canvas.put(1, y, "▸" if focus else " ", ink)
    text = with_short_names(row.text, row.names, width - side - 8)
    canvas.put(3, y, shortened(text, width - side - 8), ink)
    canvas.put(width - side - 3, y, right, ink if focus else Ink())
    canvas.put(3, y + 1, clipped(row.below, width - 6), DIM)


def _row_width(canvas: Canvas) -> int:
    return min(canvas.width, _WIDEST)
