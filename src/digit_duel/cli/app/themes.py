"""Colours by role, for light and dark terminals; one colour per player, the same everywhere."""

from __future__ import annotations

_ROLES = (
    "paper", "felt", "line", "text", "dim", "tile", "edge", "on_tile",
    "one", "two", "on_player", "focus", "button", "on_button", "back", "good", "bad",
)  # fmt: skip


def _theme(*colours: str) -> dict[str, str]:
    return dict(zip(_ROLES, colours, strict=True))


THEMES = {
    "night": _theme(
        "#191714", "#2a2620", "#5a5142", "#f4ede0", "#a89d8a", "#efe6d3", "#a8986f", "#221f1a",
        "#8fb0ff", "#ff9f68", "#191714", "#ffd75f", "#f4ede0", "#191714", "#5f7fd7", "#7fd7a5", "#f46675",
    ),
    "paper": _theme(
        "#f3ede1", "#e0d5bd", "#a8986f", "#221f1a", "#6d6455", "#fffdf6", "#b7a67c", "#221f1a",
        "#2f56c9", "#944000", "#ffffff", "#ffcf4d", "#221f1a", "#f3ede1", "#3d5bb0", "#206b4e", "#bc134c",
    ),
    "contrast": _theme(
        "#000000", "#262626", "#bcbcbc", "#ffffff", "#d0d0d0", "#ffffff", "#bcbcbc", "#000000",
        "#87d7ff", "#ffaf5f", "#000000", "#ffff00", "#ffffff", "#000000", "#87afff", "#87ff87", "#ff8787",
    ),
}  # fmt: skip
# For terminals with sixteen colours, where the nearest colours of the themes above would make one player
# look like plain text and the other like a mistake.
_DARK = _theme(
    "#000000", "#000000", "#555555", "#ffffff", "#aaaaaa", "#ffffff", "#aaaaaa", "#000000",
    "#55ffff", "#ff55ff", "#000000", "#ffff55", "#ffffff", "#000000", "#5555ff", "#55ff55", "#ff5555",
)  # fmt: skip
_LIGHT = _theme(
    "#ffffff", "#aaaaaa", "#555555", "#000000", "#555555", "#ffffff", "#555555", "#000000",
    "#0000aa", "#aa00aa", "#ffffff", "#ffff55", "#000000", "#ffffff", "#0000aa", "#00aa00", "#aa0000",
)  # fmt: skip
_SIXTEEN = {"night": _DARK, "paper": _LIGHT, "contrast": _DARK}
ABOUT = {
    "night": "Light on dark.",
    "paper": "Dark on light.",
    "contrast": "White on black, with high contrast.",
}
DEFAULT = "night"


def colours_of(theme: str, few: bool = False) -> dict[str, str]:
    """The colours of a theme by role, for a terminal with few colours if need be."""
    return (_SIXTEEN if few else THEMES)[theme]
