"""Deep counterfactual regret minimisation (Brown 2019) with external sampling.

    python -m examples.baselines.deep_cfr                  cards-3, about ten seconds
    python -m examples.baselines.deep_cfr --rung cards-5   another rung of the size ladder
    python -m examples.baselines.deep_cfr --short          a few seconds

Each seat has a network that estimates the regret of each action, retrained in every iteration on all regrets
sampled so far. A final network learns the average of the strategies played.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from examples.baselines.duels import HIDDEN, Array, Duels, Learned, run
from examples.baselines.network import Network, sampled, softmax

from digit_duel.core.game import Seat

ITERATIONS, WALKS = 40, 40
UPDATES, BATCH = 300, 256

Sample = tuple[Array, Array, Array, int]  # observation, mask, regrets or strategy, iteration


class DeepCfr:
    """The samples so far, and the networks of the current iteration."""

    def __init__(self, duels: Duels, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.inputs, self.actions = duels.sizes
        self.interface = duels.states
        self.regrets: tuple[list[Sample], list[Sample]] = ([], [])
        self.played: list[Sample] = []
        self.networks = [self._network() for _ in Seat]
        self.strategies: dict[tuple[Seat, Hashable], tuple[Array, Array, Array]] = {}
        self.iteration = self.steps = 0

    def iterate(self) -> None:
        """Sample regrets for each seat in turn, and train its network on all samples so far."""
        self.iteration += 1
        for seat in Seat:
            for _ in range(WALKS):
                self._walk(self.interface.game.start(), seat)
            self.networks[seat] = self._network()
            train(self.networks[seat], self.regrets[seat], self.rng, False)
            self.strategies.clear()

    def average(self) -> Network:
        """The network of the average strategy."""
        network = self._network()
        train(network, self.played, self.rng, True)
        return network

    def _network(self) -> Network:
        return Network((self.inputs, HIDDEN, HIDDEN, self.actions), self.rng, rate=2e-3)

    def _walk(self, state: Hashable, learner: Seat) -> float:
        """The learner's sampled score: try all of its actions, and sample one action elsewhere."""
        game, alphabet = self.interface.game, self.interface.alphabet
        while draws := game.chance(state):
            weights = np.array([weight for _, weight in draws], float)
            state = game.play(state, draws[self.rng.choice(len(draws), p=weights / weights.sum())][0])
        if (outcome := game.outcome(state)) is not None:
            return outcome.score(learner)
        self.steps += 1
        (seat,) = game.acting(state)
        seen, mask, strategy = self._strategy(state, seat)
        if seat is not learner:
            self.played.append((seen, mask, strategy, self.iteration))
            action = int(sampled(strategy[None], self.rng)[0])
            return self._walk(game.play(state, alphabet.move(state, seat, action)), learner)
        values = np.zeros(self.actions)
        for number in alphabet.legal(state, seat):
            values[number] = self._walk(game.play(state, alphabet.move(state, seat, number)), learner)
        expected = float(values @ strategy)
        self.regrets[seat].append((seen, mask, np.where(mask, values - expected, 0), self.iteration))
        return expected

    def _strategy(self, state: Hashable, seat: Seat) -> tuple[Array, Array, Array]:
        """What a seat sees, what is legal, and how it plays: in proportion to positive regrets."""
        game, alphabet = self.interface.game, self.interface.alphabet
        view = game.view(state, seat)
        if (seat, view) not in self.strategies:
            seen = self.interface.observations.numbers(view, seat, game.acting(state))
            mask = alphabet.mask(alphabet.legal(state, seat)).astype(bool)
            regrets = np.where(mask, self.networks[seat](seen[None])[0], -np.inf)
            positive = np.maximum(regrets, 0)
            best = np.eye(self.actions)[regrets.argmax()]
            strategy = positive / positive.sum() if positive.sum() > 0 else best
            self.strategies[seat, view] = seen, mask, strategy
        return self.strategies[seat, view]


def train(network: Network, samples: list[Sample], rng: np.random.Generator, chances: bool) -> None:
    """Fit a network to samples, weighted by iteration."""
    if not samples:
        return  # a seat that never decides
    seen, masks, wanted = (np.array([sample[at] for sample in samples]) for at in range(3))
    weights = np.array([sample[3] for sample in samples], float)
    weights /= weights.mean()
    for _ in range(UPDATES * (4 if chances else 1)):
        part = rng.integers(len(samples), size=BATCH)
        found = network(seen[part])
        fitted = softmax(found, masks[part]) if chances else np.where(masks[part], found, 0)
        network.learn(weights[part, None] * (fitted - wanted[part]) / BATCH)


def learn(duels: Duels, seed: int, effort: float = 1.0) -> Learned:
    """Iterate, then learn the average strategy."""
    cfr = DeepCfr(duels, seed)
    for _ in range(max(2, round(ITERATIONS * effort))):
        cfr.iterate()
    network = cfr.average()
    return Learned(duels.policy(lambda seen, masks: softmax(network(seen), masks)), cfr.steps)


if __name__ == "__main__":
    run("Deep CFR", learn, short=0.2)
