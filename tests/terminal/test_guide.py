"""The guided start: Enter takes the default, help explains, names are asked, and a game is offered again."""

from __future__ import annotations

from pathlib import Path

from tests.terminal.console import Console
from tests.terminal.walks import save_of

from digit_duel.cli.records.save_file import all_saves

DIGIT = "want to select: "


def test_enter_alone_starts_the_first_game_against_the_middle_level(tmp_path: Path) -> None:
    with Console(tmp_path) as console:
        for default in ("classic", "rulebook", "computer", "careful", "Player 1", "1"):
            console.expect(f"(Enter: {default})")
            console.answer("> ", "")
        console.answer(DIGIT, "9 h")
        console.answer(DIGIT, "quit")
        assert console.end() == 0
    record = all_saves()[0].read()
    assert (record.game, record.names) == ("classic", ("Player 1", "Computer"))
    assert record.headers["ComputerSecond"] == "careful"


def test_two_people_are_asked_for_their_names_which_must_differ(tmp_path: Path) -> None:
    with Console(tmp_path) as console:
        console.answer("> ", "battle")
        console.answer("> ", "rulebook")
        console.answer("> ", "person")
        console.answer("> ", "Ann")
        console.answer("> ", "ann")
        console.expect("The two players need different names.")
        console.answer("> ", "Ben")
        console.expect("2     Ben")
        console.answer("> ", "2")
        console.expect("Ben's turn.")
        console.answer("digit to use: ", "quit")
        assert console.end() == 0


def test_a_fair_edition_can_be_chosen(tmp_path: Path) -> None:
    with Console(tmp_path) as console:
        console.answer("> ", "classic")
        console.expect("Which rules?")
        console.answer("> ", "fair")
        for _ in range(4):
            console.answer("> ", "")
        console.expect("You draw a")
        console.answer("position to place the digit", "h")
        console.answer("position to place the digit", "quit")
        assert console.end() == 0
    assert all_saves()[0].read().options == {"pick": "draw"}


def test_an_answer_that_is_not_understood_is_quoted_as_typed(tmp_path: Path) -> None:
    with Console(tmp_path) as console:
        console.answer("> ", "Chess")
        console.expect("I don't understand 'Chess'. Choose: classic, reverse, sabotage, cards, battle")
        console.answer("> ", "quit")
        assert console.end() == 0


def test_help_says_what_can_be_typed(tmp_path: Path) -> None:
    with Console(tmp_path) as console:
        console.answer("> ", "help")
        console.expect(
            "Type a word from the list or its first letters; Enter alone takes classic. Type quit to leave."
        )
        console.answer("> ", "quit")
        assert console.end() == 0


def test_an_unfinished_game_is_offered_and_enter_resumes_it(tmp_path: Path) -> None:
    save_of(tmp_path, "classic", 2)
    with Console(tmp_path) as console:
        console.expect("A game is waiting for you: classic, Player 1 - Player 2.")
        console.answer("Enter for yes): ", "")
        console.expect("Player 1, it's your turn.")
        console.answer(DIGIT, "quit")
        assert console.end() == 0
    with Console(tmp_path) as console:
        console.answer("Enter for yes): ", "no")
        console.expect("Which game?")
        console.answer("> ", "quit")
        assert console.end() == 0
    assert len(all_saves()) == 1
