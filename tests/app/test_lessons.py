"""Lessons: what may be chosen, what the table shows, and how they end."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.app.driving import SIZES, Visitor, visit

from digit_duel import games
from digit_duel.cli.app.drawing.canvas import Canvas
from digit_duel.cli.app.drawing.side import SIDE
from digit_duel.cli.app.drawing.table import WIDE, draw_table
from digit_duel.cli.app.state.lessons import Lessons
from digit_duel.cli.records import learning
from digit_duel.core.teaching import tutor

GAMES = ("classic", "reverse", "sabotage", "cards", "battle")


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
        "▌ 1b  Computer places 8 in its",
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


@pytest.mark.parametrize("game", GAMES)
def test_a_tutorial_is_played_to_its_end(game: str) -> None:
    variant = games.variant(game)
    lessons = Lessons(variant, 1)
    for number in range(1, 7):
        assert lessons.number == number
        good = lessons.lesson.good.split()
        found = next(
            m for m in tutor.moves(variant, lessons.lesson) if not good or variant.game.text(m) in good
        )
        assert learning.next_lesson(game, 6) == number
        while lessons.choice is not None:
            offers = [offer for offer in lessons.choice.offers if lessons.choice.leads(offer, found)]
            lessons.pick(offers[0])
        assert lessons.passed
        if lessons.over:
            break
        lessons.go_on()
    assert lessons.over
    assert learning.next_lesson(game, 6) == 1


def test_a_wrong_choice_in_a_lesson_is_explained_and_the_position_stays() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("t")
        shown = await visitor.sees("Classic, lesson 1 of")
        await visitor.press("1")
        await visitor.press("1")
        await visitor.pilot.pause(0.1)
        assert "Next lesson" not in visitor.text
        await visitor.press("s")
        await visitor.sees("lesson 2 of")
        await visitor.press("q")
        await visitor.sees("DIGIT DUEL")
        assert shown

    visit(session)
    assert learning.next_lesson("classic", 6) == 2


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_to_be_found_out_does_not_point_at_the_answer(game: str) -> None:
    variant = games.variant(game)
    for number in range(1, len(variant.tutorial.lessons) + 1 if variant.tutorial else 0):
        lessons = Lessons(variant, number)
        assert lessons.choice is not None
        good = [
            move for move in lessons.choice.moves if variant.game.text(move) in lessons.lesson.good.split()
        ]
        pointed = [offer for offer in lessons.choice.offers if offer.action == lessons.pointed_at()]
        leads = any(lessons.choice.leads(offer, move) for offer in pointed for move in good)
        assert leads is lessons.lesson.shown


def test_after_the_last_lesson_the_game_can_be_played_at_once() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("t", "s", "s", "s")
        await visitor.sees("lesson 4 of 4")
        await visitor.press("8", "1")
        await visitor.sees("P  Play it now", "Q  Back")
        await visitor.press("p")
        await visitor.sees("Player 1, your turn", "careful computer")
        await visitor.press("q")
        await visitor.sees("DIGIT DUEL")

    visit(session)
