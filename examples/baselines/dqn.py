"""Deep Q-learning (Mnih 2015) by self-play.

    python -m examples.baselines.dqn                      cards-3, about ten seconds
    python -m examples.baselines.dqn --rung sabotage-4    another rung of the size ladder
    python -m examples.baselines.dqn --short              a few seconds

One network for both seats predicts the score of each action. It learns from a replay memory of decisions,
each with the same seat's next observation. The evaluated policy is greedy, so it cannot mix.
"""

from __future__ import annotations

import numpy as np
from examples.baselines.duels import HIDDEN, Array, Duels, Learned, Turn, run
from examples.baselines.network import Network

ROUNDS, GAMES = 300, 64
MEMORY, BATCH, UPDATES = 20_000, 128, 20
COPY_EVERY = 5  # rounds between updates of the target network
EXPLORE = 0.5, 0.05  # at the start and at the end


class Memory:
    """The latest decisions, each with its successor or its final score."""

    def __init__(self, inputs: int, actions: int) -> None:
        self.seen, self.after = (np.zeros((MEMORY, inputs), bool) for _ in range(2))
        self.masks = np.zeros((MEMORY, actions), bool)  # of the successor; none at the end of a game
        self.chosen, self.scores = np.zeros(MEMORY, np.int64), np.zeros(MEMORY)
        self.count = 0

    def add(self, turns: list[Turn], scores: Array) -> None:
        """Store whole games."""
        waiting: dict[tuple[int, int], int] = {}
        for turn in turns:
            for lane, seat, seen, masks, action in zip(*turn, strict=True):
                at, key = self.count % MEMORY, (int(lane), int(seat))
                if (before := waiting.get(key)) is not None:
                    self.after[before], self.masks[before], self.scores[before] = seen, masks, 0
                self.seen[at], self.chosen[at], self.masks[at] = seen, action, False
                self.scores[at] = scores[lane, seat]
                waiting[key] = at
                self.count += 1


def learn(duels: Duels, seed: int, effort: float = 1.0) -> Learned:
    """Alternate playing games and learning from the replay memory."""
    rng = np.random.default_rng(seed)
    inputs, actions = duels.sizes
    network, target = (Network((inputs, HIDDEN, HIDDEN, actions), rng, rate=1e-3) for _ in range(2))
    memory, rounds = Memory(inputs, actions), max(1, round(ROUNDS * effort))
    for number in range(rounds):
        if number % COPY_EVERY == 0:
            target.weights = [part.copy() for part in network.weights]
        explore = EXPLORE[0] + (EXPLORE[1] - EXPLORE[0]) * number / rounds

        def choose(seen: Array, masks: Array, explore: float = explore) -> Array:
            best = np.where(masks, network(seen), -np.inf).argmax(axis=1)
            anything = np.where(masks, rng.random(masks.shape), -1).argmax(axis=1)
            found: Array = np.where(rng.random(len(best)) < explore, anything, best)
            return found

        memory.add(*duels.played(GAMES, seed * ROUNDS * 1000 + number, choose))
        for _ in range(UPDATES):
            improve(network, target, memory, rng)
    return Learned(
        duels.policy(lambda seen, masks: greedy(np.where(masks, network(seen), -np.inf))), memory.count
    )


def improve(network: Network, target: Network, memory: Memory, rng: np.random.Generator) -> None:
    """One gradient step towards the target network's best value at the next decision."""
    part = rng.integers(min(memory.count, MEMORY), size=BATCH)
    follow = np.where(memory.masks[part], target(memory.after[part]), -np.inf).max(axis=1)
    wanted = np.where(memory.masks[part].any(axis=1), follow, memory.scores[part])
    found, rows = network(memory.seen[part]), np.arange(BATCH)
    gradient = np.zeros_like(found)
    gradient[rows, memory.chosen[part]] = np.clip(found[rows, memory.chosen[part]] - wanted, -1, 1)
    network.learn(gradient / BATCH)


def greedy(worth: Array) -> Array:
    """Play the best action."""
    found: Array = np.eye(worth.shape[1])[worth.argmax(axis=1)]
    return found


if __name__ == "__main__":
    run("DQN", learn, short=0.2)
