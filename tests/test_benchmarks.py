"""Benchmarks stay runnable: each explains itself, imports without doing anything, and the cheap ones run."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from digit_duel.games._placement import Placement
from digit_duel.games.sabotage import VARIANT
from digit_duel.solve.placing.solver import placing_table

FOLDER = Path(__file__).parent.parent / "benchmarks"
FILES = sorted(FOLDER.glob("*.py"))

# Importing a benchmark must neither print, nor start a process, nor write a file.
IMPORT = """
import sys
def forbid(event, args):
    if event in ("subprocess.Popen", "os.system", "os.mkdir", "socket.connect"):
        raise SystemExit(f"{event} {args}")
    if event == "open" and args[1] is not None and set(str(args[1])) & set("wax+"):
        raise SystemExit(f"writes {args[0]}")
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
sys.addaudithook(forbid)
module = __import__(sys.argv[2])
assert callable(module.main)
"""


def run(
    *arguments: str, home: Path, more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120,
        env={"DIGIT_DUEL_HOME": str(home), "PATH": os.defpath, **(more or {})},
    )  # fmt: skip


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_benchmark_says_what_it_measures(file: Path) -> None:
    about = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    assert about
    assert about[-1] in ".?"
    assert f"## {file.name}" in (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_importing_a_benchmark_does_nothing(file: Path, tmp_path: Path) -> None:
    done = run("-c", IMPORT, str(FOLDER), file.stem, home=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not list(tmp_path.iterdir())


def test_soaking_for_a_moment_breaks_no_law(tmp_path: Path) -> None:
    done = run(str(FOLDER / "soak.py"), "--game", "classic", "--seed", "1", home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "no law broken" in done.stdout


@pytest.mark.slow
def test_the_peer_is_left_out_where_no_registry_can_be_reached(tmp_path: Path) -> None:
    done = run(str(FOLDER / "openspiel_peer.py"), home=tmp_path, more={"PIP_NO_INDEX": "1"})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("OpenSpiel: skipped")
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.slow
def test_the_plain_sweep_finds_every_state_and_the_value(tmp_path: Path) -> None:
    binary = tmp_path / "plain_sweep"
    subprocess.run(["cc", "-O2", str(FOLDER / "plain_sweep.c"), "-o", str(binary)], check=True)
    told = json.loads(subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout)
    table = placing_table(VARIANT.game_as(Placement))
    assert (told["states"], told["margin"]) == (table.states, table.value(VARIANT.game.start()))
