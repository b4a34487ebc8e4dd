"""No escape bytes where none belong, and one line an event: SAFETY H5 and H9.

tests/test_sample_sessions.py types whole games with --plain and compares every byte.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.terminal.console import ALTERNATE, MAIN, Console, inside, run
from tests.terminal.walks import GAMES, answer_all, walk

CLEAR = b"\x1b[2J\x1b[H"
BOXES = set("┌┐└┘│─█░▒▸♥²·|")


def played(home: Path, game: str, **env: str) -> bytes:
    """All that a whole game shows on a terminal."""
    whole = walk(game)
    with Console(home, *whole.args, env=env) as console:
        answer_all(console, whole.asked)
        assert console.end() == 0
        console.assert_restored()
        assert whole.closing.splitlines()[-1].encode() in console.shown
        return console.shown


@pytest.mark.parametrize("game", ["sabotage", "battle"])
def test_no_color_leaves_no_escape_byte_in_an_open_game(game: str, tmp_path: Path) -> None:
    assert b"\x1b" not in played(tmp_path, game, NO_COLOR="1")


def test_no_color_leaves_only_what_covers_a_private_screen(tmp_path: Path) -> None:
    shown = played(tmp_path, "cards", NO_COLOR="1")
    for allowed in (ALTERNATE, MAIN, CLEAR):
        assert allowed in shown
        shown = shown.replace(allowed, b"")
    assert b"\x1b" not in shown


def test_an_open_game_line_by_line_has_no_escape_byte_at_all(tmp_path: Path) -> None:
    assert b"\x1b" not in played(tmp_path, "classic", NO_COLOR="")


@pytest.mark.parametrize("game", ["sabotage", "battle"])
def test_a_dumb_terminal_gets_sentences_without_escapes_or_boxes(game: str, tmp_path: Path) -> None:
    text = played(tmp_path, game, TERM="dumb").decode()
    assert not set(text) & {"\x1b", *BOXES}


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
    text = inside(tmp_path, *whole.args, "--plain", typed=whole.typed).text
    assert not set(text) & {*BOXES, *"\r\x1b\x08\t"}
    prompts = [line for line in text.splitlines() if any(line.startswith(one.prompt) for one in whole.asked)]
    assert prompts == [one.prompt + ("" if one.secret else one.answer) for one in whole.asked]
    assert len(text.splitlines()) < 14 * len(whole.asked)


def test_board_and_help_are_sentences_in_plain_text(tmp_path: Path) -> None:
    done = inside(tmp_path, "play", "sabotage", "--plain", typed="9 2 th\nboard\nhelp\n")
    assert "Player 2: thousands 9, hundreds empty, tens empty, ones empty" in done.text
    assert "Digits left: 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9." in done.text
    assert max(map(len, done.text.splitlines())) <= 100


def test_a_game_resumed_in_plain_text_first_says_how_it_stands(tmp_path: Path) -> None:
    inside(tmp_path, "play", "classic", "--plain", typed="9 h\n8 t\nquit\n")
    assert inside(tmp_path, "resume", "--plain", typed="7 t\nquit\n").text.splitlines()[:6] == [
        "Player 1: hundreds 9, tens empty, units empty, highest possible 976.",
        "Player 2: hundreds empty, tens 8, units empty, highest possible 786.",
        "Digits left: 1 2 3 4 5 6 7.",
        "",
        "Player 1, it's your turn.",
        "Available Digits: 1 2 3 4 5 6 7",
    ]


@pytest.mark.parametrize("command", ["rules battle", "games", "replay 1"])
def test_other_commands_never_colour_what_is_piped(command: str, tmp_path: Path) -> None:
    inside(tmp_path, "play", "classic", typed="resign\nyes\n")
    done = run(tmp_path, *command.split(), FORCE_COLOR="1", CLICOLOR_FORCE="1")
    assert done.code == 0
    assert b"\x1b" not in done.out
