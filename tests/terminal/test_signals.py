"""Stopped, continued, hung up, resized: SAFETY H8."""

from __future__ import annotations

import signal
import sys
import time
from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest
from tests.terminal.console import (
    ALTERNATE,
    COMMAND,
    MAIN,
    ON_A_TERMINAL,
    TIMEOUT,
    Console,
    inside,
    without_escapes,
)
from tests.terminal.prompts import SOME, Prompt
from tests.terminal.walks import ALONE, save_of, wait_for

from digit_duel.cli.screen.progress_line import ProgressLine

CTRL_C, CTRL_Z = "\x03", "\x1a"


@pytest.mark.parametrize("prompt", SOME, ids=lambda prompt: prompt.name)
def test_a_closed_window_ends_the_command_with_129_and_keeps_the_game(prompt: Prompt, tmp_path: Path) -> None:
    errors, home = tmp_path / "errors", tmp_path / "home"
    beside = f"import os; os.dup2(os.open({str(errors)!r}, os.O_CREAT | os.O_WRONLY), 2); "
    with prompt.reach(home, command=(sys.executable, "-c", beside + ON_A_TERMINAL)) as console:
        console.hang_up()
        assert console.process.wait(TIMEOUT) == 129
    assert errors.read_text() == ""
    if prompt.plays:
        assert inside(home, "resume", typed="quit\n").code == 0


def press_until(console: Console, key: str, shown: str) -> None:
    """Press a key, again if need be: Python sees a signal just before a read only with the next one."""
    for _ in range(60):
        console.type(key)
        with suppress(AssertionError):
            console.expect(shown, timeout=1)
            return
    raise AssertionError(f"waited for {shown!r}, saw {console.text[-500:]}")


def bash(home: Path) -> Console:
    """An interactive shell with job control."""
    start = ON_A_TERMINAL.split("; import runpy")[0]
    start += "; import os; os.execvp('bash', ['bash', '--norc', '--noprofile', '-i'])"
    console = Console(home, command=(sys.executable, "-c", start), env={"PS1": "$ "})
    console.expect("$ ")
    return console


def test_ctrl_z_and_fg_in_an_open_game(tmp_path: Path) -> None:
    with bash(tmp_path) as console:
        console.enter(" ".join(COMMAND) + " play classic --lines")
        console.expect("want to select: ")
        press_until(console, CTRL_Z, "Stopped")
        console.enter("echo still-$((40 + 2))")
        console.expect("still-42")
        console.enter("fg")
        console.expect("play classic --lines")
        console.enter("9 h")
        console.expect("Player 1's Number: [9][ ][ ]")
        console.answer("want to select: ", "quit")
        console.expect("Your game is saved.")
        console.enter("exit")
        console.end()


@pytest.mark.parametrize("columns", [50, 80])
def test_a_long_solve_tells_how_far_it_is_and_stops_with_a_sentence(columns: int, tmp_path: Path) -> None:
    """In a narrow window a line that wrapped could not be written over."""
    command = ("solve", "cards", "--set", "facing_full=must_keep")
    with Console(tmp_path, *command, size=(columns, 24), full_screen=True) as console:
        console.expect("passes over all states, within ")
        console.expect("\r")
        console.type(CTRL_C)
        console.expect("Stopped before the game was solved.")
        assert console.end() == 130
        lines = console.shown.decode().split("\r")
    shown = [line for line in lines if "passes" in line]
    assert {len(line.removesuffix("^C")) for line in shown} == {min(columns - 1, 75)}


def test_nothing_of_a_longer_progress_line_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    written = StringIO()
    monkeypatch.setattr(written, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", written)
    monkeypatch.setattr("digit_duel.cli.screen.progress_line._SHORT", -1)
    monkeypatch.setattr("digit_duel.cli.screen.progress_line._PAUSE", -1)
    with ProgressLine() as progress:
        progress(1234, unit="passes over all states")
        progress(1, 691, "rounds")
    first, second, blank = written.getvalue().split("\r")[1:4]
    assert first.rstrip() == "1,234 passes over all states ... Ctrl-C stops"
    assert second.rstrip() == "1 of 691 (0%) rounds ... Ctrl-C stops"
    assert len(first) == len(second) == len(blank)
    assert blank.strip() == ""


def test_half_a_line_is_still_there_after_ctrl_z_and_fg(tmp_path: Path) -> None:
    with bash(tmp_path) as console:
        console.enter(" ".join(COMMAND) + " play classic --lines")
        console.expect("want to select: ")
        console.type("9 ")
        console.expect("9 ")
        press_until(console, CTRL_Z, "Stopped")
        console.enter("stty -a")
        console.expect(" icanon ")
        console.enter("fg")
        console.expect("want to select: 9 ")
        console.enter("h")
        console.expect("Player 1's Number: [9][ ][ ]")
        console.answer("want to select: ", "quit")
        console.expect("Your game is saved.")
        console.enter("exit")
        console.end()


def test_ctrl_z_in_a_private_game_shows_nothing_of_the_hand_and_fg_brings_it_back(tmp_path: Path) -> None:
    with bash(tmp_path) as console:
        console.enter(" ".join(COMMAND) + " play cards --draws 729518 --lines")
        console.answer(ALONE, "")
        console.expect("(yes/no): ")
        for _ in range(2):  # being stopped twice is no different
            press_until(console, CTRL_Z, "Stopped")
            assert console.on_main_screen
            console.enter("stty -a")
            console.expect(" echo ")
            console.expect("$ ")
            shown = len(console.shown)
            console.enter("fg")
            console.expect("(yes/no): ")
            private = console.shown[shown:].partition(ALTERNATE)[2]
            assert MAIN not in private
            assert b"7" in without_escapes(private)
        console.enter("y")
        console.expect("cover your hand. ")
        console.enter("quit")
        console.expect("Your game is saved.")
        assert console.on_main_screen
        console.enter("exit")
        console.end()


def test_ctrl_z_at_a_secret_shows_what_is_typed_in_the_shell_and_hides_it_again_after_fg(
    tmp_path: Path,
) -> None:
    save_of(tmp_path, "battle", 9)
    with bash(tmp_path) as console:
        console.enter(" ".join(COMMAND) + " resume --lines")
        wait_for(console, "from 1 to 5: ")
        press_until(console, CTRL_Z, "Stopped")
        console.enter("stty -a")
        console.expect(" echo ")
        console.enter("fg")
        console.expect("resume --lines\r\n")
        deadline = time.monotonic() + TIMEOUT
        while console.echoes:
            assert time.monotonic() < deadline, "the secret would be seen"
            time.sleep(0.01)
        console.enter("4")
        console.expect("sealed")
        press_until(console, CTRL_C, "Your game is saved.")
        console.enter("exit")
        console.end()


def test_a_window_that_changes_in_the_middle_of_a_move_changes_nothing_else(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "classic") as console:
        console.answer("want to select: ", "9")
        for size in ((1, 1), (500, 200), (40, 12), (3, 80), (0, 0)):
            console.expect("(hundreds/tens/units): ")
            console.resize(*size)
            console.signal(signal.SIGWINCH)
            console.enter("nonsense")
        console.answer("(hundreds/tens/units): ", "h")
        console.answer("want to select: ", "board")
        console.resize(1, 1)
        console.answer("want to select: ", "moves")
        console.answer("want to select: ", "help")
        console.answer("want to select: ", "8 h")
        console.answer("want to select: ", "quit")
        assert console.end() == 0
        console.assert_restored()
