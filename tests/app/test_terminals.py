"""The app on real terminals: which of them get it, killed, suspended, resized, and nothing left behind."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.surroundings import environment
from tests.terminal.console import COMMAND, MAIN, Console, run

from digit_duel.cli.records.save_file import all_saves

APP = b"\x1b[?1049h"  # the app begins with the alternate screen
DIGIT = "want to select: "


@pytest.mark.parametrize(
    ("args", "size", "env"),
    [
        (("play", "classic", "--lines"), (80, 24), {}),
        (("--lines", "play", "classic"), (80, 24), {}),
        (("play", "classic", "--plain"), (80, 24), {}),
        (("--plain", "play", "classic"), (80, 24), {}),
        (("play", "classic"), (59, 24), {}),
        (("play", "classic"), (80, 19), {}),
        (("play", "classic"), (80, 24), {"TERM": "dumb"}),
        (("play", "classic"), (80, 24), {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    ],
    ids=["--lines", "--lines first", "--plain", "--plain first", "narrow", "low", "dumb", "ASCII"],
)
def test_these_terminals_get_the_session_line_by_line(
    args: tuple[str, ...], size: tuple[int, int], env: dict[str, str], tmp_path: Path
) -> None:
    with Console(tmp_path, *args, size=size, env=env, full_screen=True) as console:
        console.answer(DIGIT, "quit")
        assert console.end() == 0
        assert APP not in console.shown


@pytest.mark.parametrize("args", [("--version",), ("play", "classic"), ("play", "classic", "--plain"), ()])
def test_what_needs_no_full_screen_never_imports_textual(args: tuple[str, ...], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "digit_duel", *args],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment(tmp_path), timeout=60,
    )  # fmt: skip
    assert "digit_duel" in done.stderr
    assert not re.search(r"\| +(textual|rich|numpy)\b", done.stderr)


def test_line_mode_on_a_terminal_never_imports_textual(tmp_path: Path) -> None:
    program = (
        "import sys, atexit; atexit.register(lambda: print('textual' in sys.modules)); "
        "import runpy; runpy.run_module('digit_duel', run_name='__main__', alter_sys=True)"
    )
    with Console(tmp_path, "play", "classic", command=(sys.executable, "-c", program)) as console:
        console.answer(DIGIT, "quit")
        console.end()
        assert console.text.split()[-1] == "False"


class Tmux:
    """The app in a real terminal emulator, with a history that can be scrolled back to."""

    def __init__(self, home: Path, *args: str, size: tuple[int, int] = (80, 24), **env: str) -> None:
        self._call = ["tmux", "-S", f"{home}/tmux-{time.monotonic_ns()}", "-f", "/dev/null"]
        settings = [f"DIGIT_DUEL_HOME={home}", "LC_ALL=C.UTF-8", *(f"{key}={env[key]}" for key in env)]
        shell = [
            "env",
            "-u",
            "COLUMNS",
            "-u",
            "LINES",
            *settings,
            "PS1=$ ",
            "bash",
            "--norc",
            "--noprofile",
            "-i",
        ]
        self._run("new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), *shell)
        self.sees("$")
        self.type(" ".join([*COMMAND, *args]))

    def _run(self, *args: str) -> str:
        return subprocess.run([*self._call, *args], check=True, capture_output=True, text=True).stdout

    def type(self, line: str) -> None:
        self._run("send-keys", "-l", line)
        self._run("send-keys", "Enter")

    def press(self, *keys: str) -> None:
        self._run("send-keys", *keys)

    @property
    def screen(self) -> str:
        """What can be seen now."""
        return self._run("capture-pane", "-p")

    @property
    def colours(self) -> str:
        """The same with escape sequences."""
        return self._run("capture-pane", "-p", "-e")

    def everything(self) -> str:
        """The screen and all that was scrolled away, with the screen behind the app."""
        behind = self._run("capture-pane", "-p", "-q", "-a", "-S", "-")
        return behind + self._run("capture-pane", "-p", "-S", "-")

    def sees(self, *texts: str) -> str:
        """Wait until all texts are on the screen."""
        deadline = time.monotonic() + 90
        while time.monotonic() < deadline:
            shown = self.screen
            if all(text in shown for text in texts):
                return shown
            time.sleep(0.05)
        raise AssertionError(f"waited for {texts}, saw\n{self.screen}")

    def sees_no_more(self, text: str) -> None:
        """Wait until a text is gone from the screen."""
        deadline = time.monotonic() + 90
        while text in self.screen:
            assert time.monotonic() < deadline, f"{text} is still there"
            time.sleep(0.05)

    def resize(self, columns: int, rows: int) -> None:
        self._run("resize-window", "-x", str(columns), "-y", str(rows))

    @property
    def program(self) -> int:
        """The process of the app."""
        shell = self._run("list-panes", "-F", "#{pane_pid}").strip()
        found = subprocess.run(["pgrep", "-P", shell], check=True, capture_output=True, text=True).stdout
        return int(found.split()[0])

    def close(self) -> None:
        subprocess.run([*self._call, "kill-server"], check=False, capture_output=True)


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Callable[..., Tmux]]:
    if not shutil.which("tmux"):
        pytest.skip("needs tmux")
    opened: list[Tmux] = []

    def open_one(*args: str, size: tuple[int, int] = (80, 24), **env: str) -> Tmux:
        opened.append(Tmux(tmp_path, *args, size=size, **env))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def test_killed_after_a_move_the_game_is_there_again(tmux: Callable[..., Tmux]) -> None:
    pane = tmux("play", "classic", "--names", "Ann", "Ben")
    pane.sees("Ann: Choose a digit", "? keys")
    pane.press("9")
    pane.sees("Where does the 9 go?")
    pane.press("1")
    pane.sees("Ann places 9 in their hundreds.")
    os.kill(pane.program, signal.SIGKILL)
    assert all_saves()[0].read().moves == ("9a1",)
    again = tmux("resume")
    again.sees("Ben: Choose a digit", "highest possible 876", "? keys")
    again.press("q")
    again.sees("Your game is saved. To continue: digit-duel resume")


def test_keys_that_arrive_together_act_in_order(tmux: Callable[..., Tmux]) -> None:
    pane = tmux("play", "classic")
    pane.sees("Choose a digit", "? keys")
    pane.press("m")
    pane.sees("Your move, for example")
    pane.press("9", "Space", "t", "BSpace", "h", "Enter")  # one packet, as over a slow connection
    pane.sees("Player 1 places 9 in their hundreds.")
    pane.press("Right", "Right", "Right", "Enter")
    pane.sees("Where does the 4 go?")
    pane.press("q")
    pane.sees("Your game is saved.")
    assert all_saves()[0].read().moves == ("9a1",)


def test_a_game_that_is_left_stands_in_its_record_file_once(
    tmux: Callable[..., Tmux], tmp_path: Path
) -> None:
    record = tmp_path / "record.txt"
    for args in (("play", "classic", "--record", str(record)), ("resume",)):
        pane = tmux(*args)
        pane.sees("Choose a digit", "? keys")
        pane.press("9" if args[0] == "play" else "8", "1")
        pane.sees(" places ")
        pane.press("q")
        pane.sees("Your game is saved.")
    assert record.read_text().count("[Game") == 1
    assert "1. 9a1 8b1 *" in record.read_text()


def test_who_skips_the_last_lesson_is_told_where_to_go_on(tmux: Callable[..., Tmux]) -> None:
    pane = tmux("learn", "classic", "4")
    pane.sees("lesson 4 of 4", "? keys")
    pane.press("s")
    pane.sees("Now play it: digit-duel play classic --vs computer")


def test_suspended_and_brought_back_the_game_goes_on(tmux: Callable[..., Tmux]) -> None:
    pane = tmux("play", "cards", "--names", "Ann", "Ben", "--draws", "9467")
    pane.sees("Pass the keyboard to Ann.")
    pane.sees("I am Ann")
    pane.press("Enter")
    pane.sees("Do you want to keep it?", "? keys")
    pane.press("C-z")
    shell = pane.sees("Stopped")
    assert "▀" not in shell
    pane.type("echo still-$((40 + 2))")
    pane.sees("still-42")
    pane.type("fg")
    pane.sees("Do you want to keep it?")
    pane.press("k")
    pane.sees("Cover your hand")
    pane.press("q")
    pane.sees("Your game is saved.")


def test_a_window_is_resized_at_any_moment(tmux: Callable[..., Tmux]) -> None:
    pane = tmux("play", "sabotage", "--names", "Ann", "Ben")
    pane.sees("Ann: Choose a digit", "? keys")
    pane.resize(140, 45)
    pane.sees("Coach", "Nobody has moved yet.")
    pane.press("9")
    pane.sees("Where does the 9 go: your side or theirs?")
    for size in ((60, 20), (30, 8), (5, 3), (200, 60), (80, 24)):
        pane.resize(*size)
        time.sleep(0.1)
    pane.sees_no_more("Coach")
    pane.sees("Where does the 9 go: your side or theirs?")
    pane.press("5")
    pane.sees("Ann places 9 in Ben's thousands.")
    pane.press("q")
    pane.sees("Your game is saved.")


def test_nothing_of_a_hand_is_left_on_the_screen_or_in_the_scrollback(tmux: Callable[..., Tmux]) -> None:
    """Ann keeps a 9, whose large digit no other card of this game has."""
    nine = "▀▄▄█"
    pane = tmux("play", "cards", "--names", "Ann", "Ben", "--draws", "9467")
    pane.sees("Pass the keyboard to Ann.", "I am Ann")
    pane.press("Enter")
    assert nine in pane.sees("Do you want to keep it?", "? keys")
    pane.press("k")
    assert nine in pane.sees("Cover your hand", "You keep the 9.")
    pane.press("Enter")
    pane.sees("Pass the keyboard to Ben.")
    seen = [pane.everything()]
    pane.press("Enter")
    pane.sees("Do you want to keep it?")
    seen.append(pane.everything())
    pane.press("q")
    pane.sees("Your game is saved.")
    seen.append(pane.everything())
    for text in seen:
        assert nine not in text
        assert "keep the 9" not in text


def test_the_last_frame_is_empty_for_terminals_without_an_alternate_screen(tmp_path: Path) -> None:
    pyte = pytest.importorskip("pyte")  # knows no alternate screen
    with Console(tmp_path, "play", "cards", "--draws", "9467", full_screen=True) as console:
        console.expect("I am Player 1")
        console.type("\r")  # perhaps before the app has taken over from the first frame
        console.expect("? keys")
        assert console.end_with("q") == 0
        assert MAIN in console.shown
    screen = pyte.Screen(80, 24)
    pyte.ByteStream(screen).feed(console.shown)
    left = " ".join("".join(screen.display).split())
    assert "Nobody has moved yet, so there is nothing to save." in left
    assert len(left) < 60  # pyte also shows a letter of a sequence that it does not know


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_the_app_and_restores_the_terminal(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:
    with Console(tmp_path, "play", "classic", full_screen=True) as console:
        console.expect("? keys")
        console.signal(number)
        assert console.end() == code
        assert console.echoes
        assert console.on_main_screen


def test_ctrl_c_leaves_with_130_and_the_game_is_saved(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "classic", full_screen=True) as console:
        console.expect("? keys")
        console.type("9")
        console.expect("Where does the 9 go?")
        console.type("1")
        console.expect("Player 1 places 9")
        assert console.end_with("\x03") == 130
        assert console.echoes
        assert "Your game is saved." in console.text
    assert run(tmp_path, "resume", typed="quit\n").code == 0


def test_a_closed_window_ends_the_app_and_keeps_the_game(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "classic", full_screen=True) as console:
        console.expect("? keys")
        console.hang_up()
        assert console.process.wait(60) in (129, -signal.SIGHUP)
    assert run(tmp_path, "resume", typed="quit\n").code == 0


def test_a_closed_window_ends_the_app_under_make(tmp_path: Path) -> None:
    """Only make receives the signal, and make waits for the app."""
    makefile = tmp_path / "Makefile"
    makefile.write_text(f"play:\n\t@exec {sys.executable} -m digit_duel play classic\n")
    owning = (
        "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
        "os.execvp('make', ['make', '-f', sys.argv[1]])"
    )
    command = (sys.executable, "-c", owning, str(makefile))
    with Console(tmp_path, command=command, full_screen=True) as console:
        console.expect("? keys")
        console.hang_up()
        assert console.process.wait(60) != 0
    assert run(tmp_path, "resume", typed="quit\n").code == 0


def test_a_game_that_is_played_elsewhere_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "classic", full_screen=True) as first:
        first.expect("? keys")
        with Console(tmp_path, "resume", full_screen=True) as second:
            assert second.end() == 1
            assert f"this game is being played by process {first.process.pid}" in second.words
            assert APP not in second.shown


def test_the_mouse_of_a_real_terminal_chooses(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "classic", env={"TERM": "xterm-256color"}, full_screen=True) as console:
        console.expect("? keys")
        assert b"\x1b[?1006h" in console.shown  # the app asks for clicks in the form that knows large windows
        console.type("\x1b[<0;63;10M\x1b[<0;63;10m")  # column and row of the 9, counted from 1
        console.expect("Where does the 9 go?")
        assert console.end_with("q") == 0


def test_the_wheel_scrolls_a_long_text(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "classic", env={"TERM": "xterm-256color"}, full_screen=True) as console:
        console.expect("? keys")
        console.type("r")
        console.expect("lines 1-20 of")
        console.type("\x1b[<65;20;10M")
        console.expect("lines 4-23 of")
        console.type("\x1b[<64;20;10M")
        console.expect("lines 1-20 of")
        assert console.end_with("\x03") == 130
