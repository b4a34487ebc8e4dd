"""Tiny, ordinary and huge windows: SAFETY H4, and the look at 80x24 and 40x12."""

from __future__ import annotations

from pathlib import Path

import pyte
import pytest
from tests.terminal.console import Console
from tests.terminal.walks import GAMES, NAMES, answer_all, wait_for, walk

from digit_duel import games
from digit_duel.cli.screen.picture import draw
from digit_duel.cli.screen.symbols import ASCII, UNICODE, Style
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
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("names", [NAMES, LONGEST], ids=["usual names", "longest names"])
@pytest.mark.parametrize("symbols", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_no_line_of_a_picture_is_wider_than_the_window(
    game: str, size: tuple[int, int], names: Names, symbols: object
) -> None:
    variant = games.variant(game)
    style = Style(UNICODE if symbols is UNICODE else ASCII, colour=False)
    before = None
    for step in replay(variant.game, walk(game).record):
        for seat in Seat:
            scene = variant.voice.scene(variant.game.view(step.after, seat))
            lines = draw(scene, names, style, size, seat, before)
            assert max(map(len, lines)) <= size[0], "\n".join(lines)
            assert len(lines) <= size[1] - 4, "\n".join(lines)  # room for news, headline and prompt
            before = scene


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
        assert draw(scene, NAMES, Style(symbols, colour=False), (40, 12))[2:] == pool


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_fit_the_window(game: str, tmp_path: Path) -> None:
    for size in ((80, 60), (40, 100)):
        with Console(tmp_path, "rules", game, size=size) as console:
            assert console.end() == 0
            lines = console.shown.decode().split("\r\n")
            assert max(map(len, lines)) <= size[0]
    with Console(tmp_path, *walk(game).args, size=(40, 24)) as console:
        wait_for(console, walk(game).asked[0].prompt, then="rules")
        wait_for(console, walk(game).asked[0].prompt)
        told = console.shown.decode().split("rules\r\n")[-1].split("\r\n")[:-1]
        assert len(told) > 5
        assert max(map(len, told)) <= 40


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", [(80, 24), (40, 12)], ids=str)
def test_table_and_prompt_are_on_the_screen_together(
    game: str, size: tuple[int, int], tmp_path: Path
) -> None:
    whole = walk(game)
    with Console(tmp_path, *whole.args, size=size) as console:
        for one in whole.asked[:6]:
            wait_for(console, one.prompt)
            shown = screen(console, size)
            text = " ".join(" ".join(shown).split())
            if one is whole.asked[0] or one.seat is not whole.asked[0].seat:
                assert any(line.lstrip("▸ ").startswith("Player 1 ") for line in shown), shown
                assert any(line.lstrip("▸ ").startswith("Player 2 ") for line in shown), shown
            assert _squeezed(one.prompt) in _squeezed(text)
            console.enter(one.answer)


def _squeezed(text: str) -> str:
    """A text without blanks, for where lines wrap is the window's business."""
    return "".join(text.split())


@pytest.mark.parametrize(
    ("game", "size"),
    [*((game, (20, 5)) for game in GAMES), ("cards", (1, 1)), ("sabotage", (1, 1)), ("battle", (500, 24))],
)
def test_a_whole_game_can_be_played_in_any_window(game: str, size: tuple[int, int], tmp_path: Path) -> None:
    whole = walk(game)
    with Console(tmp_path, *whole.args, size=size) as console:
        answer_all(console, whole.asked)
        assert console.end() == 0
        console.assert_restored()
        assert whole.closing.splitlines()[-1].encode() in console.shown


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
        assert shown[7:14] == [
            "  2  reverse",
            "     Build the lower 3-digit number from",
            "     a shared pool of 1-9.",
            "  3  sabotage",
            "     Build the lower 4-digit number;",
            "     place digits 0-9 on either board.",
            "  4  cards",
        ]
        console.enter("quit")
        assert console.end() == 0


@pytest.mark.parametrize("game", GAMES)
def test_colour_uses_only_the_eight_colours_that_follow_the_readers_theme(game: str, tmp_path: Path) -> None:
    whole = walk(game)
    with Console(tmp_path, *whole.args) as console:
        answer_all(console, whole.asked[:8])
        wait_for(console, whole.asked[8].prompt)
        sequences = {part.split(b"m")[0] for part in console.shown.split(b"\x1b[")[1:] if b"m" in part[:12]}
    codes = {int(code) for part in sequences for code in part.split(b";") if code.isdigit()}
    assert codes <= {0, 1, 2, 7, 31, 32, 33, 35, 36}  # no background, no 256 colours, no black or white
    assert codes
