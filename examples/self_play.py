"""Self-play in a PettingZoo environment: one table of Monte Carlo values, learned from both seats.

    python examples/self_play.py            two places, the digits 1 to 9; about a minute
    python examples/self_play.py --short    two places, the digits 1 to 5; a few seconds

Nothing here is specific to the game: observations are keys, action masks give the legal moves, rewards come
at the end. The same loop works with any environment of `digit_duel.adapters.pettingzoo`. By the solver the
first seat wins, so the learned first seat must beat the learned second seat, and any random player.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from random import Random
from typing import Any

import numpy as np

from digit_duel import solve
from digit_duel.adapters.pettingzoo import classic_v1

RATE = 0.2  # learning rate
Key = tuple[str, bytes]  # an agent and its observation


class Player:
    """The learned values of the actions that an agent has tried."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.worth: defaultdict[Key, dict[int, float]] = defaultdict(dict)

    def choose(self, key: Key, legal: list[int], explore: float) -> int:
        """The best action so far, or sometimes a random one."""
        if self.rng.random() < explore:
            return self.rng.choice(legal)
        known = self.worth[key]
        return max(legal, key=lambda action: known.get(action, 0.0))

    def learn(self, path: list[tuple[Key, int]], rewards: dict[str, float]) -> None:
        """Move the values of all actions of a game towards its result."""
        for key, action in path:
            before = self.worth[key].get(action, 0.0)
            self.worth[key][action] = before + RATE * (rewards[key[0]] - before)


def game(
    env: Any, player: Player, explore: dict[str, float]
) -> tuple[list[tuple[Key, int]], dict[str, float]]:
    """One game: what each agent saw and did, and its reward."""
    env.reset()
    path, rewards = [], {}
    for agent in env.agent_iter():
        observed, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            rewards[agent] = reward
            env.step(None)
            continue
        key = (agent, observed["observation"].tobytes())
        legal = np.flatnonzero(observed["action_mask"]).tolist()
        path.append((key, player.choose(key, legal, explore[agent])))
        env.step(path[-1][1])
    return path, rewards


def main() -> None:
    """Learn from self-play, then play without exploration."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--short", action="store_true", help="a smaller game")
    chosen = parser.parse_args()
    games = 4_000 if chosen.short else 60_000
    env = classic_v1.env(places=2, pool="1-5" if chosen.short else "1-9")
    first, second = env.possible_agents
    player = Player(Random(1))
    for at in range(games):
        explore = 0.5 * (1 - at / games)  # decreases to 0
        player.learn(*game(env, player, {first: explore, second: explore}))
    _, duel = game(env, player, {first: 0, second: 0})
    trials = [game(env, player, {first: 0, second: 1})[1][first] for _ in range(500)]
    value = solve.value_of(env.variant.game)
    print(f"{games:,} games of self-play, {len(player.worth):,} observations met")
    print(f"against itself the first seat scores {duel[first]:+.0f}; by the solver {value:+}")
    print(f"against random play it scores {np.mean(trials):+.3f} on average")
    assert duel[first] == value, "the learned policies do not end where perfect ones would"
    assert min(trials) == 1, "the learned first seat lets a random player get away"


if __name__ == "__main__":
    main()
