"""Moves per second in a training loop: masks, observations, sampled moves and a stored trajectory.

Our games in version 2 and those of pgx do the same work in the same run, on whatever device JAX has. Each
line says what it includes. In `rollout`, masks and observations are computed after every move, but our games
sample random moves without reading the mask, which pgx cannot. Needs JAX; runs from the root of the
repository, with PYTHONPATH=src if the package is not installed. pgx is skipped if it cannot be imported
(--peer-path adds a folder to search).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

from digit_duel import games
from digit_duel.adapters.batch import batch_of
from digit_duel.adapters.batch.rows import nth

PEERS = ("tic_tac_toe", "connect_four")
STEPS = {"stored": 64, "seen": 256, "rollout": 256}  # moves per game in one compiled loop
FROM_MASK = "move sampled from the mask"
GOALS = {"classic": 2, "reverse": 2, "battle": 2}  # speed relative to pgx's tic_tac_toe; 1 for the others

Play = Callable[[Any], Any]  # from the carry of a loop to the new carry and what it stores


@dataclass
class Loop:
    """A compiled loop, what it includes, and its best rate so far."""

    name: str
    includes: str
    count: int
    steps: int
    play: Play
    carry: Any
    rate: float = 0.0  # moves per second
    worked: float = 0.0  # moves per processor second, which is most reliable on a busy machine without a GPU
    stored: int = 0  # bytes per move

    def again(self, seconds: float) -> None:
        """Measure once more; the first call compiles before the clock starts."""
        jax: Any = import_module("jax")
        if not self.stored:
            self.carry, kept = jax.block_until_ready(self.play(self.carry))
            leaves = jax.tree_util.tree_leaves(kept)
            self.stored = sum(leaf.size * leaf.dtype.itemsize for leaf in leaves) // (self.count * self.steps)
        moves, begin, used = 0, time.perf_counter(), time.process_time()
        while (passed := time.perf_counter() - begin) < seconds:
            self.carry, _ = jax.block_until_ready(self.play(self.carry))
            moves += self.count * self.steps
        self.rate = max(self.rate, moves / passed)
        self.worked = max(self.worked, moves / (time.process_time() - used))

    def __str__(self) -> str:
        rate = f"{self.rate / 1e6:,.2f} million moves a second, {self.worked / 1e6:,.2f} of processor"
        kept = f", {self.stored} bytes a move, {self.stored * self.rate / 1e9:.2f} GB/s"
        return f"{self.name}, {self.count:,} games: {rate}; {self.includes}{kept if self.stored else ''}"


def chosen(legal: list[Any], part: Any) -> Any:
    """A legal move for each random number from 0 to 1, all equally likely, as `Batch.sample` does it.

    `legal` has a row of flags for each move. Unrolled running sums are far faster than jnp.cumsum on a CPU.
    """
    rows = [row.astype("uint8") for row in legal]
    wanted = (part * sum(rows)).astype("uint8")
    return nth(rows, wanted)


def ours(id: str, count: int, mode: str) -> Loop:
    """One of our games; the games are the last axis of everything stored.

    As in pgx, the mask and the observation are computed after a move and returned with the state.
    """
    jax: Any = import_module("jax")
    batch = batch_of(games.variant(id).game, jax.numpy, version=2)

    def shown(state: Any) -> tuple[Any, Any]:
        return batch.legal_rows(state), batch.observe_rows(state, batch.mover(state))

    def moved(carry: Any, _: None) -> Any:
        state, dice, mask, observed = carry[:4]
        if mode == "rollout":
            ids = batch.random_move(state, dice.word())
        else:
            ids, mask = batch.sample(state, mask, dice.word())
        after = batch.step(state, ids)
        if mode == "stored":
            kept = (mask, observed, ids, after.over, after.returns)
            return (after.state, dice.next(), *shown(after.state)), kept
        return (after.state, dice.next(), *shown(after.state), after.over, after.returns), None

    state = batch.start(count)
    first = moved((state, batch.dice(count), *shown(state)), None)[0]
    play = jax.jit(lambda carry: jax.lax.scan(moved, carry, length=STEPS[mode]))
    drawn = "random move" if mode == "rollout" else FROM_MASK
    return Loop(
        f"digit_duel {id} v2",
        _includes(batch.moves, len(batch.features), drawn, mode),
        count,
        STEPS[mode],
        play,
        first,
    )


def theirs(name: str, count: int, mode: str) -> Loop:
    """A pgx game with its automatic reset; the games are the first axis."""
    jax: Any = import_module("jax")
    pgx: Any = import_module("pgx")
    auto_reset: Any = import_module("pgx.experimental").auto_reset
    env, random = pgx.make(name), jax.random
    step = jax.vmap(auto_reset(env.step, env.init))

    def moved(carry: Any, _: None) -> Any:
        state, key = carry[:2]
        key, choice, more = random.split(key, 3)
        mask, observed = state.legal_action_mask, state.observation
        ids = chosen(list(mask.T), random.uniform(choice, (count,)))
        after = step(state, ids, random.split(more, count))
        if mode == "stored":
            return (after, key), (mask, observed, ids, after.terminated, after.rewards)
        return (after, key), None

    start = jax.jit(jax.vmap(env.init))(random.split(random.PRNGKey(0), count))
    play = jax.jit(lambda carry: jax.lax.scan(moved, carry, length=STEPS[mode]))
    size = int(start.observation[0].size)
    return Loop(
        f"pgx {name}",
        _includes(env.num_actions, size, FROM_MASK, mode),
        count,
        STEPS[mode],
        play,
        (start, random.PRNGKey(1)),
    )


def _includes(actions: int, features: int, drawn: str, mode: str) -> str:
    kept = "trajectory stored" if mode == "stored" else "nothing stored"
    return f"mask of {actions}, observation of {features}, {drawn}, automatic reset, {kept}"


def measured(loops: list[Loop], rounds: int, seconds: float) -> None:
    """Measure all in turns, so that a slow moment of the machine affects all alike."""
    for _ in range(rounds):
        for loop in loops:
            loop.again(seconds)


def verdicts(own: list[Loop], peers: list[Loop]) -> list[tuple[str, bool]]:
    """Each of our games compared with the first of theirs, with equally many games at once."""
    found = []
    for loop in own:
        id = loop.name.split()[1]
        goal, beside = GOALS.get(id, 1), next(peer for peer in peers if peer.count == loop.count)
        times = loop.rate / beside.rate
        what = "stored" if loop.stored else "not stored"
        found.append(
            (
                f"{id}, {loop.count:,} games, {what}: {times:.1f} x {beside.name}; goal {goal} x: "
                f"{'reached' if times >= goal else 'MISSED'}",
                times >= goal,
            )
        )
    return found


def main() -> int:
    """Print every figure; the exit code tells whether all goals were reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, action="append", help="games at once (1024)")
    parser.add_argument("--game", choices=games.ids(), action="append", help="only this game of ours")
    parser.add_argument("--mode", choices=STEPS, action="append", help="only this one")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is measured; the best counts")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each takes")
    parser.add_argument("--bandwidth", type=float, help="memory bandwidth in GB/s, to print the share used")
    parser.add_argument("--peer-path", help="a folder that contains pgx")
    wanted = parser.parse_args()
    if wanted.peer_path:
        sys.path.insert(0, wanted.peer_path)
    jax: Any = import_module("jax")
    print(f"JAX {jax.__version__} on {jax.devices()[0].device_kind}", flush=True)
    try:
        import_module("pgx")
        peers: tuple[str, ...] = PEERS
    except ImportError as missing:
        print(f"pgx: skipped ({missing})")
        peers = ()
    reached = True
    for mode in wanted.mode or STEPS:
        for count in wanted.games or [1024]:
            own = [partial(ours, id) for id in wanted.game or games.ids()]
            mine = [make(count, mode) for make in own]
            others = [theirs(name, count, mode) for name in peers]
            measured([*mine, *others], wanted.rounds, wanted.seconds)
            for loop in (*mine, *others):
                share = (
                    f", {loop.stored * loop.rate / 1e7 / wanted.bandwidth:.1f}% of the bandwidth"
                    if wanted.bandwidth and loop.stored
                    else ""
                )
                print(f"{loop}{share}", flush=True)
            for told, good in verdicts(mine, others) if others else []:
                print(told, flush=True)
                reached &= good
    return int(not reached)


if __name__ == "__main__":
    sys.exit(main())
