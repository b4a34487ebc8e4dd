"""Code pages that lack a symbol or a name: SAFETY H6."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.terminal.console import Console, run, without_escapes
from tests.terminal.walks import answer_all, wait_for, walk

# What a locale or PYTHONIOENCODING can make of a terminal.
ENVIRONMENTS = {
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "cp437": {"PYTHONIOENCODING": "cp437"},
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
    "utf-8": {"PYTHONIOENCODING": "utf-8"},
    "C locale": {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
}
STRANGE = ("日本", "Žofie é")


def names(encoding: str) -> tuple[str, ...]:
    """Names that hardly any encoding has; a bare C locale cannot even pass them on."""
    return () if encoding == "C locale" else ("--names", *STRANGE)


@pytest.mark.parametrize(
    "game",
    [
        "sabotage",
        "cards",
        *(pytest.param(g, marks=pytest.mark.slow) for g in ("classic", "reverse", "battle")),
    ],
)
@pytest.mark.parametrize("encoding", ENVIRONMENTS)
def test_a_whole_game_with_names_that_the_encoding_lacks_is_played_to_the_end(
    game: str, encoding: str, tmp_path: Path
) -> None:
    whole = walk(game)
    done = run(tmp_path, *whole.args, *names(encoding), typed=whole.typed, **ENVIRONMENTS[encoding])
    assert done.code == 0
    assert not done.err
    assert ("日本" in done.text) is (encoding == "utf-8")
    assert done.out.isascii() or encoding not in ("ascii", "C locale")


@pytest.mark.parametrize("encoding", ENVIRONMENTS)
def test_every_screen_of_a_terminal_has_a_stand_in_for_what_its_encoding_lacks(
    encoding: str, tmp_path: Path
) -> None:
    whole = walk("sabotage")
    with Console(tmp_path, *whole.args, *names(encoding), env=ENVIRONMENTS[encoding]) as console:
        for word in ("board", "help", "moves"):
            wait_for(console, whole.asked[0].prompt, then=word)
        answer_all(console, whole.asked)
        assert console.end() == 0
        console.assert_restored()
        shown = without_escapes(console.shown)
    if encoding == "utf-8":
        assert "┌───┐".encode() in shown
        assert "日本".encode() in shown
    else:
        assert b"+---+" in shown
        assert b"0x2" in shown


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "C locale"])
def test_lists_and_records_are_printed_in_any_encoding(encoding: str, tmp_path: Path) -> None:
    run(tmp_path, "play", "classic", "--names", *STRANGE, typed="9 h\n")
    for line in (["games"], ["export", "1"], ["replay", "1"]):
        done = run(tmp_path, *line, **ENVIRONMENTS[encoding])
        assert done.code == 0
        if encoding == "ascii":
            assert done.out.isascii()  # and not UTF-8 where it cannot be read


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8", "C locale"])
@pytest.mark.parametrize("game", ["battle"])
def test_answers_in_bytes_that_the_encoding_lacks_are_asked_again(
    encoding: str, game: str, tmp_path: Path
) -> None:
    first = walk(game).asked[0]
    typed = b"\xff\n\x81\n\xe2\x82\xac\n" + first.answer.encode() + b"\nquit\n"
    done = run(tmp_path, *walk(game).args, typed=typed, **ENVIRONMENTS[encoding])
    assert done.code == 0
    assert done.out.count(first.prompt.encode()) == 4


def test_a_record_is_always_utf_8_whatever_the_terminal_speaks(tmp_path: Path) -> None:
    record = tmp_path / "record"
    args = ["play", "classic", "--names", *STRANGE, "--record", str(record)]
    run(tmp_path, *args, typed="9 h\n", PYTHONIOENCODING="ascii")
    assert "日本" in record.read_text("utf-8")
    save = next(tmp_path.glob("*.duel"))
    assert "日本" in save.read_text("utf-8")
    assert "日本" in run(tmp_path, "replay", str(record)).text


def test_a_name_in_bytes_that_are_no_text_is_refused_or_cleaned(tmp_path: Path) -> None:
    for locale in ("C", "C.UTF-8"):
        done = run(
            tmp_path, "play", "classic", "--names", "Eve\udcff\udc80", "Ben", typed="9 h\n", LC_ALL=locale
        )
        assert done.code == 3
        assert "Eve" in done.text
