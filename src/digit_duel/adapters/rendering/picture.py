"""Rendering of environments: a scene as an image array or as lines of text."""

from __future__ import annotations

import sys
from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

from digit_duel.core.game import Seat
from digit_duel.core.options import BadOption
from digit_duel.core.pictures.canvas import Canvas, Colour
from digit_duel.core.pictures.lettering import width, write
from digit_duel.core.pictures.svg import scene_svg
from digit_duel.core.script import Cell, Meter, Row, Scene
from digit_duel.core.variant import AnyVariant

RENDER_MODES = ["human", "ansi", "rgb_array"]
NAMES = ("First", "Second")
WIDE, HIGH = 480, 360  # pixels; the same for every game and state, so that frames can form a video

Image = NDArray[np.uint8]

_CLOTH: Colour = (27, 38, 44)
_PALE: Colour = (226, 232, 234)
_DIM: Colour = (136, 156, 166)
_SHADE: Colour = (42, 57, 65)
_CARD: Colour = (245, 241, 228)
_INK: Colour = (34, 34, 40)
_BACK: Colour = (71, 96, 122)
_SEATS: tuple[Colour, Colour] = ((102, 178, 255), (255, 170, 92))

_MARGIN = 20
_LETTERS = 16  # the height of text
_ROWS = (58, 152)  # the top of each seat's row
_POOL, _FACTS = 250, 304


def known_mode(mode: object) -> str | None:
    """Check a render mode and return it; raises BadOption."""
    if mode is None or (isinstance(mode, str) and mode in RENDER_MODES):
        return mode
    raise BadOption(f"render_mode must be None or one of: {', '.join(RENDER_MODES)}; not {mode!r}.")


def render(
    variant: AnyVariant, view: Hashable, acting: tuple[Seat, ...], mode: str | None
) -> Image | str | None:
    """Render the game as a seat sees it, in one of the modes; the mode `human` prints it."""
    if mode == "rgb_array":
        return _image(variant, view, acting)
    text = _text(variant, view, acting)
    if mode == "human":
        sys.stdout.write(f"{text}\n\n")
    return text if mode == "ansi" else None


def html(variant: AnyVariant, view: Hashable, acting: tuple[Seat, ...]) -> str:
    """The game as a seat sees it, as a picture for notebooks."""
    return scene_svg(variant.title, variant.voice.scene(view), acting=acting)


def _text(variant: AnyVariant, view: Hashable, acting: tuple[Seat, ...]) -> str:
    scene = variant.voice.scene(view)
    lines = [f"{variant.title}, {scene.heading}" if scene.heading else variant.title]
    for seat in Seat:
        row = scene.rows[seat]
        parts = ["".join(f"[{_letter(cell)}]" for cell in row.cells), *map(_counted, row.meters), row.note]
        mark = ">" if seat in acting else " "
        lines.append(f"{mark} {NAMES[seat]:<8}{'  '.join(part for part in parts if part)}".rstrip())
    if scene.pool:
        lines.append(
            f"  {'pool':<8}{' '.join(str(s.digit) for s in scene.pool for _ in range(s.left))}".rstrip()
        )
    if scene.drawn is not None:
        lines.append(f"  {'drawn':<8}[{_letter(scene.drawn)}]")
    return "\n".join([*lines, *(f"  {fact}" for fact in scene.facts)])


def _image(variant: AnyVariant, view: Hashable, acting: tuple[Seat, ...]) -> Image:
    scene = variant.voice.scene(view)
    canvas = Canvas(WIDE, HIGH, _CLOTH)
    _write(canvas, _MARGIN, 16, variant.title, _PALE)
    _write(canvas, WIDE - _MARGIN - width(scene.heading, _LETTERS), 16, scene.heading, _DIM)
    for seat in Seat:
        _draw_row(canvas, seat, scene.rows[seat], seat in acting)
    if scene.drawn is not None:
        _write(canvas, _MARGIN, _POOL + 4, "drawn", _DIM)
        _draw_cell(canvas, _MARGIN + 84, _POOL - 12, 36, 48, scene.drawn)
    _draw_pool(canvas, scene)
    for at, fact in enumerate(scene.facts[:3]):
        _write(canvas, _MARGIN, _FACTS + 19 * at, fact, _DIM)
    rows, palette = canvas.indexed
    return np.array(palette, np.uint8)[np.frombuffer(rows, np.uint8).reshape(HIGH, WIDE)]


def _letter(cell: Cell) -> str:
    return "?" if cell.hidden else " " if cell.digit is None else str(cell.digit)


def _counted(meter: Meter) -> str:
    return f"{meter.label} {meter.value}/{meter.most}"


def _draw_row(canvas: Canvas, seat: Seat, row: Row, acts: bool) -> None:
    top, colour = _ROWS[seat], _SEATS[seat]
    _write(canvas, _MARGIN, top, NAMES[seat], colour)
    if acts:
        canvas.box(_MARGIN, top + 18, width(NAMES[seat], _LETTERS), 3, colour)
    left = _MARGIN + 108
    room = WIDE - _MARGIN - left
    pitch = min(52, room // max(1, len(row.cells)))
    for at, cell in enumerate(row.cells):
        _draw_cell(canvas, left + at * pitch, top - 8, pitch - 8, 56, cell)
    beside = left + len(row.cells) * pitch + 8
    for at, meter in enumerate(row.meters):
        if row.cells and beside + width(_counted(meter), _LETTERS) < WIDE:
            _write(canvas, beside, top + 12 + 20 * at, _counted(meter), _PALE)
        else:
            _draw_meter(canvas, left, top + 28 * at, room, meter, colour)
    _write(canvas, left, top + 56 if row.cells else top + 32, row.note, _DIM)


def _draw_meter(canvas: Canvas, left: int, top: int, room: int, meter: Meter, colour: Colour) -> None:
    """Draw a bar that fills the row, with its number."""
    bar = room - width(f"{meter.label} {meter.most}/{meter.most}", _LETTERS) - 12
    canvas.box(left, top, bar, 14, _SHADE)
    canvas.box(left, top, bar * max(0, min(meter.value, meter.most)) // max(1, meter.most), 14, colour)
    _write(canvas, left + bar + 12, top - 1, _counted(meter), _PALE)


def _draw_cell(canvas: Canvas, left: int, top: int, wide: int, high: int, cell: Cell) -> None:
    """Draw a card, the back of a card, or an empty place."""
    if cell.hidden:
        canvas.box(left, top, wide, high, _BACK, 4)
    elif cell.digit is None:
        canvas.box(left, top, wide, high, _DIM, 4)
        canvas.box(left + 2, top + 2, wide - 4, high - 4, _SHADE, 3)
    else:
        canvas.box(left, top, wide, high, _CARD, 4)
        _draw_digit(canvas, left, top, wide, high, cell.digit, _INK)


def _draw_digit(canvas: Canvas, left: int, top: int, wide: int, high: int, digit: int, ink: Colour) -> None:
    """Draw a digit in the middle of a box."""
    size = min(wide, high) * 0.95
    write(canvas, str(digit), left + (wide - width(str(digit), size)) / 2, top + (high - size) / 2, size, ink)


def _draw_pool(canvas: Canvas, scene: Scene) -> None:
    """Draw the digits of the pool with their number of copies; a digit that is used up is dimmed."""
    pitch = min(44, (WIDE - 2 * _MARGIN) // max(1, len(scene.pool)))
    for at, stock in enumerate(scene.pool):
        left = _MARGIN + at * pitch
        canvas.box(left, _POOL - 8, pitch - 6, 40, _CARD if stock.left else _SHADE, 4)
        _draw_digit(canvas, left, _POOL - 8, pitch - 6, 40, stock.digit, _INK if stock.left else _DIM)
        if stock.most > 1:
            _write(canvas, left + (pitch - 6 - width("x0", 12)) // 2, _POOL + 35, f"x{stock.left}", _PALE, 12)


def _write(canvas: Canvas, left: int, top: int, text: str, colour: Colour, high: int = _LETTERS) -> None:
    """Write a text, in letters small enough for it to fit."""
    fits = (WIDE - _MARGIN - left) / max(1, width(text, high))
    write(canvas, text.upper(), left, top, high * min(1.0, fits), colour)
