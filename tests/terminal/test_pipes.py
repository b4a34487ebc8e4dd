"""Scripts, broken pipes, full devices and closed files: SAFETY H2, H3 and H5."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.terminal.console import Console, run, shell
from tests.terminal.walks import GAMES, walk

RECORD = '[Game "classic"]\n[First "A"]\n[Second "B"]\n[Result "*"]\n\n1. 9a1 *\n'
EVERY_COMMAND = ["--help", "rules classic", "games", "export record", "replay record", "play classic"]


@pytest.mark.parametrize(
    ("game", "how"),
    [
        *((game, "</dev/null") for game in GAMES),
        ("classic", "<&-"),
        ("cards", "<&-"),
        ("battle", "< <(echo help)"),
    ],
)
def test_the_end_of_input_is_said_politely_with_exit_code_3(game: str, how: str, tmp_path: Path) -> None:
    done = shell(tmp_path, f"duel play {game} {how}")
    assert done.code == 3
    assert "The input has ended. Your game is saved. To go on with it: digit-duel resume" in done.text
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


def test_without_a_terminal_the_bare_command_shows_help(tmp_path: Path) -> None:
    for how in ("</dev/null", "<&-", "< <(echo 1)"):
        done = shell(tmp_path, f"duel {how}")
        assert done.code == 0
        assert done.text.startswith("Usage: ")


@pytest.mark.parametrize("command", EVERY_COMMAND)
def test_a_reader_who_leaves_ends_the_command_quietly_with_141(command: str, tmp_path: Path) -> None:
    (tmp_path / "record").write_text(RECORD)
    done = shell(tmp_path, f"cd {tmp_path}; duel {command} </dev/null | true; exit ${{PIPESTATUS[0]}}")
    assert done.code == 141
    assert not done.err


def test_head_shows_the_first_line_of_a_long_match_and_nothing_complains(tmp_path: Path) -> None:
    done = shell(
        tmp_path, "yes 'quit me not' | head -2000 | duel play classic | head -1; exit ${PIPESTATUS[2]}"
    )
    assert done.out == b"Digits Available: 1 2 3 4 5 6 7 8 9\n"
    assert done.code == 141
    assert not done.err


@pytest.mark.parametrize(
    ("command", "complaints"),
    [*((command, "") for command in EVERY_COMMAND), ("--help", "2>/dev/full"), ("rules classic", "2>&-")],
)
def test_a_full_device_is_exit_code_74_and_a_sentence_at_most(
    command: str, complaints: str, tmp_path: Path
) -> None:
    (tmp_path / "record").write_text(RECORD)
    done = shell(tmp_path, f"cd {tmp_path}; duel {command} </dev/null >/dev/full {complaints}")
    assert done.code == 74
    assert done.err.count(b"\n") <= 1


@pytest.mark.parametrize("command", EVERY_COMMAND)
def test_a_closed_output_is_no_reason_for_a_traceback(command: str, tmp_path: Path) -> None:
    (tmp_path / "record").write_text(RECORD)
    done = shell(tmp_path, f"cd {tmp_path}; duel {command} </dev/null >&-")
    assert done.code in (0, 74)  # click itself prints --help and --version into nothing


def test_closed_complaints_still_give_the_exit_code(tmp_path: Path) -> None:
    assert shell(tmp_path, "duel play nonsense 2>&-").code == 2
    assert shell(tmp_path, "duel play classic <&- >&- 2>&-").code == 74
    assert shell(tmp_path, "duel resume 2>&-").code == 1
    assert shell(tmp_path, "duel play classic </dev/null 2>/dev/full").code == 3


@pytest.mark.parametrize("game", GAMES)
def test_piped_output_is_clean_text_and_the_same_every_time(game: str, tmp_path: Path) -> None:
    whole = walk(game)
    first, second = (run(tmp_path / f, *whole.args, typed=whole.typed) for f in ("one", "two"))
    assert first.code == 0
    assert first.out == second.out
    assert not first.err
    assert all(c.isprintable() or c == "\n" for c in first.text)
    assert whole.closing in first.text
    assert "\n\n\n" not in first.text
    assert not any(
        line.endswith(" ") for line in first.text.splitlines() if "> " not in line and ": " not in line
    )


@pytest.mark.parametrize("game", ["sabotage", "cards"])
def test_plain_changes_nothing_where_there_is_no_terminal(game: str, tmp_path: Path) -> None:
    whole = walk(game)
    plain = run(tmp_path / "plain", *whole.args, "--plain", typed=whole.typed)
    assert plain.out == run(tmp_path / "piped", *whole.args, typed=whole.typed).out


@pytest.mark.parametrize("how", ["| cat", "> log"])
def test_people_who_type_but_read_through_a_pipe_are_not_shown_each_others_hands(
    how: str, tmp_path: Path
) -> None:
    line = f"cd {tmp_path}; {_duel()} play cards {how}; echo code ${{PIPESTATUS[0]}}"
    with Console(tmp_path, command=("bash", "-c", line)) as console:
        console.expect("code 1")
        assert b"cannot hide" in console.shown
        assert b"You draw" not in console.shown


def _duel() -> str:
    from tests.terminal.console import COMMAND

    return " ".join(COMMAND)
