"""Key screens at three sizes, as they looked when somebody last looked at them.

After a wanted change: python -m tests.app.test_snapshots writes them again.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from tests.app.driving import SIZES

from digit_duel import games
from digit_duel.cli.app.drawing.canvas import Canvas
from digit_duel.cli.app.drawing.home import draw_home
from digit_duel.cli.app.drawing.table import WIDE, draw_table
from digit_duel.cli.app.state.home import home_view, miniature
from digit_duel.cli.app.state.lessons import Lessons
from digit_duel.cli.app.state.local import LocalTable
from digit_duel.cli.app.state.look_back import LookBack
from digit_duel.cli.app.state.opening import new_table
from digit_duel.cli.app.state.table import Phase
from digit_duel.cli.play.plan import Plan
from digit_duel.coach.review import review
from digit_duel.core.record import read_record

FOLDER = Path(__file__).parent / "snapshots"
# Moves of Ann, who plays against the computer unless there is a reason not to; the last turn stays open.
GAMES = {
    "classic": ("5 h",), "reverse": ("1 h",), "sabotage": ("9 2 th",), "cards": ("keep",), "battle": ("9 a",),
}  # fmt: skip

# Defending with 1 throws the win away.
REVIEWED = """\
[Game "battle"]
[First "Ann"]
[Second "Ben"]
[Result "0-1"]

1. x9 +8 2. +1 x7 3. +4 +6 4. x5 x3 5. x2 0-1
"""


def table_of(game: str, moves: tuple[str, ...]) -> LocalTable:
    plan = Plan(games.variant(game), ("Ann", "Computer"), (None, "random"), seed="7")
    table = new_table(plan)
    for move in moves:
        _until(table, Phase.TURN)
        assert table.choice is not None
        table.play(table.choice.typed(move))
    _until(table, Phase.TURN)
    return table


def _until(table: LocalTable, phase: Phase) -> None:
    while table.phase not in (phase, Phase.OVER):
        if table.phase is Phase.THINKING:
            table.play(table.think())
        elif table.phase is Phase.TURN:
            assert table.choice is not None
            table.play(table.choice.legal[0])
        else:
            table.go_on()


def drawn(name: str, size: tuple[int, int]) -> str:
    """A screen as text."""
    canvas = Canvas(*size)
    if name == "home":
        canvas.focus = "play classic"
        preview = miniature("classic", 3) if size[0] >= 110 else None
        draw_home(home_view("careful", None, preview), canvas)
    elif name == "lesson":
        draw_table(Lessons(games.variant("classic"), 1).view(), canvas)
    elif name == "review":
        game = LookBack(games.variant("battle"), read_record(REVIEWED))
        game.judge(review(game.variant, game.record))
        game.show_answer()
        game.evaluated(*game.evaluate())
        view = game.view()
        draw_table(view if size[0] >= WIDE else replace(view, coach=()), canvas)
    elif name in ("reveal", "end"):
        table = table_of("cards", ())
        _until(table, Phase.REVEAL if name == "reveal" else Phase.OVER)
        draw_table(table.view(), canvas)
        table.close()
    else:
        table = table_of(name, GAMES[name])
        view = table.view()
        canvas.focus = view.offers[0].action
        draw_table(view, canvas)
        table.close()
    return canvas.text + "\n"


NAMES = ["home", "lesson", "reveal", "end", "review", *GAMES]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", NAMES)
def test_a_screen_looks_as_it_did(name: str, size: tuple[int, int]) -> None:
    expected = (FOLDER / f"{name}-{size[0]}x{size[1]}.txt").read_text(encoding="utf-8")
    assert drawn(name, size) == expected
    assert len(expected.splitlines()) <= size[1]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        os.environ["DIGIT_DUEL_HOME"] = home
        for name in NAMES:
            for size in SIZES:
                path = FOLDER / f"{name}-{size[0]}x{size[1]}.txt"
                path.write_text(drawn(name, size), encoding="utf-8")
