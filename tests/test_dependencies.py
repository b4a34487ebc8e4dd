"""What is imported is declared, and the lock holds what is declared."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (ROOT / "requirements" / "dev.lock").read_text(encoding="utf-8")
OURS = {"digit_duel", "tests", "tools", "benchmarks", "examples", "_typeshed"}  # the last: for types alone

EXTRAS = PROJECT["project"]["optional-dependencies"]
TO_RUN = [
    *map(
        Requirement,
        PROJECT["project"]["dependencies"] + [each for extra in EXTRAS.values() for each in extra],
    )
]
TO_TEST = [*TO_RUN, *map(Requirement, PROJECT["dependency-groups"]["dev"])]


def imported(folder: str) -> set[str]:
    """The packages that the modules of a folder import, but for ours and Python's own."""
    names: set[str] = set()
    for file in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names.update(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
    beside = {file.stem for file in (ROOT / folder).rglob("*.py")} | {
        file.name for file in (ROOT / folder).iterdir()
    }
    return names - sys.stdlib_module_names - OURS - beside


def undeclared(packages: Iterable[str], declared: Iterable[Requirement]) -> set[str]:
    """The packages that no declared distribution brings."""
    names = {canonicalize_name(each.name) for each in declared}
    brought_by = packages_distributions()
    return {each for each in packages if not names & {*map(canonicalize_name, brought_by.get(each, []))}}


def test_whatever_the_package_imports_is_declared_for_it() -> None:
    assert undeclared(imported("src"), TO_RUN) == set()


@pytest.mark.parametrize("folder", ["tests", "tools", "benchmarks", "examples", "docs"])
def test_whatever_its_tests_and_tools_import_is_declared_for_them(folder: str) -> None:
    assert undeclared(imported(folder), TO_TEST) == set()


def private_imports(folder: str) -> set[str]:
    """Imports of what other packages keep to themselves: a name with an underscore, or an ..._impl module."""
    found: set[str] = set()
    for file in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            else:
                continue
            found.update(name for name in names if _is_private(name.split(".")))
    return found


def _is_private(parts: list[str]) -> bool:
    own = parts[0] in OURS or parts[0] == "__future__"
    return not own and any(part.startswith("_") or part.endswith("_impl") for part in parts)


@pytest.mark.parametrize("folder", ["src", "tests", "tools", "benchmarks", "examples", "docs"])
def test_nothing_imports_a_private_module_of_another_package(folder: str) -> None:
    assert private_imports(folder) == set()


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
def test_the_lock_holds_one_fitting_version_of_whatever_is_declared(python: str) -> None:
    here = {"python_version": python, "python_full_version": f"{python}.0"}
    locked = [Requirement(line) for line in re.findall(r"^([a-z0-9].*?) \\$", LOCK, re.MULTILINE)]
    versions = {
        each.name: str(each.specifier).removeprefix("==")
        for each in locked
        if each.marker is None or each.marker.evaluate(here)
    }
    assert [
        str(each) for each in TO_TEST if not each.specifier.contains(versions[canonicalize_name(each.name)])
    ] == []


def test_the_lock_names_versions_and_hashes_but_no_place_to_get_them_from() -> None:
    known = r"[a-z0-9-]+==\S+( ; .*)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?| *#.*"
    assert [line for line in LOCK.splitlines() if not re.fullmatch(known, line)] == []
    assert "://" not in LOCK
