"""The same batches under JAX, with jit and vmap: the plain games, and the very arrays of NumPy.

JAX runs in a process of its own: where it has run, Python warns of every fork, and other tests fork.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest
from benchmarks.batch_equals_plain import Referee
from tests.adapters.test_batch import GOLDEN, arrays, game_of, shown

from digit_duel.adapters.batch import batch_of

Apart = Callable[..., Any]


@pytest.fixture(scope="module")
def apart() -> Iterator[Apart]:
    """A caller of functions in another process."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        yield lambda function, *given: pool.submit(function, *given).result(timeout=300)


def compared(id: str, options: dict[str, str], lanes: int, moves: int) -> int:
    import jax.numpy as jnp

    referee = Referee(game_of(id, options), jnp, lanes, seed=3)
    referee.moves(moves)
    return referee.finished


def rolled(id: str) -> str:
    import jax
    import jax.numpy as jnp

    batch = batch_of(game_of(id), jnp)
    run = jax.jit(batch.rollout, static_argnums=2)
    return shown(batch, run(batch.start(50, seed=7), batch.dice(50, seed=7), 100))


def mapped(id: str) -> list[tuple[bool, bool]]:
    """Single games under vmap, the games being the first axis, beside the whole batch."""
    import jax
    import jax.numpy as jnp

    batch = batch_of(game_of(id), jnp)
    whole = batch.start(64, seed=9)
    single = jax.vmap(lambda lane: batch.begin(lane, 9))(jnp.arange(64, dtype=jnp.uint32))
    dice = batch.dice(64, seed=9)
    step, one, choose = jax.jit(batch.step), jax.jit(jax.vmap(batch.step)), jax.jit(batch.random_move)
    legal, observe = (jax.jit(jax.vmap(function)) for function in (batch.legal, batch.observe))
    legal_all, observe_all = jax.jit(batch.legal), jax.jit(batch.observe)
    same = []
    for _ in range(30):
        ids = choose(whole, dice.word())
        masks = np.array_equal(legal_all(whole), legal(single))
        seen = np.array_equal(observe_all(whole), observe(single))
        dice, after, alone = dice.next(), step(whole, ids), one(single, ids)
        equal = [
            np.array_equal(np.moveaxis(rows, -1, 0) if rows.ndim > 1 else rows, other)
            for rows, other in zip(arrays(after.state), arrays(alone.state), strict=True)
        ]
        ends = np.array_equal(after.returns, alone.returns) and np.array_equal(after.over, alone.over)
        same.append((masks and seen, ends and all(equal)))
        whole, single = after.state, alone.state
    return same


@pytest.mark.slow
@pytest.mark.parametrize("id", GOLDEN)
def test_a_batch_under_jax_is_the_plain_game_move_for_move(id: str, apart: Apart) -> None:
    assert apart(compared, id, {}, 50, 5_000) > 50


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id", "options"),
    [
        ("classic", {"pool": "0,9x5", "places": "2", "reach": "any", "tie": "draw"}),
        ("sabotage", {"pick": "draw", "bonus": "75"}),
        ("classic", {"swap": "yes"}),
        ("sabotage", {"swap": "yes", "pick": "draw"}),
        ("battle", {"swap": "yes", "pool": "2,5x2", "sudden": "0-3"}),
        ("battle", {"start_life": "120", "max_life": "999", "pool": "1,4x3,9", "sudden": "0-3"}),
        ("cards", {"pool": "0-2x2", "hand_size": "2", "full_turn": "alternate", "deck": "persistent"}),
    ],
    ids=lambda value: str(value),
)
def test_a_batch_under_jax_follows_options(id: str, options: dict[str, str], apart: Apart) -> None:
    assert apart(compared, id, options, 50, 3_000) > 50


@pytest.mark.parametrize("id", GOLDEN)
def test_jax_makes_the_very_arrays_of_numpy(id: str, apart: Apart) -> None:
    assert apart(rolled, id) == GOLDEN[id]


@pytest.mark.slow
@pytest.mark.parametrize("id", GOLDEN)
def test_single_games_under_vmap_are_the_lanes_of_a_batch(id: str, apart: Apart) -> None:
    assert apart(mapped, id) == [(True, True)] * 30
