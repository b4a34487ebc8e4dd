"""The probability with which a fallible level chooses each move: the exact odds behind FallibleBot.choose.

Such a player notices some of the moves and gives each a noisy score: the tips' rating plus a normal error. If
it looks ahead, it goes through them from the highest score down and takes the first one to which it sees no
winning reply; if there is none, or if it does not look ahead, it takes the one with the highest score. So the
probability of a move is a product over all other moves, integrated over the score of this one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import erf, pi, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from digit_duel.bots.error_model import ErrorModel
from digit_duel.bots.tips import NONSENSE

Array: TypeAlias = NDArray[np.float64]
Kind: TypeAlias = tuple[float, float]  # the rating of a move, and the probability of seeing a reply to it
Counted: TypeAlias = tuple[tuple[Kind, int], ...]  # how many moves there are of each kind, worst rating first

_STEPS = 48  # of the integral over the score of a move
_INNER = 32  # of the inner integral, over the score of a lower-scored move
_NEVER = 1e-6  # probabilities below this are ignored
_DECIMALS = 9  # to which a kind is rounded, so that rounding errors do not split it
_REACH = 6.5  # standard errors that the integral covers on either side
_POINTS = np.linspace(-9, 9, 18_001)
_NORMAL = np.array([(1 + erf(point / sqrt(2))) / 2 for point in _POINTS])


def choice_chances(
    liked: Sequence[float], answered: Sequence[float] | None, errors: ErrorModel
) -> list[float]:
    """The probability of each move, given that none of them wins at once.

    `liked` is how the tips rate the moves, from 0 to 1. `answered` is the probability that the player sees a
    winning reply to each move; None if it cannot look ahead.
    """
    glance = _glance_chances(tuple(liked), errors)
    if answered is None or errors.greed == 1:
        return list(glance)
    sensible = [at for at, liking in enumerate(liked) if liking >= NONSENSE]
    looking = [(round(liked[at], _DECIMALS), round(answered[at], _DECIMALS)) for at in sensible]
    thought = _by_kind(_counted(looking), errors.misses(len(sensible)), errors.second_look, errors.width)
    found = [errors.greed * chance for chance in glance]
    for at, kind in zip(sensible, looking, strict=True):
        found[at] += (1 - errors.greed) * thought[kind]
    return found


@lru_cache(maxsize=100_000)
def _glance_chances(liked: tuple[float, ...], errors: ErrorModel) -> Sequence[float]:
    """The probability of each move if the player does not look ahead."""
    sensible = [at for at, liking in enumerate(liked) if liking >= NONSENSE]
    blind = [(round(liked[at], _DECIMALS), 0.0) for at in sensible]
    glance = _by_kind(_counted(blind), errors.misses(len(sensible)), errors.blur, len(sensible))
    found = [0.0] * len(liked)
    for at, kind in zip(sensible, blind, strict=True):
        found[at] = glance[kind]
    return found


def _counted(kinds: Sequence[Kind]) -> Counted:
    return tuple(sorted(Counter(kinds).items()))


@lru_cache(maxsize=100_000)
def _by_kind(counted: Counted, misses: float, blur: float, width: int) -> Mapping[Kind, float]:
    """The probability of one move of each kind; moves of the same kind are equally likely."""
    moves = sum(count for _, count in counted)
    if moves == 1:
        return {counted[0][0]: 1.0}
    found = dict(_NoisyChoice(counted, misses, blur, width).chances())
    none = misses**moves  # a player who would notice no move considers all of them
    if none > _NEVER:
        every = _NoisyChoice(counted, 0.0, blur, width).chances()
        found = {kind: chance + none * every[kind] for kind, chance in found.items()}
    total = sum(count * found[kind] for kind, count in counted)
    assert abs(total - 1) < 10 * _NEVER, total
    return {kind: chance / total for kind, chance in found.items()}


class _NoisyChoice:
    """A choice among moves that are noticed independently and scored with the same error.

    Arrays have a row for each kind of move and a column for each point of the integral.
    """

    def __init__(self, counted: Counted, misses: float, blur: float, width: int) -> None:
        self.counted, self.noticed, self.misses, self.blur = counted, 1 - misses, misses, blur
        self.likings = np.array([liking for (liking, _), _ in counted])[:, np.newaxis]
        self.rejects = np.array([answered for (_, answered), _ in counted])[
            :, np.newaxis
        ]  # if it is examined
        self.counts = np.array([[count] for _, count in counted])
        self.scores = np.linspace(
            self.likings[0, 0] - _REACH * blur, self.likings[-1, 0] + _REACH * blur, _STEPS
        )
        self.below = self._below(self.scores, self.likings)
        step = float(self.scores[1] - self.scores[0])
        self.weights = self.noticed * _density(self.scores, self.likings, blur) * step
        self.not_above = misses + self.noticed * self.below
        self.cut = width if int(self.counts.sum()) > width else None

    def chances(self) -> Mapping[Kind, float]:
        """The probability that one move of each kind is noticed and chosen."""
        best = self._best_of_rejected() if self.cut is None else self._best_within_width(self.cut)
        total = self._taken() + best
        return {kind: float(chance) for (kind, _), chance in zip(self.counted, total, strict=True)}

    def _taken(self) -> Array:
        """The probability that a move is taken after all higher-scored ones were rejected."""
        rejected_before = self.noticed * self.rejects * (1 - self.below)
        if self.cut is None:
            others = self._all_others(self.not_above + rejected_before)
        else:
            parts = list(zip(self.not_above, rejected_before, map(int, self.counts[:, 0]), strict=True))
            others = np.array(
                [
                    _series([(a, b, n - (at == i)) for i, (a, b, n) in enumerate(parts)], self.cut).sum(
                        axis=0
                    )
                    for at in range(len(parts))
                ]
            )
        return np.asarray((self.weights * (1 - self.rejects) * others).sum(axis=1))

    def _best_of_rejected(self) -> Array:
        """The probability that every noticed move is rejected, and this one has the highest score."""
        if not self.rejects.any():
            return np.zeros(len(self.counted))
        others = self._all_others(self.misses + self.noticed * self.below * self.rejects)
        return np.asarray((self.weights * self.rejects * others).sum(axis=1))

    def _all_others(self, chance: Array) -> Array:
        """For each kind, the product over all moves except one of that kind."""
        powers = chance**self.counts
        before = np.cumprod(np.vstack([np.ones(_STEPS), powers[:-1]]), axis=0)
        after = np.cumprod(np.vstack([np.ones(_STEPS), powers[:0:-1]]), axis=0)[::-1]
        return np.asarray(before * after * chance ** (self.counts - 1))

    def _best_within_width(self, width: int) -> Array:
        """The same if only a few are examined: this one scores highest, and none of them is taken."""
        if not self.rejects.any():
            return np.zeros(len(self.counted))
        nodes, weights = np.polynomial.legendre.leggauss(_INNER)
        span = (self.scores - self.scores[0])[:, np.newaxis]
        later = self.scores[0] + span * (nodes + 1) / 2  # axes: the highest score, and a lower one
        likings, rejects = self.likings[:, :, np.newaxis], self.rejects[:, 0]
        below = self._below(later, likings)
        not_before = self.misses + self.noticed * below
        rejected = self.noticed * self.rejects[:, :, np.newaxis] * (self.below[:, :, np.newaxis] - below)
        density = self.noticed * _density(later, likings, self.blur) * span * weights / 2
        everything = _series(
            list(zip(not_before, rejected, map(int, self.counts[:, 0]), strict=True)), width - 1
        )
        later_taken = np.zeros((len(self.counted), _STEPS))
        for one, (_, count) in enumerate(self.counted):
            if rejects[one] == 1:
                continue
            rest = _without(everything, not_before[one], rejected[one])
            for best in range(len(self.counted)):
                times = count - (best == one)
                if times and rejects[best]:
                    chance = _without(rest, not_before[best], rejected[best]).sum(axis=0)
                    later_taken[best] += times * (1 - rejects[one]) * (density[one] * chance).sum(axis=1)
        chance = self._all_others(self.not_above) - later_taken
        return np.asarray((self.weights * self.rejects * chance).sum(axis=1))

    def _below(self, scores: Array, likings: Array) -> Array:
        return np.asarray(np.interp((scores - likings) / self.blur, _POINTS, _NORMAL))


def _series(parts: Sequence[tuple[Array, Array, int]], length: int) -> Array:
    """The probability that no other move is taken earlier, by how many of them are rejected earlier.

    A part is the probability that another move is not examined earlier, the probability that it is examined
    earlier and rejected, and how many such moves there are.
    """
    ways = np.zeros((length, *parts[0][0].shape))
    ways[0] = 1
    for not_before, rejected, count in parts:
        for _ in range(count):
            ways[1:] = not_before * ways[1:] + rejected * ways[:-1]
            ways[0] *= not_before
    return ways


def _without(ways: Array, not_before: Array, rejected: Array) -> Array:
    """The result of _series without one of the moves: one step of it undone."""
    fewer = np.empty_like(ways)
    fewer[0] = ways[0] / not_before
    for at in range(1, len(ways)):
        fewer[at] = (ways[at] - rejected * fewer[at - 1]) / not_before
    return fewer


def _density(scores: Array, liking: Array, blur: float) -> Array:
    return np.asarray(np.exp(-(((scores - liking) / blur) ** 2) / 2) / (blur * sqrt(2 * pi)))
