"""Predictive CFR+ for one round, with alternating updates, quadratic averaging and restarts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from digit_duel.solve.keep_or_give.counterfactual import (
    EndValues,
    Profile,
    end_values,
    even_profile,
    fold,
    reached_values,
    reaches,
    tremble,
)
from digit_duel.solve.keep_or_give.payoffs import Payoffs
from digit_duel.solve.keep_or_give.public_tree import SECOND, STARTER, AnyArray, Array, Tree

CHECK_EVERY = 10  # a check costs about as much as an iteration
RESTART_AT = 4.0  # restart when the gap has shrunk by this factor; 2 to 6 work, 4 converged fastest


@dataclass(frozen=True)
class RoundSolution:
    """A profile, and bounds on the starter's winning probability that show how close it is to equilibrium."""

    profile: Profile = field(repr=False)
    tie_value: float | Array
    low: float  # what the starter's strategy wins at least
    high: float  # what the second seat's strategy concedes at most
    iterations: int

    @property
    def gap(self) -> float:
        """NashConv, in winning probability, for the tie value used."""
        return self.high - self.low

    @property
    def value(self) -> float:
        """The starter's winning probability."""
        return (self.low + self.high) / 2


class Learner:
    """One seat's regrets and average strategy; updated in place."""

    def __init__(self, tree: Tree, seat: int, start: Array) -> None:
        self.tree, self.seat = tree, seat
        self.now = start.copy()
        self.regret = np.zeros((2, start.size), like=start)
        self.kept, self.came = np.zeros_like(start), np.zeros_like(start)

    def forced(self, error: float) -> dict[str, Array]:
        """The current strategy by word, with forced errors."""
        tables = {word: self.tree.at(self.now, word) for word in self.tree.seat_nodes(self.seat)}
        return tremble(tables, error) if error else tables

    def learn(self, worth: EndValues, other: Learner, error: float) -> None:
        """Make one predictive regret-matching+ update against the other seat's current strategy."""
        tree, own = self.tree, self.forced(error)
        ends = reached_values(tree, self.seat, worth.payoff, reaches(tree, other.seat, other.forced(error)))
        gain = np.empty_like(self.now)

        def mix(word: str, keep: AnyArray, give: AnyArray) -> AnyArray:
            more = keep - give
            tree.at(gain, word)[...] = more
            return give + own[word] * more  # type: ignore[no-any-return]

        fold(tree, self.seat, ends, mix)
        if self.seat == SECOND:
            np.negative(gain, out=gain)
        gain *= 1 - 2 * error
        latest = np.stack([(1 - self.now) * gain, -self.now * gain])
        self.regret += latest
        np.maximum(self.regret, 0, out=self.regret)
        latest += self.regret  # the prediction: the next regret equals this one
        np.maximum(latest, 0, out=latest)
        total = latest[0] + latest[1]
        self.now = np.where(total > 0, latest[0] / np.where(total > 0, total, 1), self.now)

    def note(self, weight: float, error: float = 0.0) -> None:
        """Add the current strategy to the average, weighted by its own reach, errors included."""
        reach = reaches(self.tree, self.seat, self.forced(error))
        for word in self.tree.seat_nodes(self.seat):
            share = weight * reach[word][..., None]
            self.tree.at(self.kept, word)[...] += share * self.tree.at(self.now, word)
            self.tree.at(self.came, word)[...] += share

    def average(self) -> Array:
        """The average strategy; the current one at information sets that were never reached."""
        came = self.came > 0
        return np.where(came, self.kept / np.where(came, self.came, 1), self.now)

    def restart(self) -> None:
        """Continue from the average strategy."""
        # Preserving each information set's sum of regrets preserves its step size, so pure choices stay
        # settled. Without this the iterates circle around the equilibrium at a constant distance and only the
        # average improves.
        self.now = self.average()
        total = self.regret.sum(axis=0)
        self.regret[0], self.regret[1] = self.now * total, (1 - self.now) * total
        self.kept[:], self.came[:] = 0, 0


def refine(
    payoffs: Payoffs,
    *,
    start: Profile | None = None,
    tie_value: float | Array | None = None,
    error: float = 0.0,
) -> Iterator[RoundSolution]:
    """Yield ever better solutions of a round; if tie_value is None, ties are replayed from the same cards."""
    tree = payoffs.round.tree
    profile = even_profile(tree) if start is None else start
    seats = Learner(tree, STARTER, profile.keep[STARTER]), Learner(tree, SECOND, profile.keep[SECOND])
    worth, value = _fit(payoffs, profile, tie_value, error)
    iterations = clock = 0
    mark = np.inf
    while True:
        for _ in range(CHECK_EVERY):
            iterations, clock = iterations + 1, clock + 1
            for seat in seats:
                seat.learn(worth, seats[1 - seat.seat], error)
                seat.note(float(clock) ** 2, error)
        profile = Profile(tree, (seats[STARTER].average(), seats[SECOND].average()))
        high, low = (worth.best_response(seat, profile, error) for seat in (STARTER, SECOND))
        if tie_value is None:
            # A tie has the value of the round itself. While the two differ, the difference is part of the
            # gap, so the bounds also hold for the replayed round, up to a factor 1 / (1 - probability of a
            # tie).
            yield RoundSolution(profile, value, min(low, float(value)), max(high, float(value)), iterations)
            value = (low + high) / 2
            worth = end_values(payoffs, value)
        else:
            yield RoundSolution(profile, value, low, high, iterations)
        if high - low < mark / RESTART_AT:
            mark, clock = (high - low if mark < np.inf else 2 * (high - low)), 0
            for seat in seats:
                seat.restart()


def _fit(
    payoffs: Payoffs, profile: Profile, tie_value: float | Array | None, error: float
) -> tuple[EndValues, float | Array]:
    """The payoffs with ties at a given value, or at the value of a profile."""
    if tie_value is not None:
        return end_values(payoffs, tie_value), tie_value
    value = 0.5
    for _ in range(2):  # each iteration divides the error by about thirty
        worth = end_values(payoffs, value)
        value = sum(worth.best_response(seat, profile, error) for seat in (STARTER, SECOND)) / 2
    return end_values(payoffs, value), value


def solve(
    payoffs: Payoffs,
    *,
    target: float = 1e-12,
    limit: int = 10_000,
    start: Profile | None = None,
    tie_value: float | Array | None = None,
    error: float = 0.0,
    progress: Callable[[RoundSolution], None] | None = None,
) -> RoundSolution:
    """The best solution found when the gap is at most `target` or the iterations reach `limit`."""
    best: RoundSolution | None = None
    for solution in refine(payoffs, start=start, tie_value=tie_value, error=error):
        if best is None or solution.gap <= best.gap:
            best = solution
        if progress:
            progress(solution)  # may raise: the solver has nothing to clean up
        if solution.gap <= target or solution.iterations >= limit:
            return best
    raise AssertionError("refine never ends")
