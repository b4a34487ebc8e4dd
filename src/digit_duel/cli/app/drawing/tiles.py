"""Tiles, places and buttons: what people choose."""

from __future__ import annotations

from dataclasses import dataclass

from digit_duel.cli.app.drawing.canvas import Canvas, Ink, short_label, width_of
from digit_duel.cli.app.drawing.glyphs import LARGE, SMALL, glyph
from digit_duel.cli.app.state.table import Sign
from digit_duel.core.game import Seat

PLAYERS = ("one", "two")  # the colours of the two seats
_PLAIN, _HEAVY, _DOUBLE, _DASHED = "╭╮╰╯─│", "┏┓┗┛━┃", "╔╗╚╝═║", "╭╮╰╯╌╎"


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a tile: columns, rows, and the size of the digit in it; None is plain text."""

    width: int
    height: int
    digit: tuple[int, int] | None


MINI, MIDDLE, GREAT = Size(5, 3, None), Size(8, 5, SMALL), Size(10, 7, LARGE)


def digit_at(canvas: Canvas, x: int, y: int, digit: int, size: Size, ink: Ink) -> None:
    """Draw a digit in the middle of a tile of some size at a corner."""
    if size.digit is None:
        canvas.put(x + size.width // 2, y + size.height // 2, str(digit), ink)
        return
    left, top = x + (size.width - size.digit[0]) // 2, y + (size.height - size.digit[1]) // 2
    for row, text in enumerate(glyph(digit, size.digit)):
        canvas.put(left, top + row, text, ink)


def tile(
    canvas: Canvas,
    x: int,
    y: int,
    size: Size,
    digit: int,
    *,
    mark: Seat | None = None,  # the player whose last move it was
    focus: bool = False,
    chosen: bool = False,
    copies: int = 0,  # copies left, shown if there were several at first
    sign: Sign | None = None,
) -> None:
    """A tile with a digit on it, and what it is worth."""
    ground = "focus" if chosen else "tile"
    ink = Ink("on_tile", ground, bold=True)
    canvas.fill(x, y, size.width, size.height, ink)
    if focus or chosen:  # the cursor is only a ring: the tile under it is not chosen yet
        canvas.box(x, y, size.width, size.height, Ink("on_tile", "focus", bold=True), _DOUBLE)
    elif mark is not None:
        canvas.box(x, y, size.width, size.height, Ink(PLAYERS[mark], ground, bold=True), _HEAVY)
    else:
        canvas.box(x, y, size.width, size.height, Ink("edge", ground))
    digit_at(canvas, x, y, digit, size, ink)
    if copies:
        shown = f"{copies} left" if size.width > MINI.width else f"x{copies}"
        canvas.put(x + (size.width - len(shown)) // 2, y + size.height - 1, shown, Ink("on_tile", ground))
    if sign is not None:
        put_sign(canvas, x, y + size.height - 1, size.width, sign)


def faded_tile(canvas: Canvas, x: int, y: int, size: Size, digit: int) -> None:
    """A tile with a digit that no longer counts."""
    ink = Ink("dim", "felt")
    canvas.fill(x, y, size.width, size.height, ink)
    canvas.box(x, y, size.width, size.height, ink)
    digit_at(canvas, x, y, digit, size, ink)


def put_sign(canvas: Canvas, x: int, y: int, width: int, sign: Sign) -> None:
    """What a choice is worth, in the middle of some columns; never by colour alone."""
    ground = "line" if sign.good is None else "good" if sign.good else "bad"
    ink = Ink("text" if sign.good is None else "on_player", ground, bold=True)
    shown = f" {sign.text} " if width_of(sign.text) + 2 < width else sign.text
    canvas.put(x + (width - width_of(shown)) // 2, y, shown, ink)


def card_back(canvas: Canvas, x: int, y: int, size: Size) -> None:
    """A card face down."""
    canvas.box(x, y, size.width, size.height, Ink("back"))
    canvas.fill(x + 1, y + 1, size.width - 2, size.height - 2, Ink("back"), "▒")


def empty_place(
    canvas: Canvas, x: int, y: int, size: Size, label: str, key: str = "", focus: bool = False,
    seat: Seat | None = None, sign: Sign | None = None,
) -> None:  # fmt: skip
    """A place without a digit; one that can be chosen shows its key in its player's colour."""
    ink = Ink(PLAYERS[seat], bold=True) if seat is not None else Ink("line")
    frame = Ink("on_tile", "focus", bold=True) if focus else ink
    canvas.box(x, y, size.width, size.height, frame, _DOUBLE if focus else _DASHED)
    if label:
        shown = short_label(label, size.width - 2)
        name = frame if focus or seat is not None else Ink("dim")
        canvas.put(x + (size.width - width_of(shown)) // 2, y + size.height - 1, shown, name)
    if key:  # in words, or it would look like a digit in that place
        shown = f"key {key}" if size.width > MINI.width else f"({key})"
        canvas.put(x + (size.width - len(shown)) // 2, y + size.height // 2, shown, ink)
    if sign is not None:
        put_sign(canvas, x, y + size.height // 2, size.width, sign)


def button(canvas: Canvas, x: int, y: int, height: int, shown: str, action: str, primary: bool) -> None:
    """A button with its caption."""
    focus = canvas.focus == action
    ground = "focus" if focus else "button" if primary else "felt"
    ink = Ink("on_tile" if focus else "on_button" if primary else "text", ground, bold=True)
    width = width_of(shown) + 2
    canvas.fill(x, y, width, height, ink)
    if height == 3:
        canvas.box(x, y, width, 3, ink, _DOUBLE if focus else _PLAIN)
    else:
        canvas.put(x, y, "▸" if focus else "[", ink)
        canvas.put(x + width - 1, y, "◂" if focus else "]", ink)
    canvas.put(x + 1, y + height // 2, shown, ink)
    canvas.target(action, x, y, width, height)


def button_row(
    canvas: Canvas, y: int, height: int, buttons: list[tuple[str, str, str]], left: int, width: int,
    main: bool = True,
) -> None:  # fmt: skip
    """Buttons beside each other in the middle of some columns; the first is the main one, if there is one.

    Each is an action, a key and a label. They move closer together where there is little room; if that is
    not enough, those around the focused one are shown.
    """
    for tight in (False, True):
        captions = [_caption(key, label, tight) for _, key, label in buttons]
        widths = [width_of(caption) + 3 for caption in captions]  # with the gap after it
        if sum(widths) - 1 <= width:
            break
    focused = next((at for at, (action, _, _) in enumerate(buttons) if action == canvas.focus), 0)
    shown = _shown(widths, focused, width + 1)
    if len(shown) < len(buttons):
        shown = _shown(widths, focused, width - 3)
        canvas.put(left, y + height // 2, "←" if shown.start else " ")
        canvas.put(left + width - 1, y + height // 2, "→" if shown.stop < len(buttons) else " ")
    room = sum(widths[at] for at in shown) - 1
    x = left + max(0, (width - room) // 2) - sum(widths[: shown.start])
    for at, (action, _, _) in enumerate(buttons):
        if at in shown:
            button(canvas, x, y, height, captions[at], action, primary=main and at == 0)
        else:  # where the arrow keys find it, and the mouse does not
            beyond = -canvas.width if at < shown.start else canvas.width
            canvas.target(action, x + beyond, y, widths[at], height)
        x += widths[at]


def _shown(widths: list[int], focused: int, room: int) -> range:
    """The buttons that fit, from the first on or with the focused one as the last."""
    first = 0
    while first < focused and sum(widths[first : focused + 1]) > room:
        first += 1
    last = first
    while last < len(widths) and sum(widths[first : last + 1]) <= room:
        last += 1
    return range(first, last)


def _caption(key: str, label: str, tight: bool = False) -> str:
    text = label[:1].upper() + label[1:]
    shown = key.upper() if len(key) == 1 else key.capitalize()
    if tight:
        return f"{shown} {text}" if key else text
    return f" {shown}  {text} " if key else f" {text} "
