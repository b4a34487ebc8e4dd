"""Sheets and panels: a short text over the screen, and how to close it."""

from __future__ import annotations

from collections.abc import Sequence

from digit_duel.cli.app.drawing.canvas import Canvas, Ink, shortened, width_of, wrapped
from digit_duel.cli.app.drawing.tiles import button_row


def draw_sheet(
    canvas: Canvas,
    title: str,
    texts: Sequence[str],
    foot: str,
    buttons: Sequence[tuple[str, str, str]] = (),
) -> None:
    """Draw a sheet in the middle of the screen."""
    width = min(canvas.width - 4, 72)
    lines = [line for text in texts for line in wrapped(text, width - 4)][: canvas.height - 6]
    height = len(lines) + 4
    x, y = (canvas.width - width) // 2, max(1, (canvas.height - height) // 2)
    ink = Ink("text", "felt")
    canvas.fill(x, y, width, height, ink)
    canvas.box(x, y, width, height, ink)
    canvas.put(x + 2, y, f" {title} ", Ink("text", "felt", bold=True))
    for at, line in enumerate(lines):
        canvas.put(x + 2, y + 1 + at, line, ink)
    if buttons:
        button_row(canvas, y + height - 2, 1, list(buttons), x, width)
    else:
        canvas.put(x + 2, y + height - 2, shortened(foot, width - 4), Ink("dim", "felt"))
        canvas.target("close", x, y, width, height)


def draw_too_small(canvas: Canvas, columns: int, rows: int) -> None:
    """Say how large the window has to be, and show nothing else."""
    lines = wrapped(f"Make the window at least {columns} by {rows}.", canvas.width)
    for at, line in enumerate(lines):
        canvas.centred((canvas.height - len(lines)) // 2 + at, line)


def draw_note(canvas: Canvas, note: str, below: int, width: int = 0) -> None:
    """A sentence in the rows above a row, over whatever is there."""
    width = width or canvas.width
    lines = wrapped(note, width - 2)
    canvas.fill(0, below - len(lines), width, len(lines), Ink("text", "felt"))
    for at, line in enumerate(lines, start=below - len(lines)):
        canvas.centred(at, line, Ink("text", "felt", bold=True), 0, width)


def draw_field(canvas: Canvas, prompt: str, complaint: str) -> None:
    """The prompt before a line to type in, at the bottom, and above it what was wrong with the line."""
    y, ink = canvas.height - 1, Ink("text", "felt", bold=True)
    canvas.fill(0, y, canvas.width, 1, ink)
    canvas.put(1, y, prompt, ink)
    if complaint:
        draw_note(canvas, complaint, y)


def draw_panel(canvas: Canvas, title: str, texts: Sequence[str], foot: str, top: int) -> None:
    """Draw a text over the bottom rows: from the row `top` or, if it is longer, from further up."""
    if len(texts) > 1 and width_of(texts[0]) + width_of(foot) + 10 <= canvas.width:
        title, texts = texts[0], texts[1:]  # covers one row less
    lines = [line for text in texts for line in wrapped(text, canvas.width - 4)][: canvas.height - 4]
    y = min(top, canvas.height - 1 - len(lines))
    ink = Ink("text", "felt")
    canvas.fill(0, y, canvas.width, canvas.height - y, ink)
    canvas.put(0, y, "─" * canvas.width, ink)
    canvas.put(2, y, f" {title} ", Ink("text", "felt", bold=True))
    canvas.put(canvas.width - width_of(foot) - 4, y, f" {foot} ", Ink("dim", "felt"))
    for at, line in enumerate(lines):
        canvas.put(2, y + 1 + at, line, ink)
    canvas.target("close", 0, y, canvas.width, canvas.height - y)
