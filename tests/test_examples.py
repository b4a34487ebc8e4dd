"""Every example runs in its short form, and ends with what it says it would find."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from benchmarks import baselines
from examples.baselines.duels import Duels, rung
from tests.documents import ROOT, bare_environment, blocks, section, table, text

from digit_duel import solve

ELSEWHERE = {"bot.py"}  # needs a server, and has a test beside the server's own
EXAMPLES = sorted(path.name for path in (ROOT / "examples").glob("*.py") if path.name not in ELSEWHERE)
FINDS = {
    "cfr_on_cards.py": "exactly 1/2",
    "mcts_against_perfect.py": "50  second",
    "mctx_on_classic.py": "of the first game gave away",
    "pgx_self_play.py": "after 614,400 moves",
    "q_learning.py": "Nothing is given away. The opening that was learned: 9a1",
    "self_play.py": "against itself the first seat scores +1; by the solver +1",
}

# On a busy machine, the threads of a small matrix product wait for each other for minutes.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

# What each may give away at most after a few seconds of learning on cards-3.
BASELINES = {"alpha_zero": 0.8, "deep_cfr": 0.4, "dqn": 0.4, "ppo": 0.4}


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_runs_in_its_short_form_and_finds_what_it_should(example: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(ROOT / "examples" / example), "--short"],
        capture_output=True, text=True, cwd=tmp_path, env=bare_environment(tmp_path), timeout=180,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert FINDS[example] in done.stdout


@pytest.mark.parametrize(("baseline", "least"), BASELINES.items())
def test_a_baseline_learns_in_its_short_form_and_saves_its_policy(
    baseline: str, least: float, tmp_path: Path
) -> None:
    path = tmp_path / "learned.policy"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", f"examples.baselines.{baseline}", "--short", f"--save={path}"],
        capture_output=True, text=True, cwd=ROOT, env=bare_environment(tmp_path) | ONE_THREAD, timeout=400,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    # Uniform play gives away 1.25. The row that is printed is the row of the policy in the file.
    row = solve.evaluate(solve.load_policy(path))
    assert row.rung == "cards-3"
    assert row.nash_conv < least
    assert done.stdout.splitlines()[-1] == f"NashConv {float(row.nash_conv):.6f}; uniform play 1.250000"


def test_every_method_has_a_row_on_the_page_for_an_open_rung_and_one_with_hidden_hands() -> None:
    rows = table(section("docs/research/benchmark.md", "Baselines"), "rung")
    for name in ("sabotage-4", "cards-3"):
        wanted = [m.name for m in baselines.METHODS if (m.open if name == "sabotage-4" else m.hidden)]
        assert [cells[1] for cells in rows if cells[0] == name] == wanted
    shown = next(cells[4] for cells in rows if cells[:2] == ["sabotage-4", "uniform"])
    exact = solve.nash_conv(rung("sabotage-4").variant.game, solve.uniform)
    assert shown.strip(" |") == f"{float(exact):.6f}"


def test_the_same_seed_gives_the_same_policy() -> None:
    duels = Duels(rung("cards-1").variant)
    for method in baselines.METHODS:
        if method.hidden and not method.name.startswith("OpenSpiel CFR"):
            one, other = (method.learn(duels, 3, 0.01) for _ in range(2))
            assert one.policy.rows == other.policy.rows, method.name
            assert one.steps == other.steps


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_has_a_short_form_and_asserts_its_result(example: str) -> None:
    source = text(f"examples/{example}")
    body = source[source.index("\ndef main() -> None:") :]
    assert "assert " in body
    assert '"--short"' in body


def test_every_example_is_known_here() -> None:
    assert set(FINDS) == set(EXAMPLES)


@pytest.mark.parametrize("page", ["benchmark", "ground-truth", "size-ladder"])
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
    assert sorted(solve.__all__) == solve.__all__
    assert set(solve.__all__) <= set(dir(solve))
    page = text("docs/research/ground-truth.md")
    for name in solve.__all__:
        found = getattr(solve, name)
        assert f"`{name}" in page, name
        assert name in ("Policy", "Profile") or found.__doc__
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        solve.nothing  # noqa: B018


@pytest.mark.parametrize("module", ["benchmarks.baselines", "examples.baselines.ppo"])
@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("--rung=nope", "there is no rung 'nope'"),
        ("--rung=sabotage-9", "this game is too big"),
        ("--seed=-1", "argument --seed: '-1' is not a whole number from 0"),
    ],
)
def test_what_cannot_be_learned_is_refused_before_learning(module: str, arguments: str, why: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", module, arguments], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 2
    assert f"error: {why}" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("method", ["deep_cfr", "alpha_zero"])
def test_a_method_for_alternate_turns_refuses_simultaneous_choices(method: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", f"examples.baselines.{method}", "--rung", "battle-2"],
        capture_output=True, text=True, cwd=ROOT, env=bare_environment(tmp_path), check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.endswith(
        "error: this method needs games in which the seats take turns; try ppo.py or dqn.py.\n"
    )


def test_a_game_of_self_play_that_never_ends_is_a_draw() -> None:
    # Both always choose the last legal action: they defend, and then reveal equal digits for ever.
    last = Duels(rung("battle-2").variant).played(
        2, 1, lambda seen, masks: np.where(masks, np.arange(masks.shape[1]), -1).argmax(1)
    )
    assert len(last[0]) == 1_000
    assert last[1].tolist() == [[0, 0], [0, 0]]
