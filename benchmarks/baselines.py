"""The table of baselines: the exact NashConv of policies learned by known methods, on rungs of the ladder.

Each row has the steps and the processor time that learning took; on the same machine and NumPy the same seed
gives the same row. With --save every policy is written to a file that `digit-duel research evaluate` reads;
--page updates the table in docs/research/benchmark.md. Run it from the root of the repository:
python -m benchmarks.baselines.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from examples.baselines import alpha_zero, deep_cfr, dqn, ppo
from examples.baselines.duels import Duels, Learned, Unfit, seed
from examples.baselines.duels import rung as rung_of
from examples.q_learning import Learner

from digit_duel import solve
from digit_duel.games._placement import Place, Placement, Position

RUNGS = ("sabotage-4", "sabotage-5", "cards-3", "cards-5", "cards-6")  # cards with facing_full=must_keep
PAGE = Path(__file__).parents[1] / "docs" / "research" / "benchmark.md"
BEGIN, END = "<!-- the table of benchmarks/baselines.py -->\n", "<!-- end of the table -->\n"
HEAD = "| rung | method | steps | processor seconds | NashConv |\n|---|---|---|---|---|\n"
LESSONS = 2_000  # training games of tabular Q-learning


@dataclass(frozen=True)
class Method:
    """A learning method, and the rungs that it applies to."""

    name: str
    learn: Callable[[Duels, int, float], Learned]
    hidden: bool = True  # for rungs with hidden hands
    open: bool = True  # for rungs where nothing is hidden


def uniform(duels: Duels, seed: int, effort: float) -> Learned:
    """Play all legal actions with equal probability."""
    return Learned(duels.policy(lambda seen, masks: masks), 0)


def regret_matching(name: str, iterations: int) -> Callable[[Duels, int, float], Learned]:
    """An OpenSpiel method that traverses the whole tree."""

    def learned(duels: Duels, seed: int, effort: float) -> Learned:
        cfr: Any = import_module("open_spiel.python.algorithms.cfr")
        game = _spiel(duels)
        solver, steps = getattr(cfr, name)(game), max(1, int(iterations * effort))
        for _ in range(steps):
            solver.evaluate_and_update_policy()
        return _from_spiel(duels, game, solver, steps)

    return learned


def sampling(module: str, name: str, iterations: int) -> Callable[[Duels, int, float], Learned]:
    """An OpenSpiel method that samples the tree."""

    def learned(duels: Duels, seed: int, effort: float) -> Learned:
        methods: Any = import_module(f"open_spiel.python.algorithms.{module}")
        np.random.seed(seed)
        game = _spiel(duels)
        solver, steps = getattr(methods, name)(game), max(1, int(iterations * effort))
        for _ in range(steps):
            solver.iteration()
        return _from_spiel(duels, game, solver, steps)

    return learned


def q_learning(duels: Duels, seed: int, effort: float) -> Learned:
    """The Q-table of examples/q_learning.py."""
    rules = duels.variant.game
    if not isinstance(rules, Placement):
        raise Unfit("the example knows only games of placing digits.")
    learner, games = Learner(rules, Random(seed)), max(1, int(LESSONS * effort))
    for _ in range(games):
        learner.play()

    def best(view: Position, legal: Sequence[Place]) -> Place:
        return learner.best(view)

    return Learned(solve.tabulate(duels.variant, solve.always(best)), games)


def _spiel(duels: Duels) -> Any:
    openspiel: Any = import_module("digit_duel.adapters.openspiel")
    return openspiel.load(duels.variant, version=2, turn_based=True, **duels.options)


def _from_spiel(duels: Duels, game: Any, solver: Any, steps: int) -> Learned:
    openspiel: Any = import_module("digit_duel.adapters.openspiel")
    return Learned(solve.tabulate(duels.variant, openspiel.from_spiel(game, solver.average_policy())), steps)


# OpenSpiel's CFR learns a separate strategy after each history. If a view does not determine the history, as
# in games without hidden information, that is not a policy over views.
METHODS = (
    Method("uniform", uniform),
    Method("tabular Q-learning", q_learning, hidden=False),
    Method(
        "OpenSpiel MCCFR, outcome sampling",
        sampling("outcome_sampling_mccfr", "OutcomeSamplingSolver", 2_000),
        open=False,
    ),
    Method(
        "OpenSpiel MCCFR, external sampling",
        sampling("external_sampling_mccfr", "ExternalSamplingSolver", 400),
        open=False,
    ),
    Method("OpenSpiel CFR", regret_matching("CFRSolver", 30), open=False),
    Method("OpenSpiel CFR+", regret_matching("CFRPlusSolver", 30), open=False),
    Method("PPO", ppo.learn),
    Method("DQN", dqn.learn),
    Method("Deep CFR", deep_cfr.learn),
    Method("AlphaZero-style search", alpha_zero.learn),
)


def rows(
    rung: solve.Rung, methods: Sequence[Method], seed: int, effort: float, folder: Path | None
) -> Iterator[str]:
    """The rows of one rung, without the methods that cannot learn it."""
    hidden = "hand_size" in rung.variant.options
    for method in methods:
        if not (method.hidden if hidden else method.open):
            continue
        begin = time.process_time()
        try:
            policy, steps = method.learn(Duels(rung.variant), seed, effort)
        except Unfit:
            continue
        seconds = time.process_time() - begin
        found = solve.evaluate(policy)
        yield f"| {rung.name} | {method.name} | {steps:,} | {seconds:.1f} | {float(found.nash_conv):.6f} |\n"
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            words = method.name.replace(",", "").replace(" ", "-").lower()
            solve.save_policy(policy, folder / f"{rung.name}-{words}.policy")


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rung", action="append", help="only this rung of the ladder")
    parser.add_argument("--method", action="append", choices=[method.name for method in METHODS])
    parser.add_argument("--seed", type=seed, default=1)
    parser.add_argument("--effort", type=float, default=1.0, help="multiply the number of steps by this")
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="write every policy to a file")
    parser.add_argument("--page", action="store_true", help="write the table into docs/research/benchmark.md")
    wanted = parser.parse_args()
    try:
        chosen = [rung_of(name) for name in wanted.rung or RUNGS]
    except (LookupError, solve.TooBig) as wrong:
        parser.error(str(wrong))
    table = HEAD
    methods = [method for method in METHODS if method.name in (wanted.method or [method.name])]
    print(HEAD, end="")
    for rung in solve.ladder():
        if rung in chosen:
            for row in rows(rung, methods, wanted.seed, wanted.effort, wanted.save):
                table += row
                print(row, end="", flush=True)
    if wanted.page:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}{table}{END}{rest.partition(END)[2]}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
