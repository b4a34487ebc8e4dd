"""Moves per second of games on arrays, plain games, and the games of OpenSpiel and pgx.

The other libraries and JAX are not dependencies of this project. They are installed once into a folder of the
user's cache, and this file runs again from there. Without access to a package registry the benchmark is
skipped with a message.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from digit_duel import games
from digit_duel.adapters.batch import batch_of
from digit_duel.core.files import home_folder
from digit_duel.core.variant import AnyGame

PEERS = ("pgx==2.6.0", "open_spiel==2.0.2", "jax==0.10.2")
INSIDE = "DIGIT_DUEL_BATCH_PEERS"
ROOT = Path(__file__).parent.parent

LANES = {"numpy": 32_768, "jax": 65_536}
SIZES = (256, 1024, 4096, 16_384, 65_536)  # batch sizes of pgx, of which the best one counts
TOGETHER = 2_000_000  # about how many moves a batch makes between two looks at the clock
CORES = 2
PGX_GOAL, SPIEL_GOAL = 3, 20  # required speed relative to the fastest of their games

Run = Callable[[], int]  # plays for a moment, and returns the number of moves
Measure = Callable[[float], tuple[float, float]]  # seconds to moves per second, and per processor second


@dataclass
class Figure:
    """Something that is measured, and the best rate so far."""

    name: str
    # Takes seconds; returns moves per second by the clock, and per second of processor time.
    measure: Callable[[float], tuple[float, float]]
    rate: float = 0.0
    processor_rate: float = 0.0

    def again(self, seconds: float) -> None:
        """Measure once more."""
        rate, processor_rate = self.measure(seconds)
        self.rate, self.processor_rate = max(self.rate, rate), max(self.processor_rate, processor_rate)

    def __str__(self) -> str:
        processor = shown(self.processor_rate)
        return f"{self.name}: {shown(self.rate)} moves a second, {processor} a second of processor"


def shown(rate: float) -> str:
    """A rate for people."""
    return f"{rate / 1e6:.1f} million" if rate >= 1e6 else f"{rate:,.0f}"


def timed(make: Callable[[], Run]) -> Measure:
    """A measure that prepares once, and then plays for the given number of seconds."""
    prepared = lru_cache(make)

    def measure(seconds: float) -> tuple[float, float]:
        run = prepared()
        moves, begin, worked = 0, time.perf_counter(), time.process_time()
        while (passed := time.perf_counter() - begin) < seconds:
            moves += run()
        passed, worked = time.perf_counter() - begin, time.process_time() - worked
        return moves / passed, moves / worked

    return measure


def plain(game: AnyGame) -> Run:
    """Random games, one after the other, with the plain rules."""
    rng = Random(1)

    def run() -> int:
        moves, state = 0, game.start()
        while game.outcome(state) is None:
            if draws := game.chance(state):
                cards, weights = zip(*draws, strict=True)
                state = game.play(state, rng.choices(cards, weights)[0])
            else:
                state = game.play(state, rng.choice(game.legal(state, game.acting(state)[0])))
                moves += 1
        return moves

    return run


def finished(played: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same function compiled by JAX, returning when its result is ready."""
    jax: Any = import_module("jax")
    compiled = jax.jit(played)

    def play(run: Any) -> Any:
        return jax.block_until_ready(compiled(run))

    return play


def rollouts(id: str, arrays: str, part: int = 0) -> Run:
    """Random moves on arrays, in one part of the lanes of a larger batch."""
    xp: Any = import_module("jax.numpy" if arrays == "jax" else "numpy")
    batch, count = batch_of(games.variant(id).game, xp), LANES[arrays]
    steps = TOGETHER // count

    def played(run: Any) -> Any:
        return batch.rollout(run.state, run.dice, steps)

    play = finished(played) if arrays == "jax" else played
    first = part * count
    latest = [batch.rollout(batch.start(count, first=first), batch.dice(count, first=first), 1)]

    def run() -> int:
        latest[0] = play(latest[0])
        return count * steps

    run()
    return run


def arrays_too(id: str) -> Run:
    """The same under JAX, computing all masks and the mover's observation after every move, as pgx does."""
    jax: Any = import_module("jax")
    batch, count = batch_of(games.variant(id).game, jax.numpy), 4096
    steps = TOGETHER // count // 4

    def moved(_: int, seen: Any) -> Any:
        run, *_ = seen
        run = batch.rollout(run.state, run.dice, 1)
        return run, batch.legal_rows(run.state), batch.observe_rows(run.state, batch.mover(run.state))

    start = batch.rollout(batch.start(count), batch.dice(count), 1)
    jitted = jax.jit(lambda run: jax.lax.fori_loop(0, steps, moved, moved(0, (run,))))

    def run() -> int:
        jax.block_until_ready(jitted(start))
        return count * steps

    run()
    return run


_gate: Any = None


def _hold(gate: Any) -> None:
    global _gate
    _gate = gate


@lru_cache
def _prepared(make: Callable[..., Run], *given: object) -> Run:
    return make(*given)


def _work(seconds: float, make: Callable[..., Run], *given: object) -> tuple[int, float, float, float]:
    """Run in one of several processes that start at the same time."""
    run, moves = _prepared(make, *given), 0
    _gate.wait(timeout=300)
    begin, worked = time.monotonic(), time.process_time()
    while time.monotonic() - begin < seconds:
        moves += run()
    return moves, begin, time.monotonic(), time.process_time() - worked


def together(crew: ProcessPoolExecutor, make: Callable[..., Run], *given: object) -> Measure:
    """A measure of several processes at once, each with a batch of its own."""

    def measure(seconds: float) -> tuple[float, float]:
        parts = [crew.submit(_work, seconds, make, *given, part) for part in range(CORES)]
        moves, begins, ends, worked = zip(*(part.result() for part in parts), strict=True)
        return sum(moves) / (max(ends) - min(begins)), sum(moves) / sum(worked)

    return measure


def spiel(name: str) -> Run:
    """Random OpenSpiel games, driven from Python; chance moves count, too."""
    pyspiel: Any = import_module("pyspiel")
    game, rng = pyspiel.load_game(name), Random(1)

    def run() -> int:
        moves, state = 0, game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
        state.returns()
        return moves

    return run


def pgx_batch(name: str, count: int, seed: int = 0) -> Run:
    """Random moves in a pgx batch with automatic reset, all in one compiled loop."""
    jax: Any = import_module("jax")
    pgx: Any = import_module("pgx")
    auto_reset: Any = import_module("pgx.experimental").auto_reset
    env, jnp, random = pgx.make(name), jax.numpy, jax.random
    init, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))
    steps = max(4, TOGETHER // count // 8)

    def moved(seen: Any, key: Any) -> Any:
        state, finished = seen
        choice, more = random.split(key)
        # Cheaper than random.categorical, which the examples of pgx use.
        passed = jnp.cumsum(state.legal_action_mask, axis=1)
        wanted = jnp.floor(random.uniform(choice, (count,)) * passed[:, -1]).astype(jnp.int32)
        state = step(state, jnp.argmax(passed > wanted[:, None], axis=1), random.split(more, count))
        return (state, finished + state.terminated.sum()), None

    def played(key: Any) -> Any:
        start, more = random.split(key)
        state = init(random.split(start, count))
        return jax.lax.scan(moved, (state, jnp.int32(0)), random.split(more, steps))[0][1]

    play = jax.jit(played)

    def run() -> int:
        play(random.PRNGKey(seed)).block_until_ready()
        return count * steps

    run()
    return run


def pgx_figures(name: str, crew: ProcessPoolExecutor) -> list[Figure]:
    """A pgx game at its best batch size, found by a short trial, alone and in several processes."""
    figures = [
        Figure(f"pgx {name}, {count:,} games at once", timed(partial(pgx_batch, name, count)))
        for count in SIZES
    ]
    for figure in figures:
        figure.again(0.5)
        figure.again(0.5)
    best = max(range(len(SIZES)), key=lambda at: figures[at].rate)
    # XLA may use all cores for a large batch; where it does not, processes do.
    shared = {SIZES[0], SIZES[best]}
    title = f"games at once in each of {CORES} processes"
    return [
        figures[best],
        *(Figure(f"pgx {name}, {n:,} {title}", together(crew, pgx_batch, name, n)) for n in sorted(shared)),
    ]


def verdicts(
    ours: dict[str, dict[str, Figure]], pgx: list[Figure], spiels: list[Figure]
) -> Iterator[tuple[str, bool]]:
    """Each of our games compared with the fastest of theirs, by the clock and by processor time."""
    for id, figures in ours.items():
        numpy = [figures["numpy"], figures["numpy together"]]
        every = [*numpy, figures["jax"], figures["jax together"]]
        (by_clock, by_processor), (spiel_by_clock, _) = times(every, pgx), times(every, spiels)
        numpy_times = "{:.1f} x and {:.1f} x".format(*times(numpy, pgx))
        reached = by_clock >= PGX_GOAL and spiel_by_clock >= SPIEL_GOAL
        yield (
            f"{id}: {by_clock:.1f} x pgx by the clock, {by_processor:.1f} x by the processor "
            f"(NumPy alone {numpy_times}), {spiel_by_clock:.0f} x OpenSpiel; "
            f"goal {PGX_GOAL} x, {SPIEL_GOAL} x: {'reached' if reached else 'MISSED'}",
            reached,
        )


def times(ours: list[Figure], theirs: list[Figure]) -> tuple[float, float]:
    """How many times faster the best of ours is than the best of theirs, by clock and by processor time."""
    return (
        max(figure.rate for figure in ours) / max(figure.rate for figure in theirs),
        max(figure.processor_rate for figure in ours) / max(figure.processor_rate for figure in theirs),
    )


def measured(rounds: int, seconds: float, ids: list[str]) -> int:
    """Measure everything in turns and print the best of each; returns 1 if a goal was missed."""
    context = get_context("spawn")
    gate = context.Barrier(CORES)
    with ProcessPoolExecutor(CORES, context, _hold, (gate,)) as crew:
        ours = {id: figures_of(id, crew) for id in ids}
        spiels = [
            Figure(f"OpenSpiel {name}", timed(partial(spiel, name)))
            for name in ("tic_tac_toe", "connect_four", "leduc_poker")
        ]
        pgx = [figure for name in ("tic_tac_toe", "connect_four") for figure in pgx_figures(name, crew)]
        every = [figure for figures in ours.values() for figure in figures.values()] + spiels + pgx
        for _ in range(rounds):
            for figure in every:
                figure.again(seconds)
    for figure in every:
        print(figure, flush=True)
    missed = False
    for told, reached in verdicts(ours, pgx, spiels):
        print(told)
        missed |= not reached
    return int(missed)


def figures_of(id: str, crew: ProcessPoolExecutor) -> dict[str, Figure]:
    """The figures measured for one game."""
    game = games.variant(id).game
    return {
        "plain": Figure(f"{id}, plain", timed(lambda: plain(game))),
        "numpy": Figure(f"{id}, NumPy", timed(lambda: rollouts(id, "numpy"))),
        "numpy together": Figure(f"{id}, NumPy on {CORES} cores", together(crew, rollouts, id, "numpy")),
        "jax": Figure(f"{id}, JAX", timed(lambda: rollouts(id, "jax"))),
        "jax together": Figure(f"{id}, JAX in {CORES} processes", together(crew, rollouts, id, "jax")),
        "arrays": Figure(f"{id}, JAX with masks and observations", timed(lambda: arrays_too(id))),
    }


def main() -> int:
    """Print every figure; the exit code tells whether all goals were reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--rounds", type=int, default=5, help="how often each figure is taken; the best one counts"
    )
    parser.add_argument("--seconds", type=float, default=1.0, help="how long a figure takes")
    parser.add_argument("--game", choices=games.ids(), action="append", help="only this game of ours")
    wanted = parser.parse_args()
    if INSIDE not in os.environ:
        sys.path.insert(0, str(ROOT))  # for the package benchmarks.shared
        from benchmarks.shared.peers import run_inside

        excuse = "pgx and OpenSpiel: skipped, because they cannot be installed here"
        call = [__file__, *sys.argv[1:]]
        return run_inside(home_folder("cache") / "batch_peers", PEERS, excuse, call, {INSIDE: "1"})
    return measured(wanted.rounds, wanted.seconds, wanted.game or list(games.ids()))


if __name__ == "__main__":
    sys.exit(main())
