"""Every example runs in its short form, and ends with what it says it would find."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import pytest
from tests.documents import ROOT, bare_environment, blocks, text

ELSEWHERE = {"bot.py"}  # needs a server, and has a test beside the server's own
EXAMPLES = sorted(path.name for path in (ROOT / "examples").glob("*.py") if path.name not in ELSEWHERE)
FINDS = {
    "cfr_on_cards.py": "exactly 1/2",
    "mcts_against_perfect.py": "50  second",
    "q_learning.py": "Nothing is given away. The opening that was learned: 9a1",
    "self_play.py": "against itself the first seat scores +1; by the solver +1",
}


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_runs_in_its_short_form_and_finds_what_it_should(example: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(ROOT / "examples" / example), "--short"],
        capture_output=True, text=True, cwd=tmp_path, env=bare_environment(tmp_path), timeout=180,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert FINDS[example] in done.stdout


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_has_a_short_form_and_asserts_its_result(example: str) -> None:
    source = text(f"examples/{example}")
    body = source[source.index("\ndef main() -> None:") :]
    assert "assert " in body
    assert '"--short"' in body


def test_every_example_is_known_here() -> None:
    assert set(FINDS) == set(EXAMPLES)


@pytest.mark.parametrize("page", ["ground-truth", "size-ladder"])
def test_the_python_on_a_page_for_research_gives_what_is_shown(page: str) -> None:
    shown = "".join(blocks(f"docs/research/{page}.md", "python"))
    found = doctest.DocTestParser().get_doctest(shown, {}, page, None, 0)
    assert len(found.examples) > 2
    assert doctest.DocTestRunner().run(found).failed == 0


def test_nothing_heavy_is_imported_by_the_package_or_by_its_solvers() -> None:
    heavy = ("numpy", "scipy", "jax", "pyspiel", "gymnasium", "pettingzoo", "click")
    for module in ("digit_duel", "digit_duel.solve"):
        ask = f"import sys, {module}; print([name for name in {heavy!r} if name in sys.modules])"
        done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True)
        assert (done.stdout, done.returncode) == ("[]\n", 0), done.stderr


def test_every_public_name_of_the_solvers_can_be_had_and_is_documented() -> None:
    from digit_duel import solve

    assert sorted(solve.__all__) == solve.__all__
    assert set(solve.__all__) <= set(dir(solve))
    page = text("docs/research/ground-truth.md")
    for name in solve.__all__:
        found = getattr(solve, name)
        assert f"`{name}" in page, name
        assert name in ("Policy", "Profile") or found.__doc__
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        solve.nothing  # noqa: B018
