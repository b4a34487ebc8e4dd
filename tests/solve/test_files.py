"""Tables on disk: intact and for the right rules, or computed again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from digit_duel.games import catalogue
from digit_duel.solve import errors
from digit_duel.solve.errors import DamagedTable
from digit_duel.solve.families import oracle, solver
from digit_duel.solve.general.value_file import ValueFile
from digit_duel.solve.value import Value

VALUES = [("here", Value(1, -3, 7)), ("there", Value(-1, 2, 0)), ("nowhere", Value(0))]


def test_values_come_back_from_their_bytes() -> None:
    file = ValueFile.decode(ValueFile.of("rules", VALUES).encode(), "rules")
    assert [file.get(state) for state, _ in VALUES] == [value for _, value in VALUES]
    assert file.get("elsewhere") is None
    assert len(file) == 3


def test_every_flipped_byte_and_every_cut_is_noticed() -> None:
    data = ValueFile.of("rules", VALUES).encode()
    for at in range(len(data)):
        changed = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        with pytest.raises(DamagedTable):
            ValueFile.decode(changed, "rules")
        with pytest.raises(DamagedTable):
            ValueFile.decode(data[:at], "rules")


def test_values_of_other_rules_are_refused() -> None:
    with pytest.raises(DamagedTable, match="other rules"):
        ValueFile.decode(ValueFile.of("rules", VALUES).encode(), "other")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DIGIT_DUEL_HOME", str(tmp_path))
    solver.cache_clear()
    return tmp_path / "cache"


@pytest.mark.parametrize(
    ("id", "settings"),
    [("classic", {"places": "2", "pool": "0-5"}), ("sabotage", {"places": "1", "pool": "0-5"})],
)
def test_a_solve_is_cached_and_a_damaged_cache_is_made_anew(
    cache: Path, id: str, settings: dict[str, str]
) -> None:
    game: Any = catalogue()[id].customised(settings).game
    value = oracle(game).value(game.start())
    (path,) = cache.iterdir()
    whole = path.read_bytes()
    assert path.stat().st_mode & 0o077 == 0
    path.write_bytes(whole[:-1])
    solver.cache_clear()
    assert oracle(game).value(game.start()) == value
    assert path.read_bytes() == whole


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(cache: Path) -> None:
    cache.write_text("a file where the folder should be")
    game: Any = catalogue()["battle"].customised({"pool": "1-3"}).game
    assert oracle(game).value(game.start()).score in (-1, 0, 1)


@pytest.mark.slow
def test_an_interrupted_solve_leaves_nothing_behind(tmp_path: Path) -> None:
    code = "from digit_duel.games import catalogue; from digit_duel.solve.effort import PATIENT;"
    code += "from digit_duel.solve.general.solver import GeneralSolver;"
    code += (
        "GeneralSolver(catalogue()['battle'].customised({'max_life': '40'}).game).find_oracle(PATIENT, None)"
    )
    environment = {**os.environ, "DIGIT_DUEL_HOME": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stderr=subprocess.DEVNULL
    ) as running:
        time.sleep(1.5)
        running.send_signal(signal.SIGINT)
        assert running.wait(20) != 0
    assert not list(tmp_path.rglob("*.*"))


def test_the_shipped_tables_are_small() -> None:
    tables = Path(errors.__file__).parent / "tables"
    assert sum(path.stat().st_size for path in tables.iterdir()) < 1_000_000
