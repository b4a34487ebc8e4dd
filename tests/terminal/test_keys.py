"""Ctrl-C, Ctrl-D, kill and hang-up at every prompt: SAFETY H1, H2 and R18."""

from __future__ import annotations

import signal
import time
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from tests.terminal.console import TIMEOUT, Console, inside
from tests.terminal.prompts import BY_NAME, PROMPTS, SOME, Prompt

from digit_duel.cli.records.find_games import game_to_resume

ENCODINGS = ("utf-8", "ascii", "cp1252", "cp437", "latin-1")
SIZES = ((80, 24), (40, 12), (20, 5), (500, 100), (1, 1))
ENDINGS = {"ctrl-c": 130, "ctrl-d": 3, "terminate": 143, "hang up": 129}
CTRL_C, CTRL_D = "\x03", "\x04"
SAVED = "Your game is saved. To continue: digit-duel resume"
NOTHING = "Nobody has moved yet, so there is nothing to save."


@dataclass(frozen=True, slots=True)
class Visit:
    """A prompt in a window with an encoding, and how the command is ended there."""

    prompt: Prompt
    encoding: str
    size: tuple[int, int]
    ending: str

    def __str__(self) -> str:
        return f"{self.prompt.name}, {self.encoding}, {self.size[0]}x{self.size[1]}, {self.ending}"


def visits() -> list[Visit]:
    """Every prompt, encoding and size, with endings that take turns: a cell of R18 for each signal."""
    cells = product(enumerate(PROMPTS), enumerate(ENCODINGS), enumerate(SIZES))
    return [
        Visit(prompt, encoding, size, tuple(ENDINGS)[(at + row + column) % 4])
        for (at, prompt), (row, encoding), (column, size) in cells
    ]


# Ctrl-C everywhere, the other endings at a few prompts; make soak tries them all.
EVERY = visits()
CTRL_C_VISITS = [
    Visit(prompt, ENCODINGS[at % 5], SIZES[(at + at // 5) % 5], "ctrl-c") for at, prompt in enumerate(PROMPTS)
]
OTHERS = [
    Visit(prompt, ENCODINGS[(at + turn) % 5], SIZES[(at + 2 * turn) % 5], ending)
    for (at, prompt), (turn, ending) in product(enumerate(SOME), enumerate(list(ENDINGS)[1:]))
]


def try_ending(visit: Visit, home: Path) -> None:
    """End the command at a prompt, after a change of the window and a stop: all is restored and saved."""
    with visit.prompt.reach(home, visit.size, {"PYTHONIOENCODING": visit.encoding}) as console:
        console.resize(*SIZES[(SIZES.index(visit.size) + 1) % 5])
        console.signal(signal.SIGWINCH)
        console.signal(signal.SIGTSTP)  # a session without a shell goes on at once
        console.signal(signal.SIGCONT)
        assert end(console, visit.ending) == ENDINGS[visit.ending]
        console.assert_restored()
        left = visit.prompt.plays and visit.ending.startswith("ctrl")
        assert (SAVED in console.words) is (left and visit.prompt.moved)
        assert (NOTHING in console.words) is (left and not visit.prompt.moved)
        assert not [*home.glob("*.lock"), *home.glob("*.new")]
    if visit.prompt.plays:  # a signal deletes nothing, whether somebody has moved or not
        assert inside(home, "resume", typed="quit\n").code == (0 if visit.prompt.moved or not left else 1)


def end(console: Console, how: str) -> int:
    match how:
        case "ctrl-c":
            return console.end_with(CTRL_C)
        case "ctrl-d":
            return console.end_with(CTRL_D)
        case "terminate":
            return console.end_by(lambda: console.signal(signal.SIGTERM))
        case _:
            return console.end_by(lambda: console.signal(signal.SIGHUP))


@pytest.mark.parametrize("visit", [*CTRL_C_VISITS, *OTHERS], ids=str)
def test_whatever_ends_the_command_it_restores_the_terminal_and_keeps_the_game(
    visit: Visit, tmp_path: Path
) -> None:
    try_ending(visit, tmp_path)


@pytest.mark.campaign
@pytest.mark.parametrize("visit", EVERY, ids=str)
def test_every_cell_of_prompts_encodings_sizes_and_endings(visit: Visit, tmp_path: Path) -> None:
    try_ending(visit, tmp_path)


def test_the_matrix_has_over_a_thousand_cells() -> None:
    signals = 3  # each visit tries a window change, a stop and an ending
    assert signals * len(EVERY) == 1725
    for prompt in PROMPTS:
        assert {visit.ending for visit in EVERY if visit.prompt is prompt} == set(ENDINGS)


@pytest.mark.parametrize("name", ["cards cover", "battle secret", "classic digit", "replay"])
def test_ctrl_c_many_times_in_a_row_never_shows_a_traceback(name: str, tmp_path: Path) -> None:
    with BY_NAME[name].reach(tmp_path) as console:
        until = time.monotonic() + TIMEOUT
        while console.process.poll() is None:
            assert time.monotonic() < until, f"still running: {console.shown[-2000:]!r}"
            console.type(CTRL_C)
            time.sleep(0.001)
        assert console.end() == 130
        assert console.echoes
    if BY_NAME[name].moved:
        assert game_to_resume(None).unfinished


def test_ctrl_d_after_half_a_line_leaves_the_line_to_be_finished(tmp_path: Path) -> None:
    with PROMPTS[0].reach(tmp_path) as console:
        console.type("9")
        console.type(CTRL_D + CTRL_D)
        console.enter("")
        console.expect("(hundreds/tens/units): ")
        assert console.end_with(CTRL_D) == 3


def test_a_game_left_with_ctrl_c_is_resumed_at_the_same_question(tmp_path: Path) -> None:
    with PROMPTS[0].reach(tmp_path) as console:
        console.enter("9 h")
        console.expect("want to select: ")
        assert console.end_with(CTRL_C) == 130
    done = inside(tmp_path, "resume", typed="quit\n")
    assert "Player 2, it's your turn.\nAvailable Digits: 1 2 3 4 5 6 7 8\n" in done.text


@pytest.mark.parametrize(
    "name", ["classic resign", "cards cover", "battle secret", "guide starter", "guide another game"]
)
def test_quit_leaves_with_0(name: str, tmp_path: Path) -> None:
    with BY_NAME[name].reach(tmp_path) as console:
        console.enter("quit")
        assert console.end() == 0
        console.assert_restored()
