"""Pictures for notebooks and pages: a scene as SVG, light or dark."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from digit_duel.core.game import Seat
from digit_duel.core.options import BadOption
from digit_duel.core.script import Cell, Meter, Row, Scene

if TYPE_CHECKING:
    from digit_duel.core.variant import AnyVariant

WIDTH = 480
NAMES = ("First", "Second")
_LEFT, _PITCH = 110, 50
_COLOURS = {
    "light": {
        "ink": "#22262b",
        "dim": "#5b6670",
        "card": "#fffdf6",
        "line": "#8a949c",
        "back": "#47607a",
        "bar": "#2f6fb2",
    },
    "dark": {
        "ink": "#e6eaec",
        "dim": "#9fb0ba",
        "card": "#2a3941",
        "line": "#7f8f98",
        "back": "#6f90b4",
        "bar": "#66b2ff",
    },
    # A notebook's theme may differ from the system's; the colour of the surrounding text follows it.
    "text": {
        "ink": "currentColor",
        "dim": "currentColor;fill-opacity:.7",
        "card": "currentColor;fill-opacity:.08",
        "line": "currentColor;stroke-opacity:.5",
        "back": "#5b7896",
        "bar": "#4a90d9",
    },
}


def state_svg(
    variant: AnyVariant, state: Any, theme: Literal["light", "dark"] | None = None, scale: float = 1.0
) -> str:
    """A state with everything face up; without a theme, in the colour of the surrounding text."""
    return scene_svg(variant.title, variant.scene(state, None), theme, scale, variant.game.acting(state))


def scene_svg(
    title: str,
    scene: Scene,
    theme: Literal["light", "dark"] | None = None,
    scale: float = 1.0,
    acting: Sequence[Seat] = (),
) -> str:
    """What one seat sees, or both together, with the names of those who may move underlined.

    Raises BadOption for an unknown theme.
    """
    if theme not in (None, "light", "dark"):
        raise BadOption(f"theme must be light, dark or None, not {theme!r}.")
    heading = f"{title}, {scene.heading}" if scene.heading else title
    parts = [_text(12, 24, heading, "ink", 16)]
    top = 40
    for seat in Seat:
        parts.append(_text(12, top + 30, NAMES[seat], "ink", 14))
        if seat in acting:
            parts.append(f'<rect x="12" y="{top + 36}" width="50" height="3" rx="1" class="dd-bar"/>')
        parts += _row(scene.rows[seat], top)
        top += 80 + 16 * max(0, len(scene.rows[seat].meters) - 2)
    if scene.pool:
        parts.append(_text(12, top + 24, "pool", "dim", 14))
        for at, stock in enumerate(scene.pool):
            parts += _cell(_LEFT + at * 36, top, 30, 34, Cell(stock.digit if stock.left else None))
            if stock.most > 1:
                parts.append(_text(_LEFT + at * 36 + 6, top + 48, f"x{stock.left}", "dim", 11))
        top += 58
    if scene.drawn is not None:
        parts += [_text(12, top + 24, "drawn", "dim", 14), *_cell(_LEFT, top, 30, 38, scene.drawn)]
        top += 50
    for fact in scene.facts:
        parts.append(_text(12, top + 12, fact, "dim", 12))
        top += 18
    size = f'width="{WIDTH * scale:g}" height="{(top + 12) * scale:g}" viewBox="0 0 {WIDTH} {top + 12}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(heading)}" {size} '
        f'class="dd-{theme or "text"}"><style>{_style(theme or "text")}</style>{"".join(parts)}</svg>'
    )


def _style(theme: str) -> str:
    """The colours of a theme, under a class of its own: one page may show several themes."""
    return "".join(
        f".dd-{theme} .dd-{name}{{fill:{colour}}}.dd-{theme} .dd-s-{name}{{stroke:{colour}}}"
        for name, colour in _COLOURS[theme].items()
    )


def _row(row: Row, top: int) -> list[str]:
    parts = [
        part for at, cell in enumerate(row.cells) for part in _cell(_LEFT + at * _PITCH, top, 42, 48, cell)
    ]
    beside = _LEFT + len(row.cells) * _PITCH + (8 if row.cells else 0)
    for at, meter in enumerate(row.meters):
        parts += _meter(beside, top + 14 + 22 * at, meter)
    if row.note:
        parts.append(_text(_LEFT, top + 63, row.note, "dim", 12))
    return parts


def _meter(left: int, top: int, meter: Meter) -> list[str]:
    room = max(20, WIDTH - left - 110)
    filled = room * max(0, min(meter.value, meter.most)) // max(1, meter.most)
    return [
        f'<rect x="{left}" y="{top}" width="{room}" height="10" rx="3" fill="none" class="dd-s-line"/>',
        f'<rect x="{left}" y="{top}" width="{filled}" height="10" rx="3" class="dd-bar"/>',
        _text(left + room + 8, top + 10, f"{meter.label} {meter.value}/{meter.most}", "dim", 12),
    ]


def _cell(left: int, top: int, wide: int, high: int, cell: Cell) -> list[str]:
    """A card, the back of a card, or an empty place."""
    known = cell.digit is not None and not cell.hidden
    kind = "dd-back" if cell.hidden else "dd-card dd-s-line" if known else "dd-s-line"
    empty = "" if known or cell.hidden else ' fill="none" stroke-dasharray="4 3"'
    box = f'<rect x="{left}" y="{top}" width="{wide}" height="{high}" rx="5" class="{kind}"{empty}/>'
    if not known:
        return [box]
    return [box, _text(left + wide // 2, top + high // 2 + 8, str(cell.digit), "ink", 22, "middle")]


def _text(left: int, base: int, text: str, colour: str, size: int, anchor: str = "start") -> str:
    return (
        f'<text x="{left}" y="{base}" font-family="system-ui, sans-serif" font-size="{size}" '
        f'text-anchor="{anchor}" class="dd-{colour}">{escape(text)}</text>'
    )
