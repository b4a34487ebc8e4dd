"""Predictive CFR+ for a round in which every hunter chooses between some plans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from digit_duel.solve.keep_or_give.capped.hunt_plans import CappedRound, Plan, Tables
from digit_duel.solve.keep_or_give.cfr import CHECK_EVERY, RESTART_AT, Learner
from digit_duel.solve.keep_or_give.counterfactual import EndValues, Profile, fold, reached_values, reaches
from digit_duel.solve.keep_or_give.public_tree import SECOND, STARTER, AnyArray, Array, hidden_draws


@dataclass(frozen=True)
class Mixed:
    """A profile until a hand is full, and how often each plan is followed then, by what is seen."""

    profile: Profile = field(repr=False)
    shares: Tables = field(repr=False)  # plans first, then an axis a draw
    low: float  # with these plans only
    high: float

    @property
    def gap(self) -> float:
        """NashConv with these plans only."""
        return self.high - self.low


class _PlanLearner:
    """The regrets and the average choice between plans at one end; updated in place."""

    def __init__(self, plans: int, shape: tuple[int, ...]) -> None:
        self.now = np.full((plans, *shape), 1 / plans)
        self.regret = np.zeros((plans, *shape))
        self.chosen, self.came = np.zeros((plans, *shape)), np.zeros(shape)

    def learn(self, values: Array) -> None:
        """Move by one predictive regret-matching+ update; values are what each plan wins the hunter."""
        latest = values - (self.now * values).sum(axis=0)
        self.regret += latest
        np.maximum(self.regret, 0, out=self.regret)
        latest += self.regret
        np.maximum(latest, 0, out=latest)
        total = latest.sum(axis=0)
        np.divide(latest, total, out=self.now, where=total > 0)

    def note(self, share: AnyArray) -> None:
        self.chosen += share * self.now
        self.came += share

    def average(self) -> Array:
        found: Array = np.divide(self.chosen, self.came, out=self.now.copy(), where=self.came > 0)
        return found

    def restart(self) -> None:
        self.now = self.average()
        self.regret = self.now * self.regret.sum(axis=0)
        self.chosen[:], self.came[:] = 0, 0


def mix_plans(plans: Sequence[Plan], shares: Tables) -> Plan:
    """The plan of following some plans, each of them so often."""
    win, tie = {}, {}
    for end, share in shares.items():
        win[end] = sum(share[i] * plan.win[end] for i, plan in enumerate(plans))
        tie[end] = sum(share[i] * plan.tie[end] for i, plan in enumerate(plans))
    return Plan(win, tie)


def refine_plans(
    game: CappedRound, plans: Sequence[Plan], start: Profile, tie_value: float
) -> Iterator[Mixed]:
    """Yield ever better solutions of the round with these plans."""
    tree = game.round.tree
    # What every plan pays, a table an end with the plans first.
    pays = {
        end: np.stack([game.payoff(end, plan.win[end], plan.tie[end], tie_value) for plan in plans])
        for end in tree.ends
    }
    choosers = {end: _PlanLearner(len(plans), _known_shape(game, end)) for end in tree.ends}
    seats = Learner(tree, STARTER, start.keep[STARTER]), Learner(tree, SECOND, start.keep[SECOND])
    paid = {end: _mixed(choosers[end].now, pays[end]) for end in tree.ends}
    # Without hidden cards there is one best plan, whatever anybody does.
    hunts = [
        [end for end in tree.ends if tree.hunter(end) == seat and hidden_draws(end, seat)]
        for seat in (STARTER, SECOND)
    ]
    clock, mark = 0, np.inf
    while True:
        for _ in range(CHECK_EVERY):
            clock += 1
            for seat in seats:
                other = seats[1 - seat.seat]
                reach = reaches(tree, other.seat, other.forced(0.0))
                values = {end: _by_plan(game, end, pays[end] * reach[end]) for end in hunts[seat.seat]}
                seat.learn(EndValues(tree, paid), other, 0.0)
                seat.note(float(clock) ** 2)
                own = reaches(tree, seat.seat, seat.forced(0.0))
                for end, value in values.items():
                    choosers[end].learn(value if seat.seat == STARTER else -value)
                    choosers[end].note(float(clock) ** 2 * own[end])
                    paid[end] = _mixed(choosers[end].now, pays[end])
        profile = Profile(tree, (seats[STARTER].average(), seats[SECOND].average()))
        shares = {end: choosers[end].average() for end in tree.ends}
        low, high = _bounds(game, pays, profile, shares)
        yield Mixed(profile, shares, low, high)
        if high - low < mark / RESTART_AT:
            mark, clock = (high - low if mark < np.inf else 2 * (high - low)), 0
            for seat in seats:
                seat.restart()
            for end, chooser in choosers.items():
                chooser.restart()
                paid[end] = _mixed(chooser.now, pays[end])


def _known_shape(game: CappedRound, end: str) -> tuple[int, ...]:
    """The hunter's information at an end as an axis a draw."""
    unseen = hidden_draws(end, game.round.tree.hunter(end))
    return tuple(1 if i in unseen else len(game.round.deck) for i in range(len(end)))


def _by_plan(game: CappedRound, end: str, values: AnyArray) -> Array:
    """Values by plan and draws, summed over what the hunter has not seen."""
    unseen = hidden_draws(end, game.round.tree.hunter(end))
    found: Array = values.sum(axis=tuple(i + 1 for i in unseen), keepdims=True)
    return found


def _mixed(shares: Array, pays: Array) -> Array:
    """What plans pay together, each of them followed so often."""
    found: Array = shares[0] * pays[0]
    for share, pay in zip(shares[1:], pays[1:], strict=True):
        found += share * pay
    return found


def _bounds(game: CappedRound, pays: Tables, profile: Profile, shares: Tables) -> tuple[float, float]:
    tree = game.round.tree
    paid = {end: _mixed(shares[end], pays[end]) for end in tree.ends}
    return (
        _best_choice(game, SECOND, np.minimum, pays, paid, profile),
        _best_choice(game, STARTER, np.maximum, pays, paid, profile),
    )


def _best_choice(
    game: CappedRound, seat: int, better: np.ufunc, pays: Tables, paid: Tables, profile: Profile
) -> float:
    """The starter's chance if a seat makes the best choices, between plans as well."""
    tree = game.round.tree
    reach = reaches(tree, 1 - seat, profile.tables(1 - seat))
    worth = reached_values(tree, seat, paid, reach)
    for end in tree.ends:
        if tree.hunter(end) == seat:
            worth[end] = better.reduce(_by_plan(game, end, pays[end] * reach[end]), axis=0)

    def best(_word: str, keep: AnyArray, give: AnyArray) -> AnyArray:
        return np.asarray(better(keep, give))

    return float(fold(tree, seat, worth, best))
