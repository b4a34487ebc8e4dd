"""Tiny, ordinary and huge windows: SAFETY H4, and how it reads at 80x24 and 40x12."""

from __future__ import annotations

from pathlib import Path

import pyte
import pytest
from tests.terminal.console import Console
from tests.terminal.walks import GAMES, NAMES, answer_all, wait_for, walk

from digit_duel import games
from digit_duel.cli.play.messages import paragraphs
from digit_duel.cli.rules import rulebook


def screen(console: Console, size: tuple[int, int]) -> list[str]:
    """What a person sees in the window now."""
    emulated = pyte.Screen(*size)
    pyte.ByteStream(emulated).feed(console.shown)
    return [str(line).rstrip() for line in emulated.display]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("columns", [80, 40])
def test_the_rules_fit_the_window(game: str, columns: int) -> None:
    variant = games.variant(game)
    for text in (rulebook(variant, columns), paragraphs(variant.rules.text, columns)):
        assert max(map(len, text.split("\n"))) <= columns


@pytest.mark.parametrize(
    ("game", "size"), [*((game, (40, 12)) for game in GAMES), ("sabotage", (80, 24)), ("cards", (80, 24))]
)
def test_turn_and_prompt_are_on_the_screen_together(game: str, size: tuple[int, int], tmp_path: Path) -> None:
    whole = walk(game)
    with Console(tmp_path, *whole.args, size=size) as console:
        for one in whole.asked[:6]:
            wait_for(console, one.prompt)
            shown = screen(console, size)
            assert any(NAMES[one.seat] in line for line in shown), shown
            assert "".join(one.prompt.split()) in "".join("".join(shown).split())  # wherever lines wrap
            console.enter(one.answer)


@pytest.mark.parametrize(
    ("game", "size"), [("reverse", (20, 5)), ("cards", (1, 1)), ("sabotage", (1, 1)), ("battle", (500, 24))]
)
def test_a_whole_game_can_be_played_in_any_window(game: str, size: tuple[int, int], tmp_path: Path) -> None:
    whole = walk(game)
    with Console(tmp_path, *whole.args, size=size) as console:
        answer_all(console, whole.asked)
        assert console.end() == 0
        console.assert_restored()
        assert whole.closing.splitlines()[-1] in console.words


def test_a_window_resized_at_every_prompt_is_played_to_the_end(tmp_path: Path) -> None:
    whole = walk("sabotage")
    sizes = [(1, 1), (40, 12), (500, 5), (20, 5), (80, 24), (2, 200), (0, 0)]
    with Console(tmp_path, *whole.args) as console:
        for at, one in enumerate(whole.asked):
            wait_for(console, one.prompt)
            console.resize(*sizes[at % len(sizes)])
            console.enter(("board", "moves", "help")[at % 3])
            wait_for(console, one.prompt)
            console.enter(one.answer)
        assert console.end() == 0
        console.assert_restored()


@pytest.mark.parametrize(("columns", "lines"), [("-5", "x"), ("9" * 30, "1"), ("1", "1")])
def test_odd_sizes_in_the_environment_are_survived(columns: str, lines: str, tmp_path: Path) -> None:
    with Console(tmp_path, "play", "battle", env={"COLUMNS": columns, "LINES": lines}) as console:
        console.answer("digit to use: ", "moves")
        console.answer("digit to use: ", "board")
        console.answer("digit to use: ", "quit")
        assert console.end() == 0


def test_the_guide_fits_a_narrow_window(tmp_path: Path) -> None:
    with Console(tmp_path, size=(40, 24)) as console:
        console.expect("> ")
        shown = screen(console, (40, 24))
    assert shown[7:10] == [
        "  2  reverse",
        "     Build the lower 3-digit number from",
        "     a shared pool of 1-9.",
    ]
    assert max(map(len, shown)) <= 40


def test_errors_wrap_at_words(tmp_path: Path) -> None:
    for args, wrapped in (
        (("resume",), "digit-duel: there is no game to continue. To start\none: digit-duel play classic\n"),
        (("play", "chess"), "'chess'. The games are: classic, reverse,\nsabotage, cards, battle.\n"),
    ):
        with Console(tmp_path, *args, size=(50, 24)) as console:
            console.end()
            assert wrapped in console.text.replace("\r", "")
