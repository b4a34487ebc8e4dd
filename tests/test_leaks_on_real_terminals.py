"""Worlds that look alike, on pseudo-terminals and under tmux: no hand is left anywhere (SAFETY C15)."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.comparing import same
from tests.surroundings import environment
from tests.watching import Glass, Typist, answers_of, in_order
from tests.worlds import CARDS, NAMES, Tokens, played, random_pairs

from digit_duel.cli.records.save_file import Save
from digit_duel.core.game import Seat

THINKING = "thinking...\r\x1b[K"  # depends on the clock, and on nothing in a game
PROMPTS = (
    r"\(yes/no\): |each digit once\): |can see the screen\. |to cover your hand\. |for the next round\. "
)


def typed(home: Path, tokens: Tokens, seat: Seat, seed: str, screen: Any = None) -> list[str]:
    """What a person could read at a real pseudo-terminal, as the real command plays a world there."""
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    draws = "".join(token[1] for token in tokens if token[0] == "d")
    answers = answers_of(played(CARDS, tokens), tokens, Random(seed))
    glass = Glass(tty=True)
    glass.echo = False  # the terminal itself sees to that
    people = Typist(glass, answers, NAMES[seat], seed)
    child = pexpect.spawn(
        sys.executable,
        ["-m", "digit_duel", "play", "cards", "--lines", "--names", *NAMES, "--draws", draws, "--seed", "1"],
        env=environment(home),
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=20,
    )
    child.delaybeforesend, child.ptyproc.delayafterclose = None, 0
    while child.expect([PROMPTS, pexpect.EOF]) == 0:
        text = (child.before + child.after).replace(THINKING, "")
        glass.write(text.replace("\r\n", "\n"))
        if screen is not None:
            screen(text)
        child.send(people.readline() or "quit\n")
    glass.write(child.before.replace("\r\n", "\n"))
    glass.read_now()
    child.close()
    assert child.exitstatus == 0
    return glass.seen[NAMES[seat]]


def compare_typed(home: Path, pairs: int, seed: str) -> None:
    for number, (seat, tokens, world) in enumerate(random_pairs(pairs, seed)):
        if in_order(tokens):
            shown = [typed(home, each, seat, f"{seed}/{number}") for each in (tokens, world)]
            same(shown[0], shown[1], f"{tokens} shown to {NAMES[seat]}")


@pytest.mark.parametrize("pairs", [3, pytest.param(40, marks=pytest.mark.campaign)])
def test_worlds_look_alike_on_a_real_pseudo_terminal(pairs: int, home: Path) -> None:
    compare_typed(home, pairs, f"{pairs} typed")


def test_a_hand_over_leaves_nothing_else_on_the_screen(home: Path) -> None:
    pyte = pytest.importorskip("pyte")
    screen = pyte.Screen(80, 24)
    stream = pyte.Stream(screen)
    shown: list[list[str]] = []

    def look(text: str) -> None:
        stream.feed(text)
        shown.append([line.rstrip() for line in screen.display if line.strip()])

    typed(
        home, "d9 k d4 g d8 k d6 k d1 k d7 k a989".replace("a989", "a984").split(), Seat.SECOND, "look", look
    )
    covered = [lines for lines in shown if lines[0].startswith("Pass the keyboard")]
    assert covered == [
        [f"Pass the keyboard to {name}.", f"{name}, press Enter when only you can see the screen."]
        for name in ("Ann", "Ben", "Ann", "Ben", "Ann", "Ben")
    ]


@pytest.mark.parametrize("look", ["", "--plain"], ids=["screen", "plain"])
def test_a_game_resumed_when_all_cards_happen_to_be_known_is_private_all_the_same(
    home: Path, look: str
) -> None:
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    # Each gave the other its only card, so both know both hands; but the numbers are still laid out at once.
    variant = CARDS.customised({"hand_size": "1", "full_turn": "alternate"})
    Save(home / "20260101-000000-abcdef.duel").write(played(variant, ["d5", "g", "d3", "g"]).record())
    child = pexpect.spawn(
        f"{sys.executable} -m digit_duel resume --lines {look}", env=environment(home), timeout=20
    )
    found = child.expect(["plain text cannot hide", "when only you can see the screen", "Enter your number"])
    child.close()
    assert found == (0 if look else 1)


class Tmux:
    """A real terminal emulator, with a history that can be scrolled back to."""

    def __init__(self, home: Path, *args: str, planted: str = "") -> None:
        self._call = ["tmux", "-S", f"{home}/tmux-{time.monotonic_ns()}", "-f", "/dev/null"]
        settings = [f"DIGIT_DUEL_HOME={home}", "PYTHONIOENCODING=utf-8"]
        leaky = f"from digit_duel.cli.screen import terminal; terminal.{planted}; import digit_duel.__main__"
        program = ["-c", leaky] if planted else ["-m", "digit_duel"]
        command = ["env", *settings, sys.executable, *program, *args]
        self._run("new-session", "-d", "-x", "80", "-y", "24", *command, ";", "set", "remain-on-exit", "on")

    def _run(self, *args: str) -> str:
        return subprocess.run([*self._call, *args], check=True, capture_output=True, text=True).stdout

    def type(self, line: str) -> None:
        self._run("send-keys", "-l", line)
        self._run("send-keys", "Enter")

    def everything(self) -> str:
        """The screen and all that was scrolled away, with the screen behind a private one."""
        behind = self._run("capture-pane", "-p", "-q", "-a", "-S", "-")
        return behind + self._run("capture-pane", "-p", "-S", "-")

    def shows(self, text: str, above: str = "") -> str:
        """Wait for a text at the end of the screen, and one above it; all there is to see then."""
        return self._wait(lambda screen: screen.rstrip().endswith(text) and above in screen)

    def left(self) -> str:
        """Wait for the program's last words; all there is to see then."""
        return self._wait(lambda screen: "digit-duel resume" in screen).split("Pane is dead")[0]

    def _wait(self, happened: Callable[[str], bool]) -> str:
        for _ in range(400):
            if happened(self._run("capture-pane", "-p")):
                return self.everything()
            time.sleep(0.05)
        raise AssertionError(self.everything())

    def close(self) -> None:
        subprocess.run([*self._call, "kill-server"], check=False, capture_output=True)


@pytest.fixture
def tmux(home: Path) -> Iterator[Callable[..., Tmux]]:
    if not shutil.which("tmux"):
        pytest.skip("needs tmux")
    opened: list[Tmux] = []

    def open_one(*args: str, planted: str = "") -> Tmux:
        opened.append(Tmux(home, *args, planted=planted))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def left_by_anns_nine(pane: Tmux) -> Iterator[str]:
    """All that can be seen or scrolled back to when Ann, who has kept a 9, is no longer at the keyboard."""
    pane.shows("press Enter when only you can see the screen.")
    pane.type("")
    assert "9" in pane.shows("(yes/no):")
    for _ in range(4):  # until the card has scrolled away
        pane.type("help")
        pane.shows("(yes/no):")
    pane.type("yes")
    assert "Your hand: [9]" in pane.shows("Press Enter to cover your hand.")
    pane.type("")
    yield pane.shows("press Enter when only you can see the screen.")
    pane.type("")
    yield pane.shows("(yes/no):")
    pane.type("no")
    yield pane.shows("Press Enter to cover your hand.")
    pane.type("quit")
    yield pane.left()


def test_nothing_of_a_hand_is_left_on_the_screen_or_in_the_scrollback(tmux: Callable[..., Tmux]) -> None:
    seen = list(left_by_anns_nine(tmux("play", "cards", "--lines", "--names", *NAMES, "--draws", "9467")))
    assert "Drawn: 4." in seen[1]
    assert not any("9" in text for text in seen)


def test_a_screen_that_can_be_scrolled_back_is_found(tmux: Callable[..., Tmux]) -> None:
    pane = tmux(
        "play",
        "cards",
        "--lines",
        "--names",
        *NAMES,
        "--draws",
        "9467",
        planted="_ALTERNATE = terminal._MAIN = ''",
    )
    assert any("9" in text for text in left_by_anns_nine(pane))


def test_a_secret_digit_is_nowhere_to_be_seen_before_the_reveal(tmux: Callable[..., Tmux]) -> None:
    seen = []
    for digit in "35":
        pane = tmux("play", "battle", "--lines", "--names", *NAMES, "--set", "pool=1-1x2")
        for name in NAMES:
            pane.shows("Select a digit to use:", above=f"{name}'s turn")
            pane.type("+1")
        pane.shows("and press Enter.")
        pane.type("")
        pane.shows("Choose a secret digit from 1 to 5:")
        pane.type(digit)
        pane.shows("Pass the keyboard to Ben, and press Enter.")
        pane.type("")
        seen.append(pane.shows("Choose a secret digit from 1 to 5:"))
        pane.type("1")
        assert f"Ann chose {digit}." in pane.shows("and press Enter.")
        pane.close()
    assert seen[0] == seen[1]
