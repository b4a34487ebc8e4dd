"""A small neural network in NumPy, trained by Adam."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

DECAYS = 0.9, 0.999  # Adam's decay rates
TINY = 1e-8


class Network:
    """Fully connected layers with ReLU between them."""

    def __init__(self, sizes: Sequence[int], rng: np.random.Generator, rate: float = 1e-3) -> None:
        self.rate, self.steps = rate, 0
        self.weights: list[Array] = []
        for wide, narrow in pairwise(sizes):
            self.weights += [rng.normal(0, (2 / wide) ** 0.5, (wide, narrow)), np.zeros(narrow)]
        self.weights[-2] *= 0.1  # nearly constant output at first
        self.averages = [(np.zeros_like(part), np.zeros_like(part)) for part in self.weights]
        self.layers: list[Array] = []  # the inputs of each layer, for the gradient

    def __call__(self, inputs: Array) -> Array:
        """The outputs, [n, outputs], for inputs, [n, inputs]."""
        found = np.asarray(inputs, np.float64)
        self.layers = []
        for at in range(0, len(self.weights), 2):
            if at:
                found = np.maximum(found, 0)
            self.layers.append(found)
            found = found @ self.weights[at] + self.weights[at + 1]
        return found

    def learn(self, gradient: Array) -> None:
        """Update the weights, given the loss gradient with respect to the latest outputs."""
        self.steps += 1
        gradients: list[Array] = []
        for at in reversed(range(0, len(self.weights), 2)):
            inputs = self.layers[at // 2]
            gradients += [gradient.sum(axis=0), inputs.T @ gradient]
            gradient = (gradient @ self.weights[at].T) * (inputs > 0)
        first, second = DECAYS
        for part, change, (mean, square) in zip(
            self.weights, reversed(gradients), self.averages, strict=True
        ):
            mean += (1 - first) * (change - mean)
            square += (1 - second) * (change**2 - square)
            scaled = mean / (1 - first**self.steps)
            part -= self.rate * scaled / (np.sqrt(square / (1 - second**self.steps)) + TINY)


def softmax(logits: Array, masks: Array) -> Array:
    """Probabilities of the legal actions; illegal actions get zero."""
    legal = np.where(masks, logits, -np.inf)
    parts = np.exp(legal - legal.max(axis=-1, keepdims=True))
    found: Array = parts / parts.sum(axis=-1, keepdims=True)
    return found


def sampled(chances: Array, rng: np.random.Generator) -> Array:
    """Sample an action for every row of probabilities."""
    sums = chances.cumsum(axis=-1)
    passed = sums < rng.random((len(chances), 1)) * sums[:, -1:]
    found: Array = np.minimum(passed.sum(axis=-1), chances.shape[1] - 1)
    return found
