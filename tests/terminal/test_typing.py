"""Arrow keys, history and Tab at prompts on a terminal; none of them for what is secret."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.terminal.console import Console, run
from tests.terminal.walks import ALONE, PASS_ON, save_of

UP, LEFT, TAB = "\x1b[A", "\x1b[D", "\t"
DIGIT, PLACE = "want to select: ", "(hundreds/tens/units): "
KILL_LINE, YANK = "\x15", "\x19"


def test_the_left_arrow_moves_the_cursor_in_the_line(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "classic") as console:
        console.expect(DIGIT)
        console.enter(" h" + LEFT + LEFT + "9")
        console.expect("Player 1's Number: [9][ ][ ]")


def test_the_up_arrow_brings_back_what_was_typed_before(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "classic") as console:
        console.answer(DIGIT, "7")
        console.answer(PLACE, "tens")
        console.expect(DIGIT)
        console.enter("6")
        console.expect(PLACE)
        console.enter(UP + UP)
        console.expect("Player 2's Number: [ ][6][ ]")


@pytest.mark.parametrize(("typed", "place"), [("h\bu", "[ ][ ][9]"), ("t", "[ ][9][ ]"), ("hu", "[9][ ][ ]")])
def test_tab_completes_an_answer(typed: str, place: str, tmp_path: Path) -> None:
    with Console(tmp_path, "play", "classic") as console:
        console.answer(DIGIT, "9")
        console.expect(PLACE)
        console.enter(typed.replace("\b", "\x7f") + TAB)
        console.expect(f"Player 1's Number: {place}")


def test_tab_completes_the_second_word_of_a_whole_move_and_commands(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "classic") as console:
        console.expect(DIGIT)
        console.enter("9 t" + TAB)
        console.expect("Player 1's Number: [ ][9][ ]")
        console.expect(DIGIT)
        console.enter("res" + TAB)
        console.expect("resign? (yes/no): ")


def test_tab_completes_only_what_can_be_chosen(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "classic") as console:
        console.answer(DIGIT, "9 h")
        console.expect(DIGIT)
        console.type(TAB + TAB)
        listed = console.expect(DIGIT).decode().split()
        assert {"1", "8", "board", "hint"} <= set(listed)
        assert "9" not in listed


def test_a_secret_digit_is_not_in_the_history(tmp_path: Path) -> None:
    save_of(tmp_path, "battle", 9)
    with Console(tmp_path, "resume") as console:
        for digit in ("4", "2"):
            console.answer(PASS_ON, "")
            console.answer("from 1 to 5: ", digit)
        console.expect(PASS_ON)
        console.type(UP + UP)
        console.enter("")
        assert not any(character.isdigit() for character in console.rest_of_line())
        console.expect("from 1 to 5: ")


def test_on_the_private_screen_nobody_recalls_what_the_other_typed_or_deleted(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "cards", "--seed", "7") as console:
        console.answer(ALONE, "")
        console.expect("(yes/no): ")
        console.type("keepsake" + KILL_LINE)
        console.enter("yes")
        console.answer("cover your hand. ", "")
        console.answer(ALONE, "")
        console.expect("(yes/no): ")
        before = len(console.shown)
        console.type(UP + YANK)
        console.enter("")
        console.expect("Choose: yes, no")
        assert b"keepsake" not in console.shown[before:]
        assert b"yes\r" not in console.shown[before:].split(b"Choose")[0]


@pytest.mark.parametrize("env", [{}, {"TERM": "dumb"}])
def test_pipes_and_plain_terminals_never_import_the_line_editor(env: dict[str, str], tmp_path: Path) -> None:
    done = run(tmp_path, "play", "classic", typed="9 h\nquit\n", PYTHONVERBOSE="1", **env)
    assert "import 'readline'" not in done.error
    with Console(tmp_path, "play", "classic", "--plain", env={"PYTHONVERBOSE": "1", **env}) as console:
        console.answer(DIGIT, "quit")
        assert console.end() == 0
        assert b"import 'readline'" not in console.shown


def test_a_long_wait_is_explained_and_the_note_removed(tmp_path: Path) -> None:
    slow = (
        "import fcntl, sys, termios, time; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
        "from digit_duel.bots.random import RandomBot; choose = RandomBot.choose; "
        "RandomBot.choose = lambda *given: (time.sleep(1.5), choose(*given))[1]; "
        "import runpy; runpy.run_module('digit_duel', run_name='__main__', alter_sys=True)"
    )
    args = ("play", "classic", "--vs", "computer", "--level", "random")
    with Console(tmp_path, *args, command=(sys.executable, "-c", slow)) as console:
        console.answer(DIGIT, "9 h")
        console.expect(b"thinking...\r\x1b[K")
        console.expect("Computer places")
        console.expect(DIGIT)


def test_a_quick_reply_needs_no_note(tmp_path: Path) -> None:
    done = run(tmp_path, "play", "classic", "--vs", "computer", "--level", "random", typed="9 h\nquit\n")
    assert "thinking" not in done.text


def test_a_match_keeps_one_order_of_names_in_the_score(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "classic", "--match", "3", "--names", "Ann", "Ben") as console:
        for heading in (
            "Match score: Ann: 0, Ben: 0. Ann goes first.",
            "Match score: Ann: 0, Ben: 1. Ben goes first.",
        ):
            console.expect(heading)
            console.answer(DIGIT, "resign")
            console.answer("resign? (yes/no): ", "yes")
        console.expect("Match score: Ann: 1, Ben: 1. Ann goes first.")


def test_the_move_of_a_computer_is_told_once(tmp_path: Path) -> None:
    args = ("play", "classic", "--vs", "computer", "--level", "random", "--seed", "1")
    with Console(tmp_path, *args) as console:
        console.answer(DIGIT, "9 h")
        told = console.expect(DIGIT).decode()
    assert told.count("Computer places") == 1
    assert told.count("Computer's Number") == 1  # the board after it, as in the rulebook
    done = run(tmp_path, "play", "sabotage", *args[2:], typed="9 1 th\nquit\n")
    assert "Computer places" not in done.text
    assert done.text.count("Computer assigned digit") == 1
