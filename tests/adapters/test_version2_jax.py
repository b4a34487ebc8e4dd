"""Version 2 under JAX: keys and traced seeds, the very arrays of NumPy, and environments of pgx.

JAX runs in a process of its own: where it has run, Python warns of every fork, and other tests fork.
"""

from __future__ import annotations

import copy
import pickle
from typing import Any, Literal

import numpy as np
import pytest
from benchmarks.batch_equals_plain import Referee
from tests.adapters.test_batch import GOLDEN, arrays, fingerprint, game_of
from tests.adapters.test_batch_jax import Apart, apart

from digit_duel.adapters.batch import batch_of
from digit_duel.core.game import Seat
from digit_duel.games._placement import Position

__all__ = ["apart"]  # the fixture

SKIPS: dict[str, Any] = {"version": 2, "layout": "highest", "forced": "skip"}


def refereed(id: str) -> int:
    import jax.numpy as jnp

    referee = Referee(game_of(id), jnp, 50, 3, version=2)
    referee.moves(3_000)
    return referee.finished


def skipped() -> tuple[str, str]:
    """Random play of cards with forced moves made, under NumPy and under JAX."""
    import jax
    import jax.numpy as jnp

    prints = []
    for xp in (np, jnp):
        batch = batch_of(game_of("cards", {"facing_full": "must_keep"}), xp, **SKIPS)
        run = batch.rollout if xp is np else jax.jit(batch.rollout, static_argnums=2)
        prints.append(fingerprint(run(batch.start(50, seed=7), batch.dice(50, seed=7), 60)))
    return prints[0], prints[1]


def seeded() -> list[bool]:
    """Traced seeds are plain ones; keys are seeds, too; each gives other games."""
    import jax
    import jax.numpy as jnp

    batch = batch_of(game_of("cards"), jnp, version=2)
    starts = jax.jit(jax.vmap(lambda seed: batch.start(20, seed)))
    many = starts(jnp.arange(5))
    same = [
        all(
            np.array_equal(np.asarray(rows)[seed], np.asarray(alone))
            for rows, alone in zip(arrays(many), arrays(batch.start(20, seed=seed)), strict=True)
        )
        for seed in range(5)
    ]
    keys = [starts(jax.random.split(make(3), 4)) for make in (jax.random.key, jax.random.PRNGKey)]
    draws = [np.asarray(state.drawn) for state in keys]
    return [*same, np.array_equal(draws[0], draws[1]), len({row.tobytes() for row in draws[0]}) == 4]


def stepped_by_copies() -> list[Any]:
    """The plain state after the same step of a pgx environment, its pickle and its copy."""
    import jax

    from digit_duel.adapters import pgx

    env = pgx.make("classic", places=1, pool="1-2")
    twins = (env, pickle.loads(pickle.dumps(env)), copy.deepcopy(env))
    return [one.step(one.init(jax.random.key(1)), 1).plain() for one in twins]


def by_pgx(id: str, options: dict[str, str]) -> list[Any]:
    """The test of pgx, and what it leaves out."""
    import importlib

    import jax
    import jax.numpy as jnp

    from digit_duel.adapters import pgx

    api: Any = importlib.import_module("pgx._src.api_test")
    # It knows its own games by name, and with JAX 0.10 it fails on single states of every game, its own too.
    api.EnvId = Literal[tuple(f"digit_duel_{id}" for id in GOLDEN)]
    choose = api.act_randomly
    api.act_randomly = lambda key, mask: choose(key, mask) if mask.ndim == 2 else choose(key, mask[None])[0]
    env = pgx.make(id, **options)
    api.api_test(env, 1, use_key=True)
    init, step = jax.jit(env.init), jax.jit(env.step)
    state = init(jax.random.key(1))
    shown = state.to_svg(color_theme="dark")
    illegal = step(state, jnp.argmin(state.legal_action_mask), jax.random.key(2))
    totals = []
    for seed in range(3):
        state = init(jax.random.key(seed))
        while not state.terminated:
            at = jnp.argmax(state.legal_action_mask)
            state = step(state, at, jax.random.key(int(state._step_count)))
        totals.append(float(jnp.abs(state.rewards).sum()))
    over = bool(illegal.terminated) or bool(state.legal_action_mask.all())
    return [env.num_actions, env.observation_shape[0], shown.startswith("<svg"), over, totals]


@pytest.mark.slow
@pytest.mark.parametrize("id", GOLDEN)
def test_a_batch_under_jax_is_the_plain_game_move_for_move(id: str, apart: Apart) -> None:
    assert apart(refereed, id) > 50


@pytest.mark.slow
def test_skipping_under_jax_makes_the_very_arrays_of_numpy(apart: Apart) -> None:
    one, other = apart(skipped)
    assert one == other


@pytest.mark.slow
def test_seeds_may_be_traced_and_keys_are_seeds(apart: Apart) -> None:
    assert apart(seeded) == [True] * 7


@pytest.mark.slow
def test_environments_of_pgx_can_be_pickled_and_copied(apart: Apart) -> None:
    after = Position(pool=(1,), boards=((2,), (None,)), to_move=Seat.SECOND)
    assert apart(stepped_by_copies) == [after] * 3


@pytest.mark.parametrize(
    ("id", "options", "actions", "flags"),
    [
        ("classic", {}, 27, 77),
        ("reverse", {}, 27, 77),
        ("sabotage", {}, 80, 120),
        ("cards", {}, 8, 264),
        ("battle", {}, 23, 95),
        ("classic", {"swap": "yes", "pick": "draw"}, 56, 90),  # both sides' moves, swap and keep
        ("battle", {"swap": "yes"}, 30, 97),
    ],
    ids=str,
)
def test_the_api_test_of_pgx_passes(
    id: str, options: dict[str, str], actions: int, flags: int, apart: Apart
) -> None:
    assert apart(by_pgx, id, options) == [actions, flags, True, True, [2.0, 2.0, 2.0]]
