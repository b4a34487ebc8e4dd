"""The one widget of the app: it shows a canvas, and says which target was clicked."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from digit_duel.cli.app.drawing.canvas import Canvas, Ink
from digit_duel.cli.app.themes import colours_of


class Painter(Protocol):
    """Draws what a screen shows, and handles clicks on it."""

    def painted(self, size: Size) -> Canvas:
        """The canvas for a window of this size."""

    def clicked(self, x: int, y: int) -> None:
        """Somebody clicked here."""


class Picture(Widget, can_focus=True):
    """A canvas that fills the screen."""

    DEFAULT_CSS = "Picture { width: 100%; height: 100%; }"

    def __init__(self, painter: Painter, theme: str) -> None:
        super().__init__()
        self._painter, self.theme_name = painter, theme

    def render_line(self, y: int) -> Strip:
        canvas = self._painter.painted(self.size)
        if y >= canvas.height:
            return Strip.blank(self.size.width)
        look = self.theme_name, self.few_colours
        return Strip([Segment(text, style_of(ink, *look)) for text, ink in canvas.line(y)])

    @property
    def few_colours(self) -> bool:
        """Whether the terminal has only sixteen colours."""
        return self.app.console.color_system in ("standard", "windows")

    def on_click(self, event: events.Click) -> None:
        self._painter.clicked(event.x, event.y)


@lru_cache(maxsize=512)
def style_of(ink: Ink, theme: str, few: bool = False) -> Style:
    """An ink in the colours of a theme."""
    colours = colours_of(theme, few)
    return Style(color=colours[ink.colour], bgcolor=colours[ink.ground], bold=ink.bold)
