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
        "#8fb0ff", "#ff9f68", "#191714", "#ffd75f", "#f4ede0", "#191714", "#5f7fd7", "#7fd7a5", "#ff8a80",
    ),
    "paper": _theme(
        "#f3ede1", "#e0d5bd", "#a8986f", "#221f1a", "#6d6455", "#fffdf6", "#b7a67c", "#221f1a",
        "#2f56c9", "#b23a08", "#ffffff", "#ffcf4d", "#221f1a", "#f3ede1", "#3d5bb0", "#1b7f4b", "#b42318",
    ),
    "contrast": _theme(
        "#000000", "#262626", "#bcbcbc", "#ffffff", "#d0d0d0", "#ffffff", "#bcbcbc", "#000000",
        "#87d7ff", "#ffaf5f", "#000000", "#ffff00", "#ffffff", "#000000", "#87afff", "#87ff87", "#ff8787",
    ),
}  # fmt: skip
ABOUT = {
    "night": "Light on dark.",
    "paper": "Dark on light.",
    "contrast": "White on black, with high contrast.",
}
DEFAULT = "night"
