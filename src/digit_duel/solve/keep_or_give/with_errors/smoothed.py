"""Newton's method for a few choices: the logit equilibrium, in which every choice is smoothed a little."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from digit_duel.solve.keep_or_give.public_tree import SECOND, STARTER, Array
from digit_duel.solve.keep_or_give.with_errors.few_choices import FreeChoices

# In addition to its payoff, each choice earns smoothing * weight * entropy. Payoffs are linear in both plans,
# and the entropy of a choice is weighted by its seat's own reach probability, so the smoothed game is still
# zero-sum and has exactly one equilibrium, which depends smoothly on the smoothing (a logit equilibrium). In
# it each choice keeps with odds exp(gain / smoothing), where the gain is conditional on reaching the choice;
# the weights are the counterfactual reach probabilities, computed before the step. As smoothing decreases,
# this leads to an equilibrium: a choice loses at most 0.28 times the smoothing, the largest value of
# x / (1 + exp(x)).
_SETTLED, _ROUNDING = 1e-8, 1e-14  # tolerances of log odds, and of gains
_STEPS = 60
_PURE = 6.0  # in log odds


@dataclass(frozen=True)
class SmoothedGame:
    """The game of a few free choices of both seats, with forced errors."""

    seats: tuple[FreeChoices, FreeChoices]
    error: float

    def split(self, values: Array) -> tuple[Array, Array]:
        """Split values of all choices into the starter's and the second seat's."""
        cut = self.seats[STARTER].parent.size
        return values[:cut], values[cut:]

    def _erring(self, odds: Array) -> tuple[Array, Array]:
        first, second = self.split(self.error + (1 - 2 * self.error) * chance(odds))
        return first, second

    def reach(self, odds: Array) -> Array:
        """The reach probability of each choice from everything except the choosing seat."""
        keep = self._erring(odds)
        plans = [choices.plan(keep[seat]) for seat, choices in enumerate(self.seats)]
        return np.concatenate([self.seats[seat].reach @ plans[1 - seat] for seat in (STARTER, SECOND)])

    def pull(self, odds: Array, smoothing: float, weight: Array) -> Array:
        """How far each choice's log odds are from those that its gain implies; all 0 at the equilibrium."""
        keep, bonus = self._erring(odds), self.split(smoothing * weight * entropy(odds))
        gains = []
        for seat, mine in enumerate(self.seats):
            worth = mine.payoff @ self.seats[1 - seat].plan(keep[1 - seat])
            gain = np.empty(mine.parent.size)
            for level in reversed(mine.levels):
                kept, given = worth[1 + 2 * level], worth[2 + 2 * level]
                gain[level] = kept - given
                here = given + keep[seat][level] * gain[level] + bonus[seat][level]
                np.add.at(worth, mine.parent[level], here)
            gains.append(gain)
        return (1 - 2 * self.error) * np.concatenate(gains) / (smoothing * weight) - odds

    def pull_slopes(self, odds: Array, smoothing: float, weight: Array) -> Array:
        """The derivative of every pull with respect to every choice's log odds."""
        share = chance(odds)
        keep, slope = self._erring(odds), self.split((1 - 2 * self.error) * share * (1 - share))
        bonus = self.split(smoothing * weight * entropy(odds))
        bonus_slope = self.split(-smoothing * weight * odds * share * (1 - share))
        size, cut = odds.size, self.seats[STARTER].parent.size
        columns = slice(0, cut), slice(cut, size)
        slopes = np.empty((size, size))
        for seat, mine in enumerate(self.seats):
            theirs = self.seats[1 - seat]
            worth = mine.payoff @ theirs.plan(keep[1 - seat])
            change = np.zeros((mine.entries, size))
            change[:, columns[1 - seat]] = mine.payoff @ _plan_slopes(theirs, keep[1 - seat], slope[1 - seat])
            for level in reversed(mine.levels):
                kept, given, p = worth[1 + 2 * level], worth[2 + 2 * level], keep[seat][level]
                more = change[1 + 2 * level] - change[2 + 2 * level]
                at = columns[seat].start + level
                slopes[at] = more
                here = change[2 + 2 * level] + p[:, None] * more
                here[np.arange(level.size), at] += (kept - given) * slope[seat][level] + bonus_slope[seat][
                    level
                ]
                np.add.at(change, mine.parent[level], here)
                np.add.at(worth, mine.parent[level], given + p * (kept - given) + bonus[seat][level])
        slopes *= (1 - 2 * self.error) / (smoothing * weight)[:, None]
        slopes[np.diag_indices(size)] -= 1
        return slopes


def chance(odds: Array) -> Array:
    """Convert log odds to a probability."""
    share: Array = 1 / (1 + np.exp(-np.clip(odds, -700, 700)))
    return share


def entropy(odds: Array) -> Array:
    """The entropy of a choice with these log odds."""
    size = np.abs(odds)
    found: Array = np.log1p(np.exp(-size)) + size * chance(-size)
    return found


def _plan_slopes(choices: FreeChoices, keep: Array, slope: Array) -> Array:
    """The derivative of a plan with respect to every choice's log odds."""
    plan, slopes = choices.plan(keep), np.zeros((choices.entries, keep.size))
    for level in choices.levels:
        before = choices.parent[level]
        slopes[1 + 2 * level] = slopes[before] * keep[level][:, None]
        slopes[2 + 2 * level] = slopes[before] * (1 - keep[level])[:, None]
        slopes[1 + 2 * level, level] += plan[before] * slope[level]
        slopes[2 + 2 * level, level] -= plan[before] * slope[level]
    return slopes


def settle(game: SmoothedGame, odds: Array, smoothings: Sequence[float]) -> Array:
    """The log odds of the equilibrium at the last of a decreasing sequence of smoothings."""
    before = smoothings[0]
    for smoothing in smoothings:
        weight = game.reach(odds)
        # The log odds of a clear choice are its gain divided by the smoothing.
        odds = np.where(np.abs(odds) > _PURE, odds * before / smoothing, odds)
        odds = _newton(game, odds, smoothing, weight)
        before = smoothing
    return odds


def _newton(game: SmoothedGame, odds: Array, smoothing: float, weight: Array) -> Array:
    pull, settled = game.pull(odds, smoothing, weight), max(_SETTLED, _ROUNDING / smoothing)
    for _ in range(_STEPS):
        if np.abs(pull).max(initial=0) < settled:
            break
        step = np.linalg.solve(game.pull_slopes(odds, smoothing, weight), -pull)
        # Far from the solution Newton's steps are too long, so limit the change of each choice's log odds.
        room = np.maximum(2.0, np.abs(odds) / 2) / np.maximum(np.abs(step), 1e-30)
        part = whole = min(1.0, float(room.min(initial=1.0)))
        while True:
            there = odds + part * step
            left = game.pull(there, smoothing, weight)
            if np.linalg.norm(left) < (1 - part / 10) * np.linalg.norm(pull) or part < whole / 64:
                break
            part /= 2
        odds, pull = there, left
    return odds
