"""The table: hints, consent, resigning, rematches, matches, and what is kept when something goes wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.app.driving import Visitor, visit

from digit_duel import games
from digit_duel.cli.app.drawing.canvas import Canvas
from digit_duel.cli.app.drawing.table import draw_table
from digit_duel.cli.app.screens.home import HomeScreen
from digit_duel.cli.app.state.look_back import LookBack
from digit_duel.cli.play.plan import Plan
from digit_duel.cli.records.save_file import all_saves
from digit_duel.core.match import Match
from digit_duel.core.record import Record

CLASSIC = Plan(games.variant("classic"), ("Ann", "Ben"))
AGAINST = Plan(games.variant("classic"), ("Ann", "Computer"), (None, "sensible"), seed="1")


@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
def test_a_hint_names_a_move_and_the_reason(size: tuple[int, int]) -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("h")
        await visitor.sees("Hint: 9 in your hundreds (9a1).")  # the one opening that wins
        if size == (80, 24):  # a panel lies over a narrow table: Enter closes it, and so does any choice
            await visitor.press("enter")
            assert "Hint" not in visitor.text
            await visitor.sees("Choose a digit")
            await visitor.press("h")
            await visitor.sees("Hint: 9 in your hundreds (9a1).")
        await visitor.press("9")
        await visitor.sees("Where does the 9 go?")

    visit(session, AGAINST, size)


def test_two_people_take_a_move_back_only_if_the_other_agrees() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("9", "1")
        await visitor.press("u")
        await visitor.sees("Ann places 9 in their hundreds. Ben, may Ann take that back?")
        await visitor.press("n")
        await visitor.sees("Ben: Choose a digit")
        await visitor.press("u", "y")
        await visitor.sees("The last move is taken back.", "Ann: Choose a digit")

    visit(session, CLASSIC)
    assert all_saves()[0].read().moves == ()


def test_against_the_computer_my_last_choice_is_taken_back_at_once() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("9", "1")
        await visitor.sees("Computer places")
        await visitor.press("u")
        await visitor.sees("Your last choice is taken back.", "Choose a digit")

    visit(session, AGAINST)
    assert all_saves()[0].read().moves == ()


def test_escape_and_undo_go_back_one_choice() -> None:
    async def session(visitor: Visitor) -> None:
        for key in ("escape", "u"):
            await visitor.press("9")
            await visitor.sees("Where does the 9 go?")
            await visitor.press(key)
            await visitor.sees("Choose a digit")

    visit(session, CLASSIC)


def test_a_digit_that_cannot_be_chosen_is_answered() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("0")
        await visitor.sees("Press one of the digits shown.")
        await visitor.press("9")
        await visitor.sees("Where does the 9 go?")
        assert "Press one of" not in visitor.text
        await visitor.press("4")
        await visitor.sees("Press one of the keys shown.")
        await visitor.press("1")
        await visitor.sees("Ben: Choose a digit")

    visit(session, CLASSIC)


def test_resigning_is_asked_once_more_and_ends_the_game() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("x")
        await visitor.sees("Ann, do you want to resign?")
        await visitor.press("enter")  # No has the focus
        await visitor.sees("Ann: Choose a digit")
        await visitor.press("x", "y")
        await visitor.sees("Ann resigns. Ben wins!", "Games won: Ann: 0, Ben: 1")

    visit(session, CLASSIC)
    assert all_saves()[0].read().headers["Ended"] == "resignation"


def test_a_game_without_moves_cannot_be_reviewed_and_says_so() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("x", "y")
        await visitor.press("v")
        await visitor.sees("No moves yet.", "Rematch")

    visit(session, CLASSIC)


def test_a_rematch_swaps_seats_and_counts_games() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("x", "y")
        await visitor.sees("Rematch")
        await visitor.press("enter")
        await visitor.sees("Ben: Choose a digit", "Games won: Ann: 0, Ben: 1")
        await visitor.press("x", "y")
        await visitor.sees("Games won: Ann: 1, Ben: 1")

    visit(session, CLASSIC)
    assert sorted(save.read().result for save in all_saves()) == ["0-1", "0-1"]


def test_the_games_won_against_the_computer_begin_with_the_person() -> None:
    async def session(visitor: Visitor) -> None:
        for times in ("1", "2"):  # the seats are swapped between the games
            await visitor.press("x", "y")
            await visitor.sees(f"Games won: Zoe: 0, Bot: {times}")
            await visitor.press("n")
            await visitor.sees("Zoe, your turn")

    visit(session, Plan(games.variant("classic"), ("Zoe", "Bot"), (None, "random"), seed="1"))


def test_a_match_goes_on_until_it_is_decided() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("x", "y")
        await visitor.sees("Ann: 0, Ben: 1 · best of 3", "Next game")
        await visitor.press("n")
        await visitor.sees("Ben: Choose a digit")
        await visitor.press("9", "1", "x", "y")  # Ann, who is second now, resigns
        await visitor.sees("Ann: 0, Ben: 2 · best of 3", "Review")
        assert "Next game" not in visitor.text

    visit(session, Plan(games.variant("classic"), ("Ann", "Ben"), match=Match(best_of=3)))


def test_every_move_is_on_disk_as_soon_as_it_is_shown() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("9", "1")
        assert all_saves()[0].read().moves == ("9a1",)

    visit(session, CLASSIC)


def test_a_game_that_cannot_be_saved_goes_on_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("DIGIT_DUEL_HOME", str(tmp_path / "file"))

    async def session(visitor: Visitor) -> None:
        await visitor.press("9", "1")
        await visitor.sees("Ann places 9 in their hundreds.")
        assert visitor.table.status == "The last moves could not be saved: File exists."

    visit(session, CLASSIC)


def test_the_rules_open_over_the_game_and_leave_it_as_it_was() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("9")
        await visitor.press("r")
        await visitor.sees("Rules of classic", "Build the higher three-digit number.")
        await visitor.press("q")
        await visitor.sees("Where does the 9 go?")

    visit(session, CLASSIC)


def test_all_moves_of_a_long_game_can_be_read() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.to_the_end(lambda table: "k" if table.view().scene.drawn is not None else "1")
        last = len([line for line in visitor.table.view().moves if line.number])
        await visitor.press("l")
        shown = await visitor.sees("Moves so far", f"of {last}")
        assert "\n  1. " not in shown
        await visitor.press("home")
        await visitor.sees("\n  1. Ann keeps")
        await visitor.press("q")
        await visitor.sees("Rematch")

    plan = Plan(games.variant("cards").customised({"visibility": "open"}), ("Ann", "Ben"), seed="2")
    visit(session, plan, (60, 20))


def test_a_round_of_cards_is_shown_until_somebody_goes_on() -> None:
    plan = Plan(
        games.variant("cards"), ("Ann", "Computer"), (None, "random"), seed="3", draws=tuple("987123")
    )

    async def session(visitor: Visitor) -> None:
        for _ in range(60):
            if "Next round" in visitor.text:
                break
            if visitor.table.choice is not None:
                await visitor.press("enter")
            else:
                await visitor.pilot.pause(0.01)
        shown = await visitor.sees("wins the round", "Next round")
        await visitor.pilot.pause(0.2)
        assert visitor.text == shown
        await visitor.press("enter")
        await visitor.sees("Round 2")

    visit(session, plan)


def test_leaving_a_game_brings_back_the_first_screen_which_offers_to_go_on() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("2")  # reverse, against the computer
        await visitor.sees("Reverse", "your turn")
        await visitor.press("1", "1")
        await visitor.sees("Computer places")
        await visitor.press("q")
        await visitor.sees("Continue your game", "Reverse: Player 1 - Computer, Player 1 to move")
        assert isinstance(visitor.app.screen, HomeScreen)
        await visitor.press("up", "up", "up", "enter")
        await visitor.sees("Reverse", "your turn", "Computer places")  # the last move is told again

    visit(session)
    assert len(all_saves()) == 1


def test_a_game_left_before_its_first_move_is_not_offered() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("2")
        await visitor.sees("Reverse", "your turn")
        assert len(all_saves()) == 1  # a crash would find it
        await visitor.press("q")
        await visitor.sees("DIGIT DUEL")
        assert "Continue your game" not in visitor.text

    visit(session)
    assert all_saves() == []


def test_the_digits_of_the_last_reveal_are_called_so_until_somebody_chooses() -> None:
    """They lay on the table like the next choice."""
    moves = ("+9", "+3", "+4", "x5", "x2", "x7", "x8", "x6", "x1", "a3", "b3", "a5", "b1")
    game = LookBack(games.variant("battle"), Record("battle", {}, ("Ann", "Ben"), moves, "1-0"))

    def captions() -> int:
        canvas = Canvas(80, 24)
        draw_table(game.view(), canvas)
        return canvas.text.count("last reveal")

    game.go(9)
    found = [captions()]
    for _ in moves[9:]:
        game.go(1)
        found.append(captions())
    assert found == [0, 0, 2, 0, 0]
