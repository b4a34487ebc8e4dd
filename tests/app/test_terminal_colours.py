"""The app's colours on real terminals: millions, 256, sixteen or none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.terminal.console import Console


@pytest.mark.parametrize(
    ("env", "kind"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, rb"38;2;\d+;\d+;\d+"),
        ({"TERM": "xterm-256color"}, rb"38;5;\d+"),
        ({"TERM": "xterm-16color"}, rb"\x1b\[[0-9;]*(3|9)[0-7]"),
    ],
    ids=["16 million", "256", "16"],
)
def test_colours_follow_the_terminal(env: dict[str, str], kind: bytes, tmp_path: Path) -> None:
    with Console(tmp_path, "play", "classic", env=env, full_screen=True) as console:
        console.expect("? keys")
        assert re.search(kind, console.shown)
        if b"5" not in kind and b"2;" not in kind:
            assert not re.search(rb"[34]8;[25];", console.shown)
        assert console.end_with("q") == 0


def test_players_have_colours_of_their_own_where_there_are_sixteen(tmp_path: Path) -> None:
    with Console(
        tmp_path, "play", "classic", "--vs", "computer", env={"TERM": "xterm"}, full_screen=True
    ) as console:
        console.expect("? keys")
        assert re.search("\x1b\\[[0-9;]*30;106m ▸ Player 1, your turn".encode(), console.shown)
        assert re.search("\x1b\\[[0-9;]*95;40m ● Computer".encode(), console.shown)
        assert console.end_with("q") == 0


def test_no_color_has_none(tmp_path: Path) -> None:
    env = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}
    with Console(tmp_path, "play", "classic", env=env, full_screen=True) as console:
        console.expect("? keys")
        coloured = re.findall(rb"[34]8;2;(\d+);(\d+);(\d+)", console.shown)
        assert all(red == green == blue for red, green, blue in coloured)
        assert console.end_with("q") == 0
