"""The preview picture of a game's link, drawn from public data only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from digit_duel.core.game import Pair, Seat
from digit_duel.core.pictures.canvas import Canvas, Colour
from digit_duel.core.pictures.lettering import capitals, width, write
from digit_duel.core.script import Cell, Row, Scene

WIDE, HIGH = 1200, 630  # the size that link previews expect
_FELT: Colour = (231, 221, 201)
_PAPER: Colour = (244, 238, 226)
_INK: Colour = (34, 31, 26)
_SOFT: Colour = (93, 85, 70)
_TILE: Colour = (255, 252, 245)
_EDGE: Colour = (210, 193, 156)
_LINE: Colour = (214, 202, 178)
_BACK: Colour = (63, 92, 174)
_COLOURS: Pair[Colour] = ((43, 80, 191), (148, 64, 0))
_MARGIN = 60
_TOPS: Pair[int] = (398, 128)  # below, and above
_MIDDLE = 306
_LONG = 14  # characters of a name that fit


@dataclass(frozen=True, slots=True)
class Preview:
    """What a preview shows; all of it is public."""

    title: str
    names: Pair[str]
    scene: Scene
    below: Seat = Seat.FIRST  # the side of whoever opened the game, drawn as at their own table
    winner: Seat | None = None  # of a finished game


@lru_cache(maxsize=256)
def draw(preview: Preview) -> bytes:
    """Draw a preview as a PNG file; recent ones are cached."""
    canvas = Canvas(WIDE, HIGH, _FELT)
    canvas.box(0, 0, WIDE, 96, _PAPER)
    title = capitals(preview.title) or ""
    write(canvas, title, _MARGIN, 24, 52, _INK)
    write(canvas, "DIGIT DUEL", WIDE - _MARGIN - width("DIGIT DUEL", 34), 34, 34, _SOFT)
    for seat, top, colour in zip((preview.below, preview.below.other), _TOPS, _COLOURS, strict=True):
        name, won = _name(preview.names[seat], seat), seat is preview.winner
        _named(canvas, name, top, colour, won)
        _side(canvas, preview.scene.rows[seat], top, colour)
    if not _finished(preview):
        _pool(canvas, [stock.digit for stock in preview.scene.pool if stock.left])
    return canvas.png()


def _finished(preview: Preview) -> bool:
    """Whether somebody has won with all places filled: the digits that are left count for nothing."""
    cells = [cell for row in preview.scene.rows for cell in row.cells]
    return preview.winner is not None and all(cell.digit is not None for cell in cells)


def _name(name: str, seat: Seat) -> str:
    """A name in capitals that can be drawn, or a placeholder; the link's title has the name itself."""
    return (capitals(name) or f"PLAYER {seat + 1}")[:_LONG]


def _named(canvas: Canvas, name: str, top: int, colour: Colour, won: bool) -> None:
    """A name beside its dot; the winner's is lit, as on the page."""
    dot, ink = (_TILE, _TILE) if won else (colour, _INK)
    if won:
        canvas.box(_MARGIN - 24, top + 34, width(name, 46) + 84, 78, colour, 39)
        write(canvas, "WINS", _MARGIN + 40, top + 126, 40, colour)
    canvas.box(_MARGIN, top + 62, 22, 22, dot, 11)
    write(canvas, name, _MARGIN + 40, top + 50, 46, ink)


def _side(canvas: Canvas, row: Row, top: int, colour: Colour) -> None:
    long = [meter for meter in row.meters if meter.most >= 10]
    if row.cells:
        _cells(canvas, row.cells, top)
    elif long:
        points = str(long[0].value) if long[0].value >= 0 else f"-{-long[0].value}"
        write(canvas, points, WIDE - _MARGIN - width(points, 150), top, 150, colour)


def _cells(canvas: Canvas, cells: Sequence[Cell], top: int) -> None:
    wide = min(116, (WIDE // 2 - _MARGIN) // len(cells) - 14)
    high, left = round(wide * 1.22), WIDE - _MARGIN - len(cells) * (wide + 14) + 14
    for cell in cells:
        if cell.hidden:
            _tile(canvas, left, top, wide, _BACK)
        elif cell.digit is None:
            canvas.box(left, top, wide, high, _LINE, wide // 6)
            canvas.box(left + 3, top + 3, wide - 6, high - 6, _FELT, wide // 6 - 3)
        else:
            _digit(canvas, cell.digit, left, top, wide)
        left += wide + 14


def _pool(canvas: Canvas, digits: Sequence[int]) -> None:
    shown, wide, step = digits[:10], 56, 68
    for at, digit in enumerate(shown):
        _digit(canvas, digit, WIDE - _MARGIN + step * (at - len(shown)) + step - wide, _MIDDLE, wide)


def _tile(canvas: Canvas, left: int, top: int, wide: int, colour: Colour) -> None:
    high, radius = round(wide * 1.22), wide // 6
    canvas.box(left, top + wide // 16, wide, high, _EDGE, radius)
    canvas.box(left, top, wide, high, colour, radius)


def _digit(canvas: Canvas, digit: int, left: int, top: int, wide: int) -> None:
    _tile(canvas, left, top, wide, _TILE)
    high = wide * 0.95
    write(canvas, str(digit), left + (wide - high * 24 / 36) / 2, top + (wide * 1.22 - high) / 2, high, _INK)
