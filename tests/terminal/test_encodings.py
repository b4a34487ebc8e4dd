"""Code pages and locales that lack characters: SAFETY H6."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.terminal.console import Console, inside, run
from tests.terminal.walks import answer_all, wait_for, walk

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


@pytest.mark.parametrize("encoding", ENVIRONMENTS)
def test_piped_games_lists_and_records_are_printed_in_any_encoding(encoding: str, tmp_path: Path) -> None:
    whole, env = walk("cards"), ENVIRONMENTS[encoding]
    done = run(tmp_path, *whole.args, *names(encoding), typed=whole.typed, **env)
    assert (done.code, done.err) == (0, b"")
    assert ("日本" in done.text) is (encoding == "utf-8")
    listed = run(tmp_path, "games", **env)
    assert listed.code == 0
    if encoding in ("ascii", "C locale"):
        assert (done.out + listed.out).isascii()


@pytest.mark.parametrize("encoding", ENVIRONMENTS)
def test_a_terminal_gets_substitutes_for_what_its_encoding_lacks(encoding: str, tmp_path: Path) -> None:
    whole = walk("sabotage")
    with Console(tmp_path, *whole.args, *names(encoding), env=ENVIRONMENTS[encoding]) as console:
        for word in ("board", "help", "moves"):
            wait_for(console, whole.asked[0].prompt, then=word)
        answer_all(console, whole.asked)
        assert console.end() == 0
        console.assert_restored()
        assert ("日本".encode() in console.shown) is (encoding == "utf-8")
    with Console(tmp_path, "review", "1", env=ENVIRONMENTS[encoding]) as console:
        assert console.end() == 0
        chart = console.shown.decode(errors="replace").partition("Who was ahead after each move:")[2]
    assert ("───" in chart, "---" in chart) == ((True, False) if encoding == "utf-8" else (False, True))


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8", "C locale"])
def test_answers_in_bytes_that_the_encoding_lacks_are_asked_again(encoding: str, tmp_path: Path) -> None:
    first = walk("battle").asked[0]
    typed = b"\xff\n\x81\n\xe2\x82\xac\n" + first.answer.encode() + b"\nquit\n"
    done = run(tmp_path, *walk("battle").args, typed=typed, **ENVIRONMENTS[encoding])
    assert done.code == 0
    assert done.out.count(first.prompt.encode()) == 4


def test_records_and_saves_are_always_utf_8(tmp_path: Path) -> None:
    record = tmp_path / "record"
    args = ["play", "classic", "--names", *STRANGE, "--record", str(record)]
    run(tmp_path, *args, typed="9 h\n", PYTHONIOENCODING="ascii")
    assert "日本" in record.read_text("utf-8")
    assert "日本" in next(tmp_path.glob("*.duel")).read_text("utf-8")
    assert "日本" in inside(tmp_path, "replay", str(record)).text


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_a_name_in_invalid_utf_8_is_cleaned(locale: str, tmp_path: Path) -> None:
    args = ("play", "classic", "--names", "Eve\udcff\udc80", "Ben")
    done = run(tmp_path, *args, typed="9 h\n", LC_ALL=locale)
    assert done.code == 3
    assert "Eve" in done.text
