"""Shows the first frame at once: Textual takes longer to import than people wait without noticing."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from digit_duel.cli.app.drawing.canvas import Canvas, Ink
from digit_duel.cli.app.themes import colours_of

_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l\x1b[H", "\x1b[?25h\x1b[?1049l"
_STEPS = (0, 95, 135, 175, 215, 255)  # of the colour cube of 256-colour terminals


@contextmanager
def first_frame(draw: Callable[[Canvas], None], theme: str) -> Iterator[None]:
    """Draw a frame on the alternate screen without echo; put the keyboard back afterwards."""
    canvas = Canvas(*shutil.get_terminal_size())
    draw(canvas)
    started = False
    with _quiet_keyboard():
        try:
            _write(_ENTER + as_escapes(canvas, theme, _depth()))
            yield
            started = True
        finally:
            if not started:
                with suppress(OSError):  # the window was closed
                    _write(_LEAVE)


def as_escapes(canvas: Canvas, theme: str, depth: int) -> str:
    """The lines of a canvas with colours for a terminal; depth 0 has none."""
    lines = []
    for y in range(canvas.height):
        runs = [f"{_colours(ink, theme, depth)}{text}" for text, ink in canvas.line(y)]
        lines.append("".join(runs))
    return "\r\n".join(lines) + "\x1b[0m"


def _colours(ink: Ink, theme: str, depth: int) -> str:
    codes = ["0", *(["1"] if ink.bold else [])]
    if depth:
        for kind, role in ((38, ink.colour), (48, ink.ground)):
            value = colours_of(theme)[role]
            rgb = [int(value[at : at + 2], 16) for at in (1, 3, 5)]
            codes.append(f"{kind};2;{rgb[0]};{rgb[1]};{rgb[2]}" if depth == 24 else f"{kind};5;{_cube(rgb)}")
    return f"\x1b[{';'.join(codes)}m"


def _cube(rgb: list[int]) -> int:
    """The nearest colour of the cube."""
    red, green, blue = (min(range(6), key=lambda at: abs(_STEPS[at] - part)) for part in rgb)
    return 16 + 36 * red + 6 * green + blue


def _depth() -> int:
    """The colour depth that the terminal reports, in bits; 0 below eight, where colours are not worth it."""
    if os.environ.get("NO_COLOR"):
        return 0
    if os.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return 24
    return 8 if "256color" in os.environ.get("TERM", "") else 0


def _write(text: str) -> None:
    assert sys.__stderr__ is not None  # where Textual writes, too
    sys.__stderr__.write(text)
    sys.__stderr__.flush()


@contextmanager
def _quiet_keyboard() -> Iterator[None]:
    """Keep keys pressed early for the app, without echoing them."""
    try:
        import termios
    except ImportError:  # Windows
        yield
        return
    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    quiet = termios.tcgetattr(handle)
    quiet[0] &= ~termios.ICRNL  # or Enter would arrive as Ctrl-J
    quiet[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(handle, termios.TCSANOW, quiet)
    try:
        yield
    finally:
        with suppress(termios.error, OSError):  # the window was closed
            termios.tcsetattr(handle, termios.TCSANOW, before)
