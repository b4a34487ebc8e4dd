"""Stopped, continued, hung up, resized: SAFETY H8."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from tests.terminal.console import _ON_A_TERMINAL, ALTERNATE, COMMAND, MAIN, Console, inside, without_escapes
from tests.terminal.prompts import PROMPTS, Prompt
from tests.terminal.walks import ALONE, save_of, wait_for

BY_NAME = {prompt.name: prompt for prompt in PROMPTS}
SOME = [BY_NAME[name] for name in ("classic place", "cards keep", "battle secret", "guide game", "replay")]
CTRL_Z = "\x1a"


@pytest.mark.parametrize("prompt", SOME, ids=lambda prompt: prompt.name)
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_polite_kill_restores_the_terminal_and_keeps_the_game(
    prompt: Prompt, number: int, code: int, tmp_path: Path
) -> None:
    with prompt.reach(tmp_path) as console:
        assert console.end_by(lambda: console.signal(number)) == code
        console.assert_restored()
    if prompt.plays:
        assert inside(tmp_path, "resume", typed="quit\n").code == 0


@pytest.mark.parametrize("prompt", SOME, ids=lambda prompt: prompt.name)
def test_a_closed_window_ends_the_command_with_129_and_keeps_the_game(prompt: Prompt, tmp_path: Path) -> None:
    complaints = tmp_path / "complaints"
    beside = f"import os; os.dup2(os.open({str(complaints)!r}, os.O_CREAT | os.O_WRONLY), 2); "
    home = tmp_path / "home"
    with _reach_with(prompt, home, (sys.executable, "-c", beside + _ON_A_TERMINAL)) as console:
        console.hang_up()
        assert console.process.wait(30) == 129
    assert complaints.read_text() == ""
    if prompt.plays:
        assert inside(home, "resume", typed="quit\n").code == 0


def _reach_with(prompt: Prompt, home: Path, command: tuple[str, ...]) -> Console:
    """The prompt, reached by a command of its own."""
    home.mkdir()
    if prompt.saved:
        save_of(home, *prompt.saved)
    (home / "record").write_text('[Game "classic"]\n[First "A"]\n[Second "B"]\n[Result "*"]\n\n1. 9a1 *\n')
    args = [str(home / "record") if arg == "record" else arg for arg in prompt.args]
    console = Console(home, *args, command=command)
    for text, answer in prompt.way:
        console.answer(text, answer)
    console.expect(prompt.text)
    return console


def bash(home: Path) -> Console:
    """An interactive shell with job control."""
    start = _ON_A_TERMINAL.split("; import runpy")[0] + "; import os; os.execvp('bash', ['bash', *OPTIONS])"
    start = start.replace("*OPTIONS", "'--norc', '--noprofile', '-i'")
    console = Console(home, command=(sys.executable, "-c", start), env={"PS1": "$ "})
    console.expect("$ ")
    return console


def test_ctrl_z_and_fg_in_an_open_game(tmp_path: Path) -> None:
    with bash(tmp_path) as console:
        console.enter(" ".join(COMMAND) + " play classic")
        console.expect("want to select: ")
        console.type(CTRL_Z)
        console.expect("Stopped")
        console.enter("echo still-$((40 + 2))")
        console.expect("still-42")
        console.enter("fg")
        console.expect("play classic")
        console.enter("9 h")
        console.expect("Player 1's Number: [9][ ][ ]")
        console.answer("want to select: ", "quit")
        console.expect("Your game is saved.")
        console.enter("exit")
        console.end()


def test_ctrl_z_in_a_private_game_shows_nothing_of_the_hand_and_fg_brings_it_back(tmp_path: Path) -> None:
    with bash(tmp_path) as console:
        console.enter(" ".join(COMMAND) + " play cards --draws 729518")
        console.answer(ALONE, "")
        console.expect("(yes/no): ")
        for _ in range(2):  # being stopped twice is no different
            console.type(CTRL_Z)
            console.expect("Stopped")
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
        console.enter(" ".join(COMMAND) + " resume")
        wait_for(console, "from 1 to 5: ")
        assert not console.echoes
        console.type(CTRL_Z)
        console.expect("Stopped")
        console.enter("stty -a")
        console.expect(" echo ")
        console.enter("fg")
        console.expect("resume\r\n")
        _until_hidden(console)
        console.enter("4")
        console.expect("sealed")
        console.type("\x03")
        console.expect("Your game is saved.")
        console.enter("exit")
        console.end()


def _until_hidden(console: Console) -> None:
    import time

    for _ in range(1000):
        if not console.echoes:
            return
        time.sleep(0.01)
    raise AssertionError("the secret would be seen")


@pytest.mark.parametrize("prompt", SOME, ids=lambda prompt: prompt.name)
def test_signals_of_a_changing_window_change_nothing(prompt: Prompt, tmp_path: Path) -> None:
    with prompt.reach(tmp_path) as console:
        for size in ((1, 1), (500, 200), (40, 12), (3, 80)):
            console.resize(*size)
            console.signal(signal.SIGWINCH)
            console.signal(signal.SIGCONT)
        console.enter("nonsense")
        console.expect(prompt.text)
        assert console.end_with("\x03") == 130
        console.assert_restored()


def test_a_window_that_shrinks_to_nothing_in_the_middle_of_a_move_is_played_on_in(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "classic") as console:
        console.answer("want to select: ", "9")
        console.resize(1, 1)
        console.answer("(hundreds/tens/units): ", "h")
        console.answer("want to select: ", "board")
        console.answer("want to select: ", "moves")
        console.resize(500, 24)
        console.answer("want to select: ", "help")
        console.answer("want to select: ", "8 h")
        console.resize(0, 0)
        console.answer("want to select: ", "quit")
        assert console.end() == 0
        console.assert_restored()
