"""No escape bytes where none belong, and one line an event: SAFETY H5 and H9."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.terminal.console import ALTERNATE, MAIN, Console, inside, run
from tests.terminal.walks import GAMES, answer_all, walk

OPEN_GAMES = ("classic", "reverse", "sabotage", "battle")  # what they hide is never on the screen
WIPE = b"\x1b[2J\x1b[H"


def played(home: Path, game: str, *more: str, env: dict[str, str] | None = None) -> bytes:
    """All that a whole game shows on a terminal."""
    whole = walk(game)
    with Console(home, *whole.args, *more, env=env) as console:
        answer_all(console, whole.asked)
        assert console.end() == 0
        console.assert_restored()
        assert whole.closing.splitlines()[-1].encode() in console.shown
        return console.shown


@pytest.mark.parametrize("game", OPEN_GAMES)
def test_no_color_leaves_no_escape_byte_in_an_open_game(game: str, tmp_path: Path) -> None:
    assert b"\x1b" not in played(tmp_path, game, env={"NO_COLOR": "1"})


def test_no_color_leaves_only_what_covers_a_private_screen(tmp_path: Path) -> None:
    shown = played(tmp_path, "cards", env={"NO_COLOR": "1"})
    for allowed in (ALTERNATE, MAIN, WIPE):
        assert allowed in shown
        shown = shown.replace(allowed, b"")
    assert b"\x1b" not in shown


def test_an_empty_no_color_is_no_wish(tmp_path: Path) -> None:
    assert b"\x1b[" in played(tmp_path, "classic", env={"NO_COLOR": ""})


@pytest.mark.parametrize("game", OPEN_GAMES)
@pytest.mark.parametrize("how", ["--plain", "TERM=dumb"])
def test_plain_and_dumb_terminals_get_sentences_without_escapes_or_boxes(
    game: str, how: str, tmp_path: Path
) -> None:
    shown = (
        played(tmp_path, game, "--plain")
        if how == "--plain"
        else played(tmp_path, game, env={"TERM": "dumb"})
    )
    text = shown.decode()
    assert "\x1b" not in text
    assert not re.search("[┌┐└┘│─█░▒▸♥²·]", text)
    assert "|" not in text


@pytest.mark.parametrize("how", ["--plain", "TERM=dumb"])
def test_plain_cards_on_a_shared_screen_are_refused_with_what_would_be_right(
    how: str, tmp_path: Path
) -> None:
    more, env = (["--plain"], {}) if how == "--plain" else ([], {"TERM": "dumb"})
    with Console(tmp_path, "play", "cards", *more, env=env) as console:
        assert console.end() == 1
        for way in (b"--vs computer", b"--open", b"without"):
            assert way in console.shown.replace(b"\r\n", b" ")
        assert b"You draw" not in console.shown


@pytest.mark.parametrize("game", GAMES)
def test_a_plain_transcript_has_one_line_an_event_and_no_redraw(game: str, tmp_path: Path) -> None:
    whole = walk(game)
    done = inside(tmp_path, *whole.args, "--plain", typed=whole.typed)
    text = done.text
    assert not set(text) & set("┌┐└┘│─╭╮╯╰█░▒▸♥²·|\r\x1b\x08\t")
    prompts = [line for line in text.splitlines() if any(line.startswith(one.prompt) for one in whole.asked)]
    assert len(prompts) == len(whole.asked)
    for one, line in zip(whole.asked, prompts, strict=True):
        assert line == one.prompt + ("" if one.secret else one.answer)
    assert len(text.splitlines()) < 14 * len(whole.asked)


def test_board_and_help_are_sentences_in_plain_text(tmp_path: Path) -> None:
    done = inside(tmp_path, "play", "sabotage", "--plain", typed="9 2 th\nboard\nhelp\n")
    assert "Player 2: thousands 9, hundreds empty, tens empty, ones empty" in done.text
    assert "Digits left: 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9." in done.text
    assert max(map(len, done.text.splitlines())) <= 100


@pytest.mark.parametrize("command", ["rules", "games", "replay", "export"])
def test_other_commands_never_colour_what_is_piped(command: str, tmp_path: Path) -> None:
    whole = walk("battle")
    record = tmp_path / "record"
    inside(tmp_path, *whole.args, "--record", str(record), typed=whole.typed)
    arguments = {"rules": ["battle"], "games": [], "replay": [str(record)], "export": ["1"]}[command]
    done = run(tmp_path, command, *arguments, FORCE_COLOR="1", CLICOLOR_FORCE="1")
    assert done.code == 0
    assert b"\x1b" not in done.out
