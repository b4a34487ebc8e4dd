"""The documentation as the tests read it: blocks, links, tables, and commands that can be run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path

ROOT = Path(__file__).parent.parent
_TOP = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/README.md")
PAGES = [*(ROOT / name for name in _TOP), *sorted((ROOT / "docs").rglob("*.md"))]
PATIENCE = 120  # seconds; a machine may be busy


@dataclass(frozen=True, slots=True)
class Command:
    """A line that a page tells people to type, and what it says they will see; empty is anything."""

    line: str
    shown: str


def name(page: Path) -> str:
    """A page as people call it."""
    return page.relative_to(ROOT).as_posix()


def text(page: Path | str) -> str:
    """The text of a page."""
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: Path | str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text(page), re.DOTALL | re.MULTILINE)


def section(page: Path | str, heading: str) -> str:
    """The text under a heading, up to the next one of its kind."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text(page), re.DOTALL | re.MULTILINE)
    assert found, f"{page} has no heading {heading}"
    return found[1]


def table(markdown: str, first: str) -> list[list[str]]:
    """The rows below a heading row whose first cell is given."""
    found = re.search(rf"^\| {re.escape(first)} \|.*\n\|[-| ]+\|\n((?:\|.*\n)+)", markdown, re.MULTILINE)
    assert found, f"there is no table of {first}"
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in found[1].splitlines()]


def commands(block: str) -> list[Command]:
    """The commands of a console block."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
    assert not parts[0], f"a console block begins with a command, not with {parts[0]!r}"
    split = [part.partition("\n") for part in parts[1:]]
    return [Command(line, shown) for line, _, shown in split]


def bare_environment(home: Path) -> dict[str, str]:
    """The environment of a command: an empty home, and the path of this Python and its commands."""
    names = ("SYSTEMROOT", "TMPDIR", "COVERAGE_PROCESS_START", "COVERAGE_FILE")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return {**kept, "PATH": path, "HOME": str(home), "LC_ALL": "C.UTF-8"}


def assert_shown(command: Command, folder: Path, home: Path) -> None:
    """Run a command, and find what the page shows."""
    done = subprocess.run(
        command.line, shell=True, cwd=folder, env=bare_environment(home), timeout=PATIENCE,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, f"{command.line}\n{done.stdout}"
    if command.shown:
        checker = OutputChecker()
        fits = checker.check_output(command.shown, done.stdout, ELLIPSIS)
        assert fits, f"{command.line}\n--- the page shows\n{command.shown}\n--- it is\n{done.stdout}"
