"""The choices of the fallible levels for many games at once: FallibleBot.choose on arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from digit_duel.bots.error_model import CAREFUL, CROWD, SENSIBLE, SHARP, ErrorModel
from digit_duel.bots.tips import NONSENSE
from digit_duel.core.game import Pair

Numbers: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

ERRORS: dict[str, ErrorModel] = {"sensible": SENSIBLE, "careful": CAREFUL, "sharp": SHARP}
# The statistics collected for every game of a batch.
FIGURES = ("wins", "draws", "length", "changes", "until", "decisions", "only")

_TAKEN = 1e6  # above every noisy score


def dice(pair: Pair[str], seed: str) -> np.random.Generator:
    """The random numbers for games between two levels."""
    return np.random.default_rng(np.frombuffer(f"{seed}/{'-'.join(pair)}".encode(), np.uint8))


def misses(errors: ErrorModel, moves: Numbers) -> Floats:
    """The probability of overlooking one of this many moves."""
    return np.asarray(errors.overlooks * (moves - 1) / (moves - 1 + CROWD))


def noisy_scores(
    likes: Floats, errors: ErrorModel, source: np.random.Generator, seen: Callable[[Numbers, Numbers], Floats]
) -> Floats:
    """A score for each move of each game; the move with the highest score is the one chosen.

    `likes` is how the tips rate each move, below 0 if it is illegal. `seen(games, moves)` is the probability
    that the player sees a winning reply to each of these moves.
    """
    sensible = likes >= NONSENSE
    moves = np.count_nonzero(sensible, axis=1, keepdims=True)
    noticed = sensible & (source.random(likes.shape) >= misses(errors, moves))
    noticed = np.where(noticed.any(axis=1, keepdims=True), noticed, sensible)
    greedy = source.random(len(likes)) < errors.greed
    blur = np.where(greedy, errors.blur, errors.second_look)[:, np.newaxis]
    scores = np.where(noticed, likes + blur * source.standard_normal(likes.shape), -np.inf)
    thinking = np.flatnonzero(~greedy)
    if len(thinking):
        width = min(errors.width, likes.shape[1])
        first = np.argsort(-scores[thinking], axis=1)[:, :width]
        shown = np.take_along_axis(scores[thinking], first, axis=1)
        answered = source.random(first.shape) < seen(thinking, first)
        # The first move to which the player sees no winning reply is chosen before all others.
        taken = ~answered & (shown > -np.inf)
        scores[thinking[:, np.newaxis], first] = np.where(taken, _TAKEN - np.arange(width), shown)
    return scores
