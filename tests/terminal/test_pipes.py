"""Scripts, broken pipes, full devices and closed files: SAFETY H2, H3 and H5."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.terminal.console import COMMAND, Console, inside, shell
from tests.terminal.walks import GAMES, walk

# One that click prints, one that we print, one that plays.
COMMANDS = ["--help", "rules classic", "play classic"]


@pytest.mark.parametrize(
    ("game", "how", "kept"),
    [
        ("classic", "</dev/null", "Nobody has moved yet, so there is nothing to save."),
        ("cards", "<&-", "Nobody has moved yet, so there is nothing to save."),
        ("battle", "< <(echo 9 a)", "Your game is saved. To continue: digit-duel resume"),
    ],
)
def test_the_end_of_input_is_said_politely_with_exit_code_3(
    game: str, how: str, kept: str, tmp_path: Path
) -> None:
    done = shell(tmp_path, f"duel play {game} {how}")
    assert done.code == 3
    assert f"The input has ended. {kept}" in done.text
    assert len(done.out) < 4000  # no busy loop
    assert not done.err


def test_echo_9_plays_the_9_and_then_the_input_has_ended(tmp_path: Path) -> None:
    done = shell(tmp_path, "echo 9 | duel play classic")
    assert done.code == 3
    assert "(hundreds/tens/units): \nThe input has ended." in done.text
    unfinished_line = shell(tmp_path, "printf '9 h' | duel play classic")
    assert "Player 1's Number: [9][ ][ ]" in unfinished_line.text


def test_input_that_cannot_be_read_has_ended_too(tmp_path: Path) -> None:
    done = shell(tmp_path, f"cd {tmp_path}; duel play classic 0>write-only")
    assert done.code == 3
    assert "The input has ended." in done.text


@pytest.mark.parametrize("how", ["</dev/null", "<&-"])
def test_without_a_terminal_the_bare_command_shows_help(how: str, tmp_path: Path) -> None:
    done = shell(tmp_path, f"duel {how}")
    assert done.code == 0
    assert done.text.startswith("Usage: ")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_reader_who_leaves_ends_the_command_quietly_with_141(command: str, tmp_path: Path) -> None:
    done = shell(tmp_path, f"duel {command} </dev/null | true; exit ${{PIPESTATUS[0]}}")
    assert (done.code, done.err) == (141, b"")


def test_head_shows_the_first_line_of_a_long_game(tmp_path: Path) -> None:
    done = shell(
        tmp_path, "yes 'quit me not' | head -2000 | duel play classic | head -1; exit ${PIPESTATUS[2]}"
    )
    assert done.out == b"Digits Available: 1 2 3 4 5 6 7 8 9\n"
    assert (done.code, done.err) == (141, b"")


@pytest.mark.parametrize(
    ("command", "errors"),
    [*((command, "") for command in COMMANDS), ("--help", "2>/dev/full"), ("rules classic", "2>&-")],
)
def test_a_full_device_is_exit_code_74_and_a_sentence(command: str, errors: str, tmp_path: Path) -> None:
    done = shell(tmp_path, f"duel {command} </dev/null >/dev/full {errors}")
    assert done.code == 74
    assert done.err == (b"" if errors else b"digit-duel: Output failed: No space left on device.\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_closed_output_is_no_reason_for_a_traceback(command: str, tmp_path: Path) -> None:
    done = shell(tmp_path, f"duel {command} </dev/null >&-")
    assert done.code in (0, 74)  # click itself prints --help into nothing


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("duel play nonsense 2>&-", 2),
        ("duel resume 2>&-", 1),
        ("duel play classic <&- >&- 2>&-", 74),
        ("duel play classic </dev/null 2>/dev/full", 3),
    ],
)
def test_a_closed_error_stream_still_gives_the_exit_code(line: str, code: int, tmp_path: Path) -> None:
    assert shell(tmp_path, line).code == code


@pytest.mark.parametrize("game", GAMES)
def test_piped_output_is_clean_text_and_the_same_every_time(game: str, tmp_path: Path) -> None:
    whole = walk(game)
    first = inside(tmp_path / "one", *whole.args, typed=whole.typed)
    second = inside(tmp_path / "two", *whole.args, "--plain", typed=whole.typed)  # plain anyway
    assert (first.code, first.err) == (0, b"")
    assert first.out == second.out
    assert all(c.isprintable() or c == "\n" for c in first.text)
    assert whole.closing in first.text
    assert "\n\n\n" not in first.text


@pytest.mark.parametrize("how", ["| cat", "> log"])
def test_people_who_type_but_read_through_a_pipe_are_not_shown_each_others_hands(
    how: str, tmp_path: Path
) -> None:
    line = f"cd {tmp_path}; {' '.join(COMMAND)} play cards {how}; echo code ${{PIPESTATUS[0]}}"
    with Console(tmp_path, command=("bash", "-c", line)) as console:
        console.expect("code 1")
        assert b"cannot hide" in console.shown
        assert b"You draw" not in console.shown
