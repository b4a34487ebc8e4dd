"""Rendering of environments: a scene as an image array or as lines of text."""

from __future__ import annotations

import sys
from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

from digit_duel.adapters._font import HIGH, WIDE, dots
from digit_duel.core.game import Seat
from digit_duel.core.script import Cell, Meter, Row, Scene, Stock
from digit_duel.core.variant import AnyVariant

RENDER_MODES = ["human", "ansi", "rgb_array"]
NAMES = ("First", "Second")
SIZE = (360, 480)  # height and width, the same for every game and state, so that frames make a video

Colour = tuple[int, int, int]
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
_ROWS = (58, 152)  # the top of each seat's row
_POOL, _FACTS = 250, 304


def render(
    variant: AnyVariant, view: Hashable, acting: tuple[Seat, ...], mode: str | None
) -> Image | str | None:
    """The game as a seat sees it, in one of the modes; the mode `human` prints it."""
    if mode == "rgb_array":
        return _image(variant, view, acting)
    text = _text(variant, view, acting)
    if mode == "human":
        sys.stdout.write(f"{text}\n\n")
    return text if mode == "ansi" else None


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
    image = np.empty((*SIZE, 3), np.uint8)
    image[:] = _CLOTH
    _write(image, 16, _MARGIN, variant.title, 2, _PALE)
    right = SIZE[1] - _MARGIN - len(scene.heading) * WIDE * 2
    _write(image, 16, right, scene.heading, 2, _DIM)
    for seat in Seat:
        _draw_row(image, seat, scene.rows[seat], seat in acting)
    if scene.drawn is not None:
        _write(image, _POOL + 4, _MARGIN, "drawn", 2, _DIM)
        _draw_cell(image, _POOL - 12, _MARGIN + 84, 36, 48, scene.drawn, _INK)
    _draw_pool(image, scene)
    for at, fact in enumerate(scene.facts[:3]):
        _write(image, _FACTS + 19 * at, _MARGIN, fact, 1 if len(fact) > 36 else 2, _DIM)
    return image


def _letter(cell: Cell) -> str:
    return "?" if cell.hidden else " " if cell.digit is None else str(cell.digit)


def _counted(meter: Meter) -> str:
    return f"{meter.label} {meter.value}/{meter.most}"


def _draw_row(image: Image, seat: Seat, row: Row, acts: bool) -> None:
    top, colour = _ROWS[seat], _SEATS[seat]
    _write(image, top, _MARGIN, NAMES[seat], 2, colour)
    if acts:
        _fill(image, top + HIGH * 2 + 4, _MARGIN, 3, len(NAMES[seat]) * WIDE * 2 - 2, colour)
    left = _MARGIN + 108
    room = SIZE[1] - _MARGIN - left
    pitch = min(52, room // max(1, len(row.cells)))
    for at, cell in enumerate(row.cells):
        _draw_cell(image, top - 8, left + at * pitch, pitch - 8, 56, cell, _INK)
    below = top + 56 if row.cells else top + 32
    beside = left + len(row.cells) * pitch + 8
    for at, meter in enumerate(row.meters):
        if row.cells and beside + len(_counted(meter)) * WIDE * 2 < SIZE[1]:
            _write(image, top + 12 + 20 * at, beside, _counted(meter), 2, _PALE)
        else:
            _draw_meter(image, top + 28 * at, left, room, meter, colour)
    _write(image, below, left, row.note, 2, _DIM)


def _draw_meter(image: Image, top: int, left: int, room: int, meter: Meter, colour: Colour) -> None:
    """A bar that fills the row, with its number."""
    bar = room - len(f"{meter.label} {meter.most}/{meter.most}") * WIDE * 2 - 12
    _fill(image, top, left, 14, bar, _SHADE)
    _fill(image, top, left, 14, bar * max(0, min(meter.value, meter.most)) // max(1, meter.most), colour)
    _write(image, top, left + bar + 12, _counted(meter), 2, _PALE)


def _draw_cell(image: Image, top: int, left: int, wide: int, high: int, cell: Cell, ink: Colour) -> None:
    """A card, the back of a card, or an empty place."""
    if cell.hidden:
        _fill(image, top, left, high, wide, _BACK)
        image[top + 5 : top + high - 5 : 4, left + 5 : left + wide - 5] = _CLOTH
    elif cell.digit is None:
        _fill(image, top, left, high, wide, _DIM)
        _fill(image, top + 2, left + 2, high - 4, wide - 4, _SHADE)
    else:
        _fill(image, top, left, high, wide, _CARD)
        scale = max(1, min(5, (wide - 4) // WIDE))
        _write(
            image, top + (high - HIGH * scale) // 2, left + (wide - (WIDE - 1) * scale) // 2, str(cell.digit),
            scale, ink,
        )  # fmt: skip


def _draw_pool(image: Image, scene: Scene) -> None:
    """The digits of the pool, with their number of copies; a digit that is used up is dimmed."""
    if not scene.pool:
        return
    pitch = min(44, (SIZE[1] - 2 * _MARGIN) // len(scene.pool))
    for at, stock in enumerate(scene.pool):
        _draw_stock(image, _MARGIN + at * pitch, pitch, stock)


def _draw_stock(image: Image, left: int, pitch: int, stock: Stock) -> None:
    _fill(image, _POOL - 8, left, 40, pitch - 6, _CARD if stock.left else _SHADE)
    middle = left + (pitch - 6 - (WIDE - 1) * 3) // 2
    _write(image, _POOL + 1, middle, str(stock.digit), 3, _INK if stock.left else _DIM)
    if stock.most > 1:
        _write(image, _POOL + 38, left + (pitch - 6 - 2 * WIDE) // 2, f"x{stock.left}", 1, _PALE)


def _fill(image: Image, top: int, left: int, high: int, wide: int, colour: Colour) -> None:
    image[max(0, top) : top + high, max(0, left) : left + max(0, wide)] = colour


def _write(image: Image, top: int, left: int, text: str, scale: int, colour: Colour) -> None:
    """A text, cut off at the edge of the image."""
    if text:
        left = max(0, left)
        target = image[top : top + HIGH * scale, left : left + len(text) * WIDE * scale]
        target[dots(text, scale)[: target.shape[0], : target.shape[1]]] = colour
