"""What the table of a lesson shows besides the lesson itself."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.app.driving import SIZES

from digit_duel import games
from digit_duel.cli.app.drawing.canvas import Canvas
from digit_duel.cli.app.drawing.side import SIDE
from digit_duel.cli.app.drawing.table import WIDE, draw_table
from digit_duel.cli.app.state.lessons import Lessons
from digit_duel.core.teaching import tutor


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize(
    ("game", "number", "told"),
    [
        ("classic", 3, "975 against 864. Bigger wins, so you win!"),
        ("reverse", 3, "135 against 246. Smaller wins, so you win!"),
        ("sabotage", 4, "3810 and 3810. Equal, and you went second, so you win!"),
        ("battle", 3, "The computer has no life points left, so you win!"),
    ],
)
def test_a_lesson_that_ends_a_game_says_who_has_won(
    game: str, number: int, told: str, size: tuple[int, int]
) -> None:
    variant = games.variant(game)
    lessons = Lessons(variant, number)
    lessons.judge(tutor.pointed_at(variant, replace(lessons.lesson, shown=True)))
    canvas = Canvas(*size)
    draw_table(lessons.view(), canvas)
    assert "★ You" in canvas.text
    assert "▲" not in canvas.text  # who is ahead so far
    width = size[0] - SIDE if size[0] >= WIDE else size[0]
    shown = " ".join(" ".join(line[:width] for line in canvas.text.split("\n")).split())
    assert told in shown


def test_beside_a_lesson_are_the_moves_that_led_there_and_no_coach_who_cannot_be_asked() -> None:
    canvas = Canvas(140, 45)
    draw_table(Lessons(games.variant("classic"), 2).view(), canvas)
    side = [line[canvas.width - SIDE + 2 :] for line in canvas.text.split("\n")]
    assert side[4:7] == [
        "▌ 1a  You place 9 in your hundreds.",
        "▌ 1b  Computer places 8 in its own",
        "▌     hundreds.",
    ]
    assert "Coach" not in canvas.text


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_no_lesson_leaves_its_last_word_alone_in_a_line(size: tuple[int, int]) -> None:
    width = size[0] - SIDE if size[0] >= WIDE else size[0]
    for variant in games.catalogue().values():
        assert variant.tutorial is not None
        for number, lesson in enumerate(variant.tutorial.lessons, start=1):
            canvas = Canvas(*size)
            draw_table(Lessons(variant, number).view(), canvas)
            lines = [line[:width].strip() for line in canvas.text.split("\n")]
            assert " ".join(lesson.text.split()) in " ".join(lines)
            assert lesson.text.split()[-1] not in lines
