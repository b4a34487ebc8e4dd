"""Proximal policy optimisation (Schulman 2017) by self-play.

    python -m examples.baselines.ppo                      cards-3, about ten seconds
    python -m examples.baselines.ppo --rung sabotage-4    another rung of the size ladder
    python -m examples.baselines.ppo --short              a few seconds

One network for both seats outputs a policy and a value. Games are short, so the advantage of a move is the
final score of its game minus the predicted value.
"""

from __future__ import annotations

import numpy as np
from examples.baselines.duels import HIDDEN, Array, Duels, Learned, minibatches, run
from examples.baselines.network import Network, sampled, softmax

ROUNDS, GAMES = 200, 256
EPOCHS, BATCH = 3, 256
CLIP, ENTROPY, VALUE = 0.2, 0.02, 0.5


def learn(duels: Duels, seed: int, effort: float = 1.0) -> Learned:
    """Alternate playing a round of games and learning from it."""
    rng = np.random.default_rng(seed)
    inputs, actions = duels.sizes
    network = Network((inputs, HIDDEN, HIDDEN, actions + 1), rng, rate=1e-3)
    steps, rounds = 0, max(1, round(ROUNDS * effort))
    for number in range(rounds):
        network.rate = 1e-3 * (1 - number / rounds)
        turns, scores = duels.played(
            GAMES,
            seed * ROUNDS * 1000 + number,
            lambda seen, masks: sampled(softmax(network(seen)[:, :-1], masks), rng),
        )
        seen, masks, chosen = (np.concatenate([turn[at] for turn in turns]) for at in range(2, 5))
        gained = np.concatenate([scores[turn.lanes, turn.seats] for turn in turns])
        improve(network, seen, masks, chosen, gained, rng)
        steps += len(chosen)
    return Learned(duels.policy(lambda seen, masks: softmax(network(seen)[:, :-1], masks)), steps)


def improve(
    network: Network, seen: Array, masks: Array, chosen: Array, gained: Array, rng: np.random.Generator
) -> None:
    """Train for some epochs on one round of games."""
    outputs = network(seen)
    before = softmax(outputs[:, :-1], masks)[np.arange(len(chosen)), chosen]
    better = gained - outputs[:, -1]
    better = (better - better.mean()) / (better.std() + 1e-8)
    for _ in range(EPOCHS):
        for part in minibatches(len(chosen), BATCH, rng):
            outputs, rows = network(seen[part]), np.arange(len(part))
            chances = softmax(outputs[:, :-1], masks[part])
            ratio = chances[rows, chosen[part]] / before[part]
            clipped = np.where(better[part] > 0, ratio > 1 + CLIP, ratio < 1 - CLIP)
            weight = np.where(clipped, 0.0, ratio * better[part])
            one = np.zeros_like(chances)
            one[rows, chosen[part]] = 1
            logs = np.log(np.maximum(chances, 1e-12))
            spread = chances * (logs - (chances * logs).sum(axis=1, keepdims=True))  # d(-entropy)
            gradient = np.empty_like(outputs)
            gradient[:, :-1] = weight[:, None] * (chances - one) + ENTROPY * spread
            gradient[:, -1] = VALUE * (outputs[:, -1] - gained[part])
            network.learn(gradient / len(part))


if __name__ == "__main__":
    run("PPO", learn, short=0.1)
