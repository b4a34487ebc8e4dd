"""AlphaZero-style learning (Silver 2018): a network that learns from its own tree search.

    python -m examples.baselines.alpha_zero                      cards-3, hidden hands: see below
    python -m examples.baselines.alpha_zero --rung sabotage-4    nothing is hidden
    python -m examples.baselines.alpha_zero --short              a few seconds

The search (PUCT) works on full states; the network sees only what the seat to move sees. Where hands are
hidden, the search therefore knows more than a player may, and the network learns what is best on average
over what it cannot see. That is not an equilibrium: the result shows how far it is from one. The evaluation
uses the network's policy alone, without search.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import sqrt

import numpy as np
from examples.baselines.duels import HIDDEN, Array, Duels, Learned, minibatches, run
from examples.baselines.network import Network, sampled, softmax

from digit_duel.core.game import Seat

ROUNDS, GAMES, SIMULATIONS = 20, 16, 32
EPOCHS, BATCH, REMEMBERED = 10, 128, 5  # rounds
EXPLORE, NOISE, SHARPNESS = 1.5, 0.25, 1.0

Lesson = tuple[Array, Array, Array, float]  # observation, mask, how often each action was tried, final score


class Node:
    """A decision in the tree: the network's prior and value, and the search statistics."""

    def __init__(self, seat: Seat, seen: Array, mask: Array, prior: Array, value: float) -> None:
        self.seat, self.seen, self.mask, self.prior, self.value = seat, seen, mask, prior, value
        self.visits, self.total = np.zeros(len(mask)), np.zeros(len(mask))

    def choose(self, prior: Array) -> int:
        """The action with the best upper bound."""
        mean = self.total / np.maximum(self.visits, 1)
        bonus = EXPLORE * prior * sqrt(self.visits.sum() + 1) / (1 + self.visits)
        return int(np.where(self.mask, mean + bonus, -np.inf).argmax())


class Search:
    """Tree search with one network for both seats."""

    def __init__(self, duels: Duels, network: Network, rng: np.random.Generator) -> None:
        self.interface, self.network, self.rng = duels.states, network, rng
        self.nodes: dict[Hashable, Node] = {}

    def after_chance(self, state: Hashable) -> Hashable:
        """The state after nature's moves."""
        game = self.interface.game
        while draws := game.chance(state):
            weights = np.array([weight for _, weight in draws], float)
            state = game.play(state, draws[self.rng.choice(len(draws), p=weights / weights.sum())][0])
        return state

    def node(self, state: Hashable) -> Node:
        """The node of a state, created on first use."""
        if state not in self.nodes:
            game, alphabet = self.interface.game, self.interface.alphabet
            (seat,) = game.acting(state)
            seen = self.interface.observations.numbers(game.view(state, seat), seat, (seat,))
            mask = alphabet.mask(alphabet.legal(state, seat)).astype(bool)
            found = self.network(seen[None])[0]
            prior = softmax(found[:-1], mask)
            self.nodes[state] = Node(seat, seen, mask, prior, float(np.tanh(found[-1])))
        return self.nodes[state]

    def simulate(self, root: Hashable, noise: Array) -> None:
        """Descend to a new node or an end, and back up its value along the path."""
        game, alphabet, state = self.interface.game, self.interface.alphabet, root
        path: list[tuple[Node, int]] = []
        while True:
            if (outcome := game.outcome(state)) is not None:
                value = float(outcome.score(Seat.FIRST))
                break
            new = state not in self.nodes
            node = self.node(state)
            if new:
                value = node.value if node.seat is Seat.FIRST else -node.value
                break
            action = node.choose((1 - NOISE) * node.prior + NOISE * noise if state == root else node.prior)
            path.append((node, action))
            state = self.after_chance(game.play(state, alphabet.move(state, node.seat, action)))
        for node, action in path:
            node.visits[action] += 1
            node.total[action] += value if node.seat is Seat.FIRST else -value

    def game(self) -> list[Lesson]:
        """Play one game against itself, and return the training examples."""
        rules, alphabet = self.interface.game, self.interface.alphabet
        state = self.after_chance(rules.start())
        told: list[tuple[Node, Array]] = []
        while (outcome := rules.outcome(state)) is None:
            node = self.node(state)
            noise = np.where(node.mask, self.rng.gamma(SHARPNESS, size=len(node.mask)), 0)
            for _ in range(SIMULATIONS):
                self.simulate(state, noise / noise.sum())
            told.append((node, node.visits / node.visits.sum()))
            action = int(sampled(told[-1][1][None], self.rng)[0])
            state = self.after_chance(rules.play(state, alphabet.move(state, node.seat, action)))
        return [(node.seen, node.mask, tried, outcome.score(node.seat)) for node, tried in told]


def learn(duels: Duels, seed: int, effort: float = 1.0) -> Learned:
    """Alternate self-play by search and training."""
    rng = np.random.default_rng(seed)
    inputs, actions = duels.sizes
    network = Network((inputs, HIDDEN, HIDDEN, actions + 1), rng, rate=1e-3)
    rounds: list[list[Lesson]] = []
    steps = 0
    for _ in range(max(2, round(ROUNDS * effort))):
        search = Search(duels, network, rng)
        rounds.append([lesson for _ in range(GAMES) for lesson in search.game()])
        steps += len(rounds[-1])
        lessons = [lesson for round_ in rounds[-REMEMBERED:] for lesson in round_]
        improve(network, lessons, rng)
    return Learned(duels.policy(lambda seen, masks: softmax(network(seen)[:, :-1], masks)), steps)


def improve(network: Network, lessons: list[Lesson], rng: np.random.Generator) -> None:
    """Train for some epochs on the search's visit counts and the results of the games."""
    seen, masks, tried, scores = (np.array([lesson[at] for lesson in lessons]) for at in range(4))
    for _ in range(EPOCHS):
        for part in minibatches(len(lessons), BATCH, rng):
            outputs = network(seen[part])
            value = np.tanh(outputs[:, -1])
            gradient = np.empty_like(outputs)
            gradient[:, :-1] = softmax(outputs[:, :-1], masks[part]) - tried[part]
            gradient[:, -1] = (value - scores[part]) * (1 - value**2)
            network.learn(gradient / len(part))


if __name__ == "__main__":
    run("AlphaZero-style search", learn, short=0.6)
