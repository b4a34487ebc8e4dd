"""A newcomer's first steps: a fresh copy of the repository, an empty home, and the commands of the README."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.documents import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="make and a pseudo-terminal are needed"),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="only a clone knows what belongs to it"),
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
]

SET_UP, REPLY = 600, 60  # seconds; the package index may be slow, and the machine busy
PROMPT = "Enter the digit you want to select: "


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy of everything in the repository, as it is now, and nothing that was built."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True, text=True,
    ).stdout  # fmt: skip
    folder = tmp_path / "digit-duel"
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).exists():  # a file can be deleted before git knows
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    assert not (folder / ".venv").exists()
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A home with nothing in it, and none of this test's own Python on the path."""
    home = tmp_path / "home"
    home.mkdir()
    own = str(Path(sys.executable).parent)
    path = os.pathsep.join(part for part in os.environ["PATH"].split(os.pathsep) if part != own)
    ours = ("VIRTUAL_ENV", "PYTHONPATH", "DIGIT_DUEL_", "XDG_", "COVERAGE_", "PYTEST_", "MAKE", "MFLAGS")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    return {**kept, "HOME": str(home), "PATH": path, "TERM": "xterm", "LC_ALL": "C.UTF-8"}


def output_of(command: list[str], folder: Path, environment: dict[str, str]) -> str:
    """What a command prints; it must succeed."""
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SET_UP
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def spawn(command: str, folder: Path, environment: dict[str, str]) -> Any:
    import pexpect

    return pexpect.spawn(
        command, cwd=str(folder), env=environment, encoding="utf-8", timeout=REPLY, dimensions=(24, 80)
    )  # type: ignore[arg-type, unused-ignore]


def to_the_end_of_a_game(screen: Any) -> str:
    """Answer the guided start, play any legal moves, and leave; what was seen last."""
    import pexpect

    screen.expect_exact("Which game?", timeout=SET_UP)
    for answer, question in (
        ("classic", "Which rules?"), ("rulebook", "Who do you want to play?"),
        ("computer", "How well should it play?"), ("sensible", "Your name?"),
        ("", "Who starts?"),
    ):  # fmt: skip
        screen.expect_exact("> ")
        screen.sendline(answer)
        screen.expect_exact(question)
    screen.expect_exact("> ")
    screen.sendline("1")
    for _ in range(3):
        screen.expect_exact(PROMPT)
        screen.sendline("moves")
        screen.expect_exact(PROMPT)
        move = re.search(r"[1-9]a[1-3]", screen.before)
        assert move, screen.before
        screen.sendline(move[0])
    screen.expect(r"(Player 1|Computer) wins!")
    screen.expect_exact("Another game")
    screen.sendline("no")
    screen.expect(pexpect.EOF)
    screen.close()
    assert screen.exitstatus == 0
    return str(screen.before)


def test_make_play_sets_up_and_plays_and_the_second_time_is_there_at_once(
    clone: Path, environment: dict[str, str]
) -> None:
    import pexpect

    screen = spawn("make play ARGS=--lines", clone, environment)
    screen.expect_exact("Setting up Digit Duel in .venv, once")
    to_the_end_of_a_game(screen)
    tools = [tool for tool in ("pytest", "mypy", "ruff") if (clone / ".venv" / "bin" / tool).exists()]
    assert tools == [], "playing needs no tools"
    again = spawn("make play ARGS=--lines", clone, environment)
    again.expect_exact("DIGIT DUEL")
    assert "Setting up" not in again.before
    to_the_end_of_a_game(again)
    full_screen = spawn("make play", clone, environment)
    full_screen.expect_exact("Enter play the computer")
    full_screen.send("q")
    full_screen.expect(pexpect.EOF)
    listed = output_of([str(clone / ".venv" / "bin" / "digit-duel"), "games"], clone, environment)
    assert listed.count("classic    Player 1 - Computer (sensible)  ") == 2


def test_an_old_python_is_refused_with_the_reason(clone: Path, environment: dict[str, str]) -> None:
    old = clone / "old-python"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = subprocess.run(
        ["make", "play", f"PYTHON={old}"], cwd=clone, env=environment, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "Digit Duel needs Python 3.11 or later." in done.stderr
    assert not (clone / ".venv").exists()


def test_the_built_package_has_its_command_its_types_and_no_tests(
    clone: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    package = tmp_path / "package"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(package), "."]
    output_of(install, clone, environment)
    shutil.rmtree(clone)  # what is installed needs no clone
    found = {**environment, "PYTHONPATH": str(package)}
    version = output_of([str(package / "bin" / "digit-duel"), "--version"], tmp_path, found)
    assert re.fullmatch(r"digit-duel [0-9.]+\n", version)
    rules = output_of([str(package / "bin" / "digit-duel"), "rules", "cards"], tmp_path, found)
    assert rules.startswith("Digit Duel: Cards (cards)\n")
    assert (package / "digit_duel" / "py.typed").exists()
    assert not (package / "tests").exists()


# make test in a fresh clone does this, too.
@pytest.mark.campaign
def test_the_tools_are_set_up_from_scratch(clone: Path, environment: dict[str, str]) -> None:
    output_of(["make", ".venv/.ready"], clone, environment)
    for tool in ("pytest", "mypy", "ruff", "lint-imports", "coverage"):
        assert (clone / ".venv" / "bin" / tool).exists(), tool
    assert "up to date" in output_of(["make", ".venv/.ready"], clone, environment)


@pytest.mark.campaign
def test_pip_and_pipx_install_the_command(clone: Path, environment: dict[str, str], tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    output_of([sys.executable, "-m", "venv", str(venv)], clone, environment)
    output_of([str(venv / "bin" / "pip"), "install", "--quiet", "."], clone, environment)
    output_of([str(venv / "bin" / "digit-duel"), "--version"], tmp_path, environment)
    output_of([sys.executable, "-m", "pipx", "install", "."], clone, environment)
    command = Path(environment["HOME"]) / ".local" / "bin" / "digit-duel"
    output_of([str(command), "--version"], tmp_path, environment)
