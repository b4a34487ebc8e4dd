"""Tiny, ordinary and huge windows: SAFETY H4, and the look at 80x24 and 40x12."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pyte
import pytest
from tests.terminal.console import Console
from tests.terminal.walks import GAMES, NAMES, answer_all, wait_for, walk

from digit_duel import games
from digit_duel.cli.play.messages import paragraphs
from digit_duel.cli.rules import rulebook
from digit_duel.cli.screen.picture import draw
from digit_duel.cli.screen.symbols import ASCII, UNICODE
from digit_duel.core.game import Seat
from digit_duel.core.record import replay
from digit_duel.core.script import Names

LONGEST: Names = ("W" * 24, "M" * 24)
SIZES = [(80, 24), (40, 12), (60, 20), (132, 50), (500, 100)]


def screen(console: Console, size: tuple[int, int]) -> list[str]:
    """What a person sees in the window now."""
    emulated = pyte.Screen(*size)
    pyte.ByteStream(emulated).feed(console.shown)
    return [str(line).rstrip() for line in emulated.display]


@pytest.mark.parametrize("game", GAMES)
def test_no_line_of_a_picture_is_wider_than_the_window(game: str) -> None:
    variant = games.variant(game)
    steps = replay(variant.game, walk(game).record)
    for size, names, symbols in product(SIZES, (NAMES, LONGEST), (UNICODE, ASCII)):
        for step, seat in product(steps, Seat):
            scene = variant.voice.scene(variant.game.view(step.after, seat))
            lines = draw(scene, names, symbols, size[0], seat)
            assert max(map(len, lines)) <= size[0], "\n".join(lines)
            assert len(lines) <= size[1] - 4, "\n".join(lines)  # room for news, headline and prompt


def test_a_narrow_window_shows_how_many_of_each_digit_are_left() -> None:
    variant = games.variant("sabotage")
    state = variant.game.start()
    for text in ("9b1", "9a4", "1a2"):
        state = variant.game.play(state, variant.game.parse(state, variant.game.acting(state)[0], text))
    scene = variant.voice.scene(variant.game.view(state, Seat.FIRST))
    pools = {
        UNICODE: ["  pool      0² 1 2² 3² 4² 5² 6² 7² 8² ·"],
        ASCII: ["  pool      0x2 1 2x2 3x2 4x2 5x2 6x2", "            7x2 8x2 ."],
    }
    for symbols, pool in pools.items():
        assert draw(scene, NAMES, symbols, 40)[2:] == pool


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("columns", [80, 40])
def test_the_rules_fit_the_window(game: str, columns: int) -> None:
    variant = games.variant(game)
    for text in (rulebook(variant, columns), paragraphs(variant.rules.text, columns)):
        assert max(map(len, text.split("\n"))) <= columns


@pytest.mark.parametrize(
    ("game", "size"), [*((game, (40, 12)) for game in GAMES), ("sabotage", (80, 24)), ("cards", (80, 24))]
)
def test_board_and_prompt_are_on_the_screen_together(
    game: str, size: tuple[int, int], tmp_path: Path
) -> None:
    whole = walk(game)
    with Console(tmp_path, *whole.args, size=size) as console:
        for one in whole.asked[:6]:
            wait_for(console, one.prompt)
            shown = screen(console, size)
            if one is whole.asked[0] or one.seat is not whole.asked[0].seat:
                for name in NAMES:
                    assert any(line.lstrip("▸ ").startswith(f"{name} ") for line in shown), shown
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


def test_a_board_has_no_escape_sequence(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "battle") as console:
        console.answer("digit to use: ", "board")
        console.answer("digit to use: ", "quit")
        assert console.end() == 0
        assert "▸ Player 1  life 10/20" in console.text
        assert "\x1b[3" not in console.text  # no colours
