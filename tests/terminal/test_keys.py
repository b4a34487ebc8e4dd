"""Ctrl-C and Ctrl-D at every prompt: SAFETY H1 and H2."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.terminal.console import Console, run
from tests.terminal.prompts import PROMPTS, Prompt

from digit_duel.cli.records import saved_games
from digit_duel.core.record import replay

# Ctrl-D at the others is part of the slow matrix.
SOME = [
    prompt
    for prompt in PROMPTS
    if prompt.name in ("classic place", "sabotage which t", "cards hand-over", "cards keep", "battle secret",
                       "guide level", "guide another game", "replay", "classic resign")
]  # fmt: skip
CTRL_C, CTRL_D = "\x03", "\x04"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIGIT_DUEL_HOME", str(tmp_path))


def assert_saved(prompt: Prompt, console: Console) -> None:
    """The game is on disk and can be gone on with; where there is none, nothing is promised."""
    promised = b"Your game is saved. To go on with it: digit-duel resume" in console.shown
    assert promised is prompt.plays
    if prompt.plays:
        game = saved_games.game_to_resume(None)
        assert replay(game.variant.game, game.record) is not None
        assert not list(game.save.path.parent.glob("*.lock"))
        assert not list(game.save.path.parent.glob("*.new"))


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.name)
def test_ctrl_c_leaves_with_130_and_the_terminal_restored(prompt: Prompt, tmp_path: Path) -> None:
    with prompt.reach(tmp_path) as console:
        assert console.end_with(CTRL_C) == 130
        console.assert_restored()
        assert_saved(prompt, console)


@pytest.mark.parametrize("prompt", SOME, ids=lambda prompt: prompt.name)
def test_ctrl_d_is_the_end_of_input_with_3_and_the_terminal_restored(prompt: Prompt, tmp_path: Path) -> None:
    with prompt.reach(tmp_path) as console:
        assert console.end_with(CTRL_D) == 3
        console.assert_restored()
        assert_saved(prompt, console)


@pytest.mark.slow
@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.name)
@pytest.mark.parametrize("pause", [0.0, 0.0005, 0.002, 0.005, 0.02])
def test_ctrl_c_again_on_the_way_out_changes_nothing(prompt: Prompt, pause: float, tmp_path: Path) -> None:
    # A terminal throws away what it has not shown yet at each Ctrl-C, so what was said is not asked for.
    with prompt.reach(tmp_path) as console:
        for _ in range(4):
            console.type(CTRL_C)
            time.sleep(pause)
        assert console.end_with(CTRL_C) == 130
        assert console.echoes
        if prompt.plays:
            assert saved_games.game_to_resume(None).record.result == "*"


def test_ctrl_c_many_times_in_a_row_never_shows_a_traceback(tmp_path: Path) -> None:
    names = ("cards keep", "battle secret", "classic digit", "replay")
    for prompt in (one for one in PROMPTS if one.name in names):
        with prompt.reach(tmp_path / prompt.name) as console:
            while console.process.poll() is None:
                console.type(CTRL_C)
                time.sleep(0.001)
            assert console.end() == 130
            assert console.echoes


def test_ctrl_d_after_half_a_line_takes_the_line_when_pressed_again(tmp_path: Path) -> None:
    with PROMPTS[0].reach(tmp_path) as console:
        console.type("9")
        console.type(CTRL_D + CTRL_D)
        console.expect("(hundreds/tens/units): ")
        assert console.end_with(CTRL_D) == 3


def test_a_game_left_with_ctrl_c_is_gone_on_with_at_the_same_question(tmp_path: Path) -> None:
    with PROMPTS[2].reach(tmp_path) as console:
        assert console.end_with(CTRL_C) == 130
    done = run(tmp_path, "resume", typed="quit\n")
    assert "Player 2, it's your turn.\nAvailable Digits: 1 2 3 4 5 6 7 8\n" in done.text


@pytest.mark.slow
def test_quit_at_every_prompt_leaves_with_0(tmp_path: Path) -> None:
    for at, prompt in enumerate(PROMPTS):
        with prompt.reach(tmp_path / str(at)) as console:
            console.enter("quit")
            assert console.end() == 0, prompt.name
            console.assert_restored()
