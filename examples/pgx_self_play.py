"""Learn in an environment of pgx: policy gradients by self-play, judged by the exact solution.

    python examples/pgx_self_play.py            two places, the digits 1 to 9; a few minutes
    python examples/pgx_self_play.py --short    two places, the digits 1 to 4; about a minute

It needs JAX and pgx: pip install ".[jax]". A small network learns from whole games against itself,
all compiled into one function; the optimiser is written out, so nothing else is needed.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Any

import numpy as np

from digit_duel import solve
from digit_duel.adapters.agents import tabulated

GAMES = 512  # played at once
HIDDEN = 64  # units
RATE, ENTROPY = 0.003, 0.01


def logits(params: Any, observation: Any, legal: Any) -> Any:
    """The network: one hidden layer, with illegal moves masked out."""
    jnp: Any = import_module("jax.numpy")
    hidden = jnp.tanh(observation.astype(jnp.float32) @ params["in"])
    return jnp.where(legal, hidden @ params["out"], -1e9)


def learner(env: Any, plies: int) -> Any:
    """A compiled function that plays, learns from it, and returns new parameters and moments."""
    jax: Any = import_module("jax")
    jnp = jax.numpy
    step = jax.vmap(env.step)

    def played(params: Any, key: Any) -> Any:
        """What the players saw and did in whole games, and the final reward of the player who acted."""
        begin, rest = jax.random.split(key)

        def moved(state: Any, key: Any) -> Any:
            choice, more = jax.random.split(key)
            seen = (state.observation, state.legal_action_mask, state.current_player)
            action = jax.random.categorical(choice, logits(params, *seen[:2]))
            return step(state, action, jax.random.split(more, GAMES)), (*seen, action)

        first = jax.vmap(env.init)(jax.random.split(begin, GAMES))
        last, (observed, legal, player, action) = jax.lax.scan(moved, first, jax.random.split(rest, plies))
        return observed, legal, action, last.rewards[jnp.arange(GAMES), player]

    def loss(params: Any, observed: Any, legal: Any, action: Any, reward: Any) -> Any:
        chances = jax.nn.log_softmax(logits(params, observed, legal))
        taken = jnp.take_along_axis(chances, action[..., None], axis=-1)[..., 0]
        spread = -(jnp.exp(chances) * jnp.where(legal, chances, 0.0)).sum(-1)
        # Baseline: subtract the mean reward at this ply.
        return -(taken * (reward - reward.mean(axis=1, keepdims=True)) + ENTROPY * spread).mean()

    def learned(params: Any, moments: Any, key: Any, number: Any) -> Any:
        """One step of Adam."""
        slopes = jax.grad(loss)(params, *played(params, key))
        mean = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, moments[0], slopes)
        square = jax.tree.map(lambda old, new: 0.999 * old + 0.001 * new**2, moments[1], slopes)
        scale = RATE * jnp.sqrt(1 - 0.999**number) / (1 - 0.9**number)
        params = jax.tree.map(lambda p, m, s: p - scale * m / (jnp.sqrt(s) + 1e-8), params, mean, square)
        return params, (mean, square)

    return jax.jit(learned)


def main() -> None:
    """Learn a rung of the size ladder, and print the policy's NashConv."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--short", action="store_true", help="a smaller game, and fewer updates")
    chosen = parser.parse_args()
    try:
        jax: Any = import_module("jax")
        pgx: Any = import_module("digit_duel.adapters.pgx")
    except ImportError as missing:
        print(f"This example needs JAX and pgx: {missing}.")
        return
    name, updates = ("classic-2", 300) if chosen.short else ("classic-4", 3000)
    variant = next(rung for rung in solve.ladder() if rung.name == name).variant
    env, plies = pgx.make(variant), variant.game.bound
    assert plies is not None
    key = jax.random.key(1)
    size = env.observation_shape[0]
    params = {
        "in": 0.1 * jax.random.normal(key, (size, HIDDEN)),
        "out": jax.numpy.zeros((HIDDEN, env.num_actions)),
    }

    def agent(observations: Any, masks: Any) -> Any:
        return np.asarray(jax.nn.softmax(logits(params, observations, masks.astype(bool))))

    def given_away() -> float:
        return float(solve.evaluate(tabulated(variant, agent, encoding="one_hot")).nash_conv)

    before = given_away()
    learn = learner(env, plies)
    moments = (jax.tree.map(jax.numpy.zeros_like, params), jax.tree.map(jax.numpy.zeros_like, params))
    for number in range(1, updates + 1):
        key, play = jax.random.split(key)
        params, moments = learn(params, moments, play, number)
    after = given_away()
    print(f"{name}: NashConv {before:.3f} before, {after:.3f} after {updates * GAMES * plies:,} moves")
    assert after < before / 4, "self-play must learn most of so small a game"


if __name__ == "__main__":
    main()
