"""Long texts: rules, statistics and the moves of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from digit_duel.cli.app.drawing.canvas import Canvas, wrapped
from digit_duel.cli.app.drawing.pages import draw_foot, draw_lines, draw_title
from digit_duel.cli.app.screens.base import CanvasScreen
from digit_duel.cli.app.state.table import MoveLine
from digit_duel.cli.rules import rulebook
from digit_duel.core.variant import AnyVariant

_FAR = 100_000  # more lines than any text has
_WHEEL = 3  # lines of one step of the mouse wheel


class TextPage(CanvasScreen):
    """A text that can be scrolled; it is wrapped again when the width changes."""

    keys: ClassVar = {
        "q": "leave", "escape": "leave", "pagedown": "page down", "pageup": "page up",
        "home": "top", "end": "bottom",
    }  # fmt: skip

    def __init__(self, title: str, text: Callable[[int], Sequence[str]], at_end: bool = False) -> None:
        super().__init__()
        self._title, self._text = title, text
        self._offset = _FAR if at_end else 0

    def help(self) -> tuple[str, ...]:
        return (
            "Up and down, Page Up and Page Down and the wheel scroll.",
            "",
            "Home, End  to the top and the bottom",
            "q          back",
        )

    def draw(self, canvas: Canvas) -> None:
        lines = self._text(min(96, canvas.width - 4))
        self._offset = max(0, min(self._offset, len(lines) - (canvas.height - 4)))
        draw_title(canvas, self._title)
        draw_lines(canvas, lines, self._offset)
        draw_foot(canvas, "↑ ↓ scroll   q back")

    def first_focus(self, canvas: Canvas) -> str:
        return "leave"  # for Enter

    def arrow(self, key: str) -> bool:
        self._scroll({"up": -1, "down": 1}.get(key, 0))
        return True

    def act(self, action: str) -> None:
        page = max(1, self.size.height - 6)
        match action:
            case "page down":
                self._scroll(page)
            case "page up":
                self._scroll(-page)
            case "top" | "bottom":
                self._scroll(-_FAR if action == "top" else _FAR)
            case _:
                self.duel.go_back()

    def on_mouse_scroll_down(self) -> None:
        self._scroll(_WHEEL)

    def on_mouse_scroll_up(self) -> None:
        self._scroll(-_WHEEL)

    def _scroll(self, by: int) -> None:
        self._offset += by
        self.redraw()


def rules_page(variant: AnyVariant) -> TextPage:
    """The rules of a game, an example and the options."""
    return TextPage(f"Rules of {variant.id}", lambda columns: rulebook(variant, columns).split("\n"))


def moves_page(moves: Sequence[MoveLine]) -> TextPage:
    """All moves of a game, with the last ones in sight."""

    def lines(columns: int) -> list[str]:
        told = [f"{move.number}. {move.text}".removeprefix(". ") for move in moves]
        return [line for text in told for line in wrapped(text, columns)] or ["Nobody has moved yet."]

    return TextPage("Moves so far", lines, at_end=True)
