"""Theme, notation, level and names."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from digit_duel.bots import DESCRIPTIONS
from digit_duel.cli.app.drawing.canvas import Canvas
from digit_duel.cli.app.drawing.pages import Line, draw_foot, draw_rows, draw_title
from digit_duel.cli.app.screens.base import CanvasScreen
from digit_duel.cli.app.themes import ABOUT
from digit_duel.core.names import BadName, clean_names

_CHOICES: dict[str, tuple[str, dict[str, str]]] = {
    "theme": ("Colours", ABOUT),
    "notation": (
        "List of moves",
        {"words": "For example: You place 9 in your hundreds.", "notation": "For example: 9a1"},
    ),
    "level": ("The computer's level", {level: f"It {text}." for level, text in DESCRIPTIONS.items()}),
}
_NAMES = {
    "name": ("Your name", "Press Enter to change it."),
    "friend": ("The other player's name", "When two people play at this keyboard."),
}


class SettingsScreen(CanvasScreen):
    """Rows of settings; left and right change one, Enter too."""

    keys: ClassVar = {"q": "leave", "escape": "leave"}

    def help(self) -> tuple[str, ...]:
        return ("Up and down choose a setting.", "Left, right and Enter change it.", "", "q  back")

    def draw(self, canvas: Canvas) -> None:
        settings = self.duel.settings
        draw_title(canvas, "Settings")
        rows = []
        for name, (title, meanings) in _CHOICES.items():
            value = getattr(settings, name)
            rows.append(Line(name, title, f"< {value} >", meanings[value]))
        rows += [Line(name, title, getattr(settings, name), told) for name, (title, told) in _NAMES.items()]
        draw_rows(canvas, rows)
        draw_foot(canvas, "↑ ↓ choose   ← → change   Enter type a name   q back")

    def first_focus(self, canvas: Canvas) -> str:
        return "theme"

    def arrow(self, key: str) -> bool:
        if key in ("left", "right"):
            self._change(self._focus, 1 if key == "right" else -1)
            return True
        return super().arrow(key)

    def act(self, action: str) -> None:
        if action == "leave":
            self.duel.go_back()
        else:
            self._change(action, 1)

    def _change(self, name: str, by: int) -> None:
        settings = self.duel.settings
        if name in _CHOICES:
            values = tuple(_CHOICES[name][1])
            found = values[(values.index(getattr(settings, name)) + by) % len(values)]
            self.duel.change_settings(replace(settings, **{name: found}))
            self.redraw()
        elif name in _NAMES:
            self.ask_line(_NAMES[name][0], lambda text: self._rename(name, text), getattr(settings, name))

    def _rename(self, name: str, text: str) -> str:
        """Change a name; or say why it cannot be one."""
        settings = replace(self.duel.settings, **{name: text})
        try:
            first, second = clean_names(settings.name, settings.friend)
        except BadName as bad:
            return str(bad)
        self.duel.change_settings(replace(settings, name=first, friend=second))
        self.redraw()
        return ""
