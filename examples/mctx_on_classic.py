"""Search with mctx in an environment of pgx: Gumbel MuZero without a network, against the exact solution.

    python examples/mctx_on_classic.py            two places, the digits 1 to 9; a few minutes
    python examples/mctx_on_classic.py --short    two places, the digits 1 to 4; about a minute

It needs JAX, pgx and mctx: pip install ".[jax]" mctx. The search starts with a uniform prior
and values a position by a random playout. The solver computes the regret of each move.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Any

from digit_duel import solve
from digit_duel.core.game import Seat

GAMES = 32  # searched at once, each with its own random playouts


def searcher(env: Any, simulations: int, plies: int) -> Any:
    """A compiled function from states and a key to the moves that the search prefers."""
    jax: Any = import_module("jax")
    mctx: Any = import_module("mctx")
    jnp = jax.numpy
    step = jax.vmap(env.step)

    def value(state: Any, key: Any) -> Any:
        """The result of a random game from a state, for the player to move."""

        def moved(carry: Any, key: Any) -> Any:
            state, total = carry
            choice, more = jax.random.split(key)
            logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
            state = step(state, jax.random.categorical(choice, logits), jax.random.split(more, GAMES))
            return (state, total + state.rewards), None

        begin = (state, jnp.zeros_like(state.rewards))
        (_, total), _ = jax.lax.scan(moved, begin, jax.random.split(key, plies))
        return total[jnp.arange(GAMES), state.current_player]

    def recurrent(_: Any, key: Any, action: Any, state: Any) -> Any:
        player = state.current_player
        move, rest = jax.random.split(key)
        after = step(state, action, jax.random.split(move, GAMES))
        reward = after.rewards[jnp.arange(GAMES), player]
        # If the opponent moves next, their value is negated; nothing follows the end.
        discount = jnp.where(after.terminated, 0.0, jnp.where(after.current_player == player, 1.0, -1.0))
        logits = jnp.where(after.legal_action_mask, 0.0, jnp.finfo(jnp.float32).min)
        found = mctx.RecurrentFnOutput(
            reward=reward, discount=discount, prior_logits=logits, value=value(after, rest)
        )
        return found, after

    def search(state: Any, key: Any) -> Any:
        first, rest = jax.random.split(key)
        logits = jnp.where(state.legal_action_mask, 0.0, jnp.finfo(jnp.float32).min)
        root = mctx.RootFnOutput(prior_logits=logits, value=value(state, first), embedding=state)
        found = mctx.gumbel_muzero_policy(
            None, rest, root, recurrent, simulations, invalid_actions=~state.legal_action_mask
        )
        return found.action

    return jax.jit(search)


def main() -> None:
    """Play by search against itself, and ask the solver about every move."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--short", action="store_true", help="a smaller game, and fewer simulations")
    chosen = parser.parse_args()
    try:
        jax: Any = import_module("jax")
        pgx: Any = import_module("digit_duel.adapters.pgx")
        import_module("mctx")
    except ImportError as missing:
        print(f"This example needs JAX, pgx and mctx: {missing}.")
        return
    rung = next(
        rung for rung in solve.ladder() if rung.name == ("classic-2" if chosen.short else "classic-4")
    )
    env = pgx.make(rung.variant)
    game, plies = rung.variant.game, rung.variant.game.bound
    assert plies is not None
    search, step = searcher(env, 32 if chosen.short else 128, plies), jax.jit(jax.vmap(env.step))
    key = jax.random.key(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, GAMES))
    lost, moves = 0.0, 0
    while not state.terminated.all():
        key, choice, more = jax.random.split(key, 3)
        actions = search(state, choice)
        table = state.plain()  # of the first game
        seat = game.acting(table)[0]
        move = game.moves(seat)[int(actions[0])]
        given = solve.regret(game, table, Seat(seat), move)
        print(f"{game.text(move)} gives away {given}")
        lost, moves = lost + float(given), moves + 1
        state = step(state, actions, jax.random.split(more, GAMES))
    wins = float((state.rewards[jax.numpy.arange(GAMES), state._first] > 0).mean())
    print(
        f"{moves} moves of the first game gave away {lost:g}; the first seat won {wins:.0%} of {GAMES} games"
    )
    assert moves == plies
    assert wins > 0.5, "the first seat wins this game, and a search must find out"


if __name__ == "__main__":
    main()
