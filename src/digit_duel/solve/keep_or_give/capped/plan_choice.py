"""Predictive CFR+ for a round in which every hunter chooses among a few plans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from digit_duel.solve.keep_or_give.capped.hunt_plans import CappedRound, HuntPlan, Tables
from digit_duel.solve.keep_or_give.cfr import CHECK_EVERY, RESTART_AT, Learner
from digit_duel.solve.keep_or_give.counterfactual import EndValues, Profile, fold, reached_values, reaches
from digit_duel.solve.keep_or_give.public_tree import SECOND, STARTER, AnyArray, Array, hidden_draws


@dataclass(frozen=True)
class MixedProfile:
    """A profile until a hand is full, and then a mixture of plans for each information set."""

    profile: Profile = field(repr=False)
    shares: Tables = field(repr=False)  # the first axis is the plan, then there is an axis per draw
    low: float  # bounds if only these plans are available
    high: float

    @property
    def gap(self) -> float:
        """NashConv if only these plans are available."""
        return self.high - self.low


class _PlanLearner:
    """The regrets and the average mixture of plans at one end; updated in place."""

    def __init__(self, shape: tuple[int, ...], like: Array) -> None:
        self.shape, self.like = shape, like
        self.now = np.zeros((1, *shape), like=like) + 1
        self.regret = np.zeros((1, *shape), like=like)
        self.chosen, self.came = np.zeros((1, *shape), like=like), np.zeros(shape, like=like)

    def add(self) -> None:
        """Add a plan, with a share of 0 so far."""
        none = np.zeros((1, *self.shape), like=self.like)
        self.now, self.regret, self.chosen = (
            np.concatenate([table, none]) for table in (self.now, self.regret, self.chosen)
        )

    def learn(self, values: Array) -> None:
        """Make one predictive regret-matching+ update; `values` has the hunter's value of each plan."""
        latest = values - (self.now * values).sum(axis=0)
        self.regret += latest
        np.maximum(self.regret, 0, out=self.regret)
        latest += self.regret
        np.maximum(latest, 0, out=latest)
        total = latest.sum(axis=0)
        self.now = np.where(total > 0, latest / np.where(total > 0, total, 1), self.now)

    def note(self, share: AnyArray) -> None:
        """Add the current mixture to the average."""
        self.chosen += share * self.now
        self.came += share

    def average(self) -> Array:
        """The average mixture; the current one at information sets that were never reached."""
        came = self.came > 0
        return np.where(came, self.chosen / np.where(came, self.came, 1), self.now)

    def restart(self) -> None:
        """Continue from the average mixture."""
        self.now = self.average()
        self.regret = self.now * self.regret.sum(axis=0)
        self.chosen[:], self.came[:] = 0, 0


def mix_plans(plans: Sequence[HuntPlan], shares: Tables) -> HuntPlan:
    """The mixture of some plans with given shares."""
    win, tie = {}, {}
    for end, share in shares.items():
        win[end] = sum(share[i] * plan.win[end] for i, plan in enumerate(plans))
        tie[end] = sum(share[i] * plan.tie[end] for i, plan in enumerate(plans))
    return HuntPlan(win, tie)


class PlanSolver:
    """Predictive CFR+ over the choices of a round and its hunters' plans; plans can be added."""

    def __init__(self, game: CappedRound, plan: HuntPlan, start: Profile) -> None:
        tree = game.round.tree
        self.game, self.plans = game, [plan]
        self.seats = Learner(tree, STARTER, start.keep[STARTER]), Learner(tree, SECOND, start.keep[SECOND])
        like = start.keep[STARTER]
        self.choosers = {end: _PlanLearner(_known_shape(game, end), like) for end in tree.ends}
        # Without hidden cards there is a single best plan, whatever the strategies.
        self.hunts = [
            [end for end in tree.ends if tree.hunter(end) == seat and hidden_draws(end, seat)]
            for seat in (STARTER, SECOND)
        ]

    def add(self, plan: HuntPlan) -> None:
        """Make another plan available to every hunter."""
        self.plans.append(plan)
        for chooser in self.choosers.values():
            chooser.add()

    def refine(self, tie_value: float) -> Iterator[MixedProfile]:
        """Yield ever better solutions of the round with the current plans."""
        tree = self.game.round.tree
        pays = {end: self._pays(end, tie_value) for end in tree.ends}
        clock, mark = 0, np.inf
        while True:
            self._restart()
            paid = {end: _mixed(self.choosers[end].now, pays[end]) for end in tree.ends}
            clock, gap = 0, np.inf
            while gap >= mark / RESTART_AT:
                for _ in range(CHECK_EVERY):
                    clock += 1
                    self._iterate(pays, paid, float(clock) ** 2)
                mixed = self._average(pays)
                gap = mixed.gap
                yield mixed
                if mark == np.inf:
                    mark = 2 * gap
            mark = gap

    def _pays(self, end: str, tie_value: float) -> Array:
        """The payoff of every plan at an end; the first axis is the plan."""
        return np.stack(
            [self.game.payoff(end, plan.win[end], plan.tie[end], tie_value) for plan in self.plans]
        )

    def _restart(self) -> None:
        for seat in self.seats:
            seat.restart()
        for chooser in self.choosers.values():
            chooser.restart()

    def _iterate(self, pays: Tables, paid: dict[str, Array], weight: float) -> None:
        """Update both seats once; `paid` has the payoffs of the current mixtures of plans."""
        tree = self.game.round.tree
        for seat in self.seats:
            other = self.seats[1 - seat.seat]
            reach = reaches(tree, other.seat, other.forced(0.0))
            values = {end: _by_plan(self.game, end, pays[end] * reach[end]) for end in self.hunts[seat.seat]}
            seat.learn(EndValues(tree, paid), other, 0.0)
            seat.note(weight)
            own = reaches(tree, seat.seat, seat.forced(0.0))
            for end, value in values.items():
                chooser = self.choosers[end]
                chooser.learn(value if seat.seat == STARTER else -value)
                chooser.note(weight * own[end])
                paid[end] = _mixed(chooser.now, pays[end])

    def _average(self, pays: Tables) -> MixedProfile:
        """The average strategy, and its bounds if only these plans are available."""
        profile = Profile(self.game.round.tree, (self.seats[STARTER].average(), self.seats[SECOND].average()))
        shares = {end: chooser.average() for end, chooser in self.choosers.items()}
        return MixedProfile(profile, shares, *_bounds(self.game, pays, profile, shares))


def _known_shape(game: CappedRound, end: str) -> tuple[int, ...]:
    """The shape of the hunter's information at an end, an axis per draw."""
    unseen = hidden_draws(end, game.round.tree.hunter(end))
    return tuple(1 if i in unseen else len(game.round.deck) for i in range(len(end)))


def _by_plan(game: CappedRound, end: str, values: AnyArray) -> Array:
    """Sum values by plan and draws over what the hunter has not seen."""
    unseen = hidden_draws(end, game.round.tree.hunter(end))
    found: Array = values.sum(axis=tuple(i + 1 for i in unseen), keepdims=True)
    return found


def _mixed(shares: Array, pays: Array) -> Array:
    """The payoff of a mixture of plans with given shares."""
    found: Array = shares[0] * pays[0]
    for share, pay in zip(shares[1:], pays[1:], strict=True):
        found += share * pay
    return found


def _bounds(game: CappedRound, pays: Tables, profile: Profile, shares: Tables) -> tuple[float, float]:
    tree = game.round.tree
    paid = {end: _mixed(shares[end], pays[end]) for end in tree.ends}
    return (
        _best_choice(game, SECOND, pays, paid, profile),
        _best_choice(game, STARTER, pays, paid, profile),
    )


def _best_choice(game: CappedRound, seat: int, pays: Tables, paid: Tables, profile: Profile) -> float:
    """The starter's value if a seat plays a best response, including its choice of plans."""
    tree = game.round.tree
    reach = reaches(tree, 1 - seat, profile.tables(1 - seat))
    worth = reached_values(tree, seat, paid, reach)
    for end in tree.ends:
        if tree.hunter(end) == seat:
            plans = _by_plan(game, end, pays[end] * reach[end])
            worth[end] = plans.max(axis=0) if seat == STARTER else plans.min(axis=0)
    better = np.maximum if seat == STARTER else np.minimum
    return float(fold(tree, seat, worth, lambda _word, keep, give: better(keep, give)))
