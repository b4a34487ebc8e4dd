"""What is said at the table until the next key, lines to type in, and windows too small for the app."""

from __future__ import annotations

import pytest
from tests.app.driving import SIZES, Visitor, visit

from digit_duel import games
from digit_duel.cli.app.state import settings
from digit_duel.cli.play.plan import Plan
from digit_duel.cli.records.save_file import all_saves

CARDS = Plan(games.variant("cards"), ("Ann", "Ben"), seed="3")
CLASSIC = Plan(games.variant("classic"), ("Ann", "Ben"))
TOO_SMALL = "Make the window at least 60 by 20."
each_size = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


@each_size
def test_a_message_leaves_question_and_buttons_in_sight_and_goes_with_the_next_key(
    size: tuple[int, int],
) -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("enter", "k", "enter", "enter")
        question, buttons = "Ben: You drew a 0. Do you want to keep it?", ("Keep it", "Give it to Ann")
        await visitor.sees(question, *buttons)
        await visitor.press("u")
        shown = " ".join((await visitor.sees(question, *buttons, "That cannot be undone")).split())
        assert "hidden information has been shown since the last move." in shown or size[0] > 100
        await visitor.press("s")
        await visitor.sees(question, *buttons, "Saved. Every move is saved as you make it.")
        assert "undone" not in visitor.text
        await visitor.press("left")
        assert "Saved." not in visitor.text

    visit(session, CARDS, size)


def test_a_problem_with_a_name_stands_at_the_field_and_is_gone_on_the_next_screen() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("o", "down", "down", "down", "enter")
        assert visitor.text.split("\n")[-1] == " Your name:"
        field = visitor.field
        assert (field.display, field.value, field.selected_text) == (True, "Player 1", "Player 1")
        await visitor.press(*"player", "space", "2", "enter")  # what was selected is replaced
        shown = (await visitor.sees("The two players need different names.")).split("\n")
        assert shown[-1] == " Your name:"
        assert (field.display, field.value) == (True, "player 2")
        await visitor.press("backspace")
        assert "different names" not in visitor.text
        await visitor.press("backspace", "enter")
        await visitor.sees("▸ Your name", "   player\n")
        assert not field.display
        await visitor.press("enter", *"Player", "space", "2", "enter")
        await visitor.sees("different names")
        await visitor.press("escape", "escape")
        await visitor.sees("DIGIT DUEL")
        assert "different names" not in visitor.text

    visit(session)
    assert settings.load().name == "player"


@each_size
def test_a_key_that_means_nothing_is_answered(size: tuple[int, int]) -> None:
    async def session(visitor: Visitor) -> None:
        for keys, told in (("z", "digits"), ("9z", "keys"), ("7", "keys")):
            await visitor.press(*keys)
            await visitor.sees(f"Press one of the {told} shown.")
        await visitor.press("x", "z")
        await visitor.sees("Ann, do you want to resign?")
        assert "Press one" not in visitor.text

    visit(session, CLASSIC, size)


@each_size
def test_a_typed_move_has_a_label_below_the_question_and_stays_when_it_is_refused(
    size: tuple[int, int],
) -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("m")
        shown = await visitor.sees("Ann: Choose a digit for your side.")
        assert shown.split("\n")[-1] == " Your move, for example 1a1:"
        await visitor.press(*"9z", "enter")
        await visitor.sees("I don't understand '9z'.")
        assert visitor.field.value == "9z"
        await visitor.press("backspace", "a", "1", "enter")
        await visitor.sees("Ben: Choose a digit")

    visit(session, CLASSIC, size)
    assert all_saves()[0].read().moves == ("9a1",)


@pytest.mark.parametrize("small", [(40, 12), (59, 24), (80, 19), (20, 5)])
def test_a_window_that_is_too_small_shows_nothing_else_and_the_game_goes_on(small: tuple[int, int]) -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("9", "m")
        before = visitor.text
        await visitor.pilot.resize_terminal(*small)
        await visitor.pilot.pause()
        assert " ".join(visitor.text.split()) == TOO_SMALL
        assert not visitor.field.display
        assert not visitor.canvas.targets
        await visitor.press("1", "q", "enter")
        await visitor.pilot.resize_terminal(80, 24)
        await visitor.pilot.pause()
        assert visitor.text == before
        await visitor.press("escape", "1")
        await visitor.sees("Ann places 9 in their hundreds.")

    visit(session, CLASSIC)
    assert all_saves()[0].read().moves == ("9a1",)
