"""What a click means everywhere, and what the arrow keys do not reach."""

from __future__ import annotations

import pytest
from tests.app.driving import SIZES, Visitor, visit

from digit_duel import games
from digit_duel.cli.app.screens.home import HomeScreen
from digit_duel.cli.app.screens.table import TableScreen
from digit_duel.cli.app.state.table import Phase
from digit_duel.cli.play.plan import Plan

CLASSIC = Plan(games.variant("classic"), ("Ann", "Ben"))
ARROWS = ("left", "up", "right", "down")
each_size = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


async def click_on(visitor: Visitor, text: str) -> None:
    """Click on the middle of a text where it first stands."""
    for y, line in enumerate(visitor.text.split("\n")):
        if text in line:
            await visitor.pilot.click(offset=(line.index(text) + len(text) // 2, y))
            await visitor.pilot.pause()
            return
    raise AssertionError(f"{text} is not on the screen:\n{visitor.text}")


@each_size
@pytest.mark.parametrize("arrow", ARROWS)
def test_arrows_and_enter_never_leave_a_game(arrow: str, size: tuple[int, int]) -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("2", *[arrow] * 4, "enter")  # the place where the 2 goes
        await visitor.sees("Ben: Choose a digit", "Ann places 2")

    visit(session, CLASSIC, size)


@each_size
def test_the_focus_is_always_in_sight(size: tuple[int, int]) -> None:
    async def session(visitor: Visitor) -> None:
        for key in ("left", "up", "right", "down", "down", "left"):
            await visitor.press(key)
            assert "╔" in visitor.text  # the frame around what Enter chooses

    visit(session, CLASSIC, size)


def test_the_arrows_go_to_and_fro_between_the_buttons_at_the_end() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("x", "y")
        await visitor.sees("║ N  Rematch ║")
        await visitor.press("right", "right")
        await visitor.sees("║ Q  Leave ║")
        await visitor.press("left")
        await visitor.sees("║ V  Review ║")

    visit(session, CLASSIC)


@each_size
def test_the_keys_in_the_last_line_can_be_clicked(size: tuple[int, int]) -> None:
    async def session(visitor: Visitor) -> None:
        await click_on(visitor, "h hint")
        await visitor.sees("9 in your hundreds (9a1).")
        await visitor.press("escape", "9")
        await click_on(visitor, "Esc another digit")
        await visitor.sees("Choose a digit")
        await click_on(visitor, "? keys")
        await visitor.sees("take back a move")
        await click_on(visitor, "Enter closes this")
        await click_on(visitor, "q leave")
        await visitor.pilot.pause()

    visit(session, CLASSIC, size)


@each_size
def test_a_click_on_the_title_leads_back(size: tuple[int, int]) -> None:
    async def session(visitor: Visitor) -> None:
        for key, title in (
            ("o", "Settings"),
            ("g", "Saved games"),
            ("s", "Results"),
            ("r", "Rules of classic"),
        ):
            await visitor.press(key)
            await click_on(visitor, title)
            assert isinstance(visitor.app.screen, HomeScreen)
        await visitor.press("f")
        assert isinstance(visitor.app.screen, TableScreen)
        await click_on(visitor, "Classic")
        assert isinstance(visitor.app.screen, HomeScreen)

    visit(session, size=size)


@pytest.mark.parametrize("game", games.ids())
def test_a_whole_game_by_clicks_alone_in_the_smallest_window(game: str) -> None:
    async def session(visitor: Visitor) -> None:
        for _ in range(1000):
            offers = visitor.table.view().offers
            if visitor.table.phase is Phase.OVER:
                break
            if visitor.table.phase is Phase.THINKING:
                await visitor.pilot.pause(0.01)
            else:
                await visitor.click(offers[-1].action if offers else "go on")
        await visitor.sees("★")
        await click_on(visitor, "Leave")
        assert not isinstance(visitor.app.screen, TableScreen)

    visit(session, Plan(games.variant(game), ("Ann", "Computer"), (None, "random"), seed="5"), (60, 20))
