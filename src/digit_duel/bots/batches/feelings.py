"""How the computers that err choose, for many games at once: what FallibleBot does, on arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from digit_duel.bots.error_model import CAREFUL, CROWD, SENSIBLE, SHARP, ErrorModel
from digit_duel.bots.tips import NONSENSE

Numbers: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

ERRORS: dict[str, ErrorModel] = {"sensible": SENSIBLE, "careful": CAREFUL, "sharp": SHARP}
# What is counted in every game of a batch.
FIGURES = ("wins", "draws", "length", "changes", "until", "decisions", "only")

_TAKEN = 1e6  # beyond every feeling


def misses(errors: ErrorModel, moves: Numbers) -> Floats:
    """How likely one of so many moves is overlooked."""
    return np.asarray(errors.overlooks * (moves - 1) / (moves - 1 + CROWD))


def feelings(
    likes: Floats, errors: ErrorModel, source: np.random.Generator, seen: Callable[[Numbers, Numbers], Floats]
) -> Floats:
    """Numbers whose largest, game by game, is the chosen move.

    `likes` is what the tips say of each move, below 0 where it is not legal. `seen` tells for some games how
    likely an answer is seen to each of some moves.
    """
    sensible = likes >= NONSENSE
    moves = np.count_nonzero(sensible, axis=1, keepdims=True)
    noticed = sensible & (source.random(likes.shape) >= misses(errors, moves))
    noticed = np.where(noticed.any(axis=1, keepdims=True), noticed, sensible)
    greedy = source.random(len(likes)) < errors.greed
    blur = np.where(greedy, errors.blur, errors.second_look)[:, np.newaxis]
    felt = np.where(noticed, likes + blur * source.standard_normal(likes.shape), -np.inf)
    thinking = np.flatnonzero(~greedy)
    if len(thinking):
        width = min(errors.width, likes.shape[1])
        first = np.argsort(-felt[thinking], axis=1)[:, :width]
        shown = np.take_along_axis(felt[thinking], first, axis=1)
        answered = source.random(first.shape) < seen(thinking, first)
        # The first move to which no answer is seen goes before all others.
        taken = ~answered & (shown > -np.inf)
        felt[thinking[:, np.newaxis], first] = np.where(taken, _TAKEN - np.arange(width), shown)
    return felt
