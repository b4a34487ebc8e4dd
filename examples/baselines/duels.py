"""Code shared by the baselines: whole games on arrays, and the exact evaluation of a learned policy."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from digit_duel import solve
from digit_duel.adapters.agents import Agent, tabulated
from digit_duel.adapters.batch import batch_of
from digit_duel.adapters.interface.numbered_game import MAX_MOVES
from digit_duel.adapters.interface.probe import probe
from digit_duel.adapters.interface.version import Interface, customised
from digit_duel.core.variant import AnyVariant

Array = NDArray[Any]

Choose = Callable[[Array, Array], Array]  # from observations and masks to an action for each

HIDDEN = 64  # units in each of the two hidden layers


class Unfit(ValueError):
    """A method cannot learn a rung; the message says why."""


class Turn(NamedTuple):
    """One decision in each of the games that are still running."""

    lanes: Array  # which games these are
    seats: Array
    observations: Array  # one-hot, [games, numbers]
    masks: Array  # [games, actions]
    actions: Array


@dataclass(frozen=True)
class Duels:
    """A rung as a learner sees it: only real decisions, and one-hot observations."""

    variant: AnyVariant

    @property
    def options(self) -> dict[str, Any]:
        """The options of the environment; hands are always laid out as their highest number."""
        lays_out = "hand_size" in self.variant.options
        return {"forced": "skip", **({"layout": "highest"} if lays_out else {})}

    @property
    def states(self) -> Interface:
        """The game one state at a time, with one seat to move in each; raises Unfit for a rung of battle."""
        found = customised(self.variant, 2, {**self.options, "encoding": "one_hot"})
        if probe(found.game).simultaneous:
            raise Unfit("this method needs games in which the seats take turns; try ppo.py or dqn.py.")
        return found

    @property
    def batch(self) -> Any:
        """The games on arrays."""
        return batch_of(self.variant.game, version=2, **self.options)

    @property
    def sizes(self) -> tuple[int, int]:
        """How many numbers an observation has, and how many actions there are."""
        batch = self.batch
        return batch.one_hot(batch.observe(batch.start(1))).shape[-1], batch.moves

    def played(self, count: int, seed: int, choose: Choose) -> tuple[list[Turn], Array]:
        """Play a number of games to the end: the turns, and the scores of both seats, [games, 2].

        A game that has not ended after MAX_MOVES moves is a draw, as battle can go on for ever.
        """
        batch = self.batch
        state, turns = batch.start(count, seed=seed), list[Turn]()
        while len(turns) < MAX_MOVES and len(lanes := np.flatnonzero(~batch.over(state))):
            observations = batch.one_hot(batch.observe(state))[lanes]
            masks = batch.legal(state)[lanes]
            actions = choose(observations, masks)
            turns.append(Turn(lanes, batch.mover(state)[lanes], observations, masks, actions))
            ids = np.zeros(count, np.uint8)
            ids[lanes] = actions
            state = batch.play(state, ids)
        return turns, batch.returns(state)

    def policy(self, agent: Agent) -> solve.TabularPolicy:
        """An agent's policy at every view, as a table that can be saved and evaluated."""
        return tabulated(self.variant, agent, encoding="one_hot", **self.options)


class Learned(NamedTuple):
    """What a method has learned, and after how many decisions."""

    policy: solve.TabularPolicy
    steps: int


Learn = Callable[[Duels, int, float], Learned]  # from a rung, a seed and the effort


def minibatches(count: int, size: int, rng: np.random.Generator) -> Iterator[Array]:
    """The indices below a count in random order, in batches of a size."""
    order = rng.permutation(count)
    return (order[begin : begin + size] for begin in range(0, count, size))


def rung(name: str) -> solve.Rung:
    """A rung of the size ladder; raises LookupError, or TooBig if no policy of it could be evaluated."""
    known = {rung.name: rung for rung in solve.ladder()}
    if name not in known:
        raise LookupError(f"there is no rung {name!r}; the rungs are: {', '.join(known)}.")
    solve.check_size(known[name].variant.game)
    return known[name]


def seed(text: str) -> int:
    """Read the seed of an option."""
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def run(method: str, learn: Learn, short: float) -> None:
    """Learn a rung, save the policy if requested, and print its exact evaluation."""
    parser = argparse.ArgumentParser(description=method)
    parser.add_argument("--rung", default="cards-3", help="of the size ladder (cards-3)")
    parser.add_argument("--seed", type=seed, default=1)
    parser.add_argument("--effort", type=float, default=1.0, help="how many times the usual number of steps")
    parser.add_argument("--short", action="store_true", help="a few seconds instead of a minute")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the policy to a file")
    chosen = parser.parse_args()
    try:
        variant = rung(chosen.rung).variant
        begin = time.process_time()
        policy, steps = learn(Duels(variant), chosen.seed, short if chosen.short else chosen.effort)
    except (LookupError, solve.TooBig, Unfit) as wrong:
        parser.error(str(wrong))
    seconds = time.process_time() - begin
    if chosen.save:
        solve.save_policy(policy, chosen.save)
    uniform = solve.evaluate(Duels(variant).policy(lambda seen, masks: masks)).nash_conv
    row = solve.evaluate(policy)
    print(f"{method} on {row.rung}: {steps:,} decisions, {seconds:.1f} s of processor time")
    print(f"NashConv {float(row.nash_conv):.6f}; uniform play {float(uniform):.6f}")
    if row.nash_conv >= uniform:
        sys.exit(
            "Nothing was learned: the policy is at least as exploitable as uniform play. Try more --effort."
        )
