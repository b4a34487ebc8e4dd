"""digit-duel verify: a game from a server proves itself, and a changed one does not."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests.terminal.console import inside
from tests.web.played import KEY, finished, opened, play_on, seated

from digit_duel.web.play.fair_deals.proof import proven_headers
from digit_duel.web.play.online_game import OnlineGame


def saved(folder: Path, online_game: OnlineGame) -> Path:
    """The record that the server gives out, in a file."""
    record = online_game.record()
    path = folder / "game.duel"
    path.write_text(replace(record, headers={**record.headers, **proven_headers(online_game, KEY)}).text())
    return path


def test_a_game_of_cards_is_verified_from_its_record(tmp_path: Path) -> None:
    online_game = finished("cards", Random(1))
    assert online_game.session is not None
    drawn = sum(step.seat is None for step in online_game.session.steps)
    done = inside(tmp_path, "verify", str(saved(tmp_path, online_game)))
    assert done.code == 0
    assert f"{drawn} of {drawn} draws follow from the sealed seed" in done.text
    assert online_game.opening.seal in done.text


def test_the_seal_that_somebody_noted_is_compared(tmp_path: Path) -> None:
    online_game = finished("classic", Random(1))
    path = str(saved(tmp_path, online_game))
    seal = online_game.opening.seal
    right = inside(tmp_path, "verify", path, "--seal", seal.upper())
    assert (right.code, right.error) == (0, "")
    assert "It is the seal that you saw before the game." in right.text
    wrong = inside(tmp_path, "verify", path, "--seal", "00" + seal[2:])
    assert wrong.code == 1
    assert wrong.error == ("digit-duel: not proven: this is not the seal that you saw before the game.\n")


@pytest.mark.parametrize("line", ["Seal", "ServerSeed", "FirstSeed", "Choices"])
def test_a_changed_line_is_told_and_the_code_says_so(tmp_path: Path, line: str) -> None:
    online_game = play_on(seated(opened("cards"), ("aa", "bb")), Random(4))
    path = saved(tmp_path, online_game)
    lines = path.read_text().splitlines()
    at = next(at for at, text in enumerate(lines) if text.startswith(f"[{line} "))
    last = lines[at][-3]
    lines[at] = f"{lines[at][:-3]}{'1' if last != '1' else '2'}{lines[at][-2:]}"
    path.write_text("\n".join(lines) + "\n")
    done = inside(tmp_path, "verify", str(path))
    assert done.code == 1
    assert done.error.startswith("digit-duel: not proven: ")
    assert done.text == ""


def test_a_game_from_this_keyboard_has_nothing_to_verify(tmp_path: Path) -> None:
    path = tmp_path / "kitchen.duel"
    inside(tmp_path, "play", "classic", "--record", str(path), typed="resign\nyes\n")
    done = inside(tmp_path, "verify", str(path))
    assert done.code == 1
    assert "Only the record of a finished game on a server can be verified." in done.error


def test_a_file_that_is_no_record_is_named(tmp_path: Path) -> None:
    path = tmp_path / "letter.duel"
    path.write_text("Dear Anna,\n")
    done = inside(tmp_path, "verify", str(path))
    assert done.code == 1
    assert "letter.duel" in done.error


def test_to_verify_or_to_play_online_needs_nothing_that_only_a_server_needs() -> None:
    needed = "starlette uvicorn msgspec psycopg structlog segno numpy"
    code = (
        "import sys, digit_duel.cli.verify, digit_duel.cli.online.play; "
        f"sys.exit(repr(set({needed.split()!r}) & set(sys.modules) or ''))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert done.stderr.strip() == "''"
