"""A round in which both players err: what every choice gains there, and its solution at every choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from digit_duel.solve.keep_or_give.counterfactual import Profile, end_values, fold, reached_values, reaches
from digit_duel.solve.keep_or_give.payoffs import FullHandRule, Payoffs, Round, draw_weights, payoffs
from digit_duel.solve.keep_or_give.public_tree import SECOND, STARTER, AnyArray, Array, Ints, hidden_draws
from digit_duel.solve.keep_or_give.with_errors.few_choices import reduce_round
from digit_duel.solve.keep_or_give.with_errors.smoothed import SmoothedGame, chance, settle

# A choice loses at most 0.28 times the last smoothing, and one that gains twenty times as much is pure. Many
# choices differ only if the opponent erred twice: with errors of 1e-4, by less than 1e-9.
SMOOTHING, SMALLEST = 1e-8, 1e-12  # the first as a part of the error; gains are exact to about 1e-15
_STEP = 10**0.34  # from one smoothing to the next
_IDLE = 1e-13
_MOST_TRIES = 20


@dataclass(frozen=True)
class ErringRound:
    """A round in which every choice is turned round with a small probability, ties worth a fixed number."""

    round: Round
    error: float
    payoff: Mapping[str, Array] = field(repr=False)

    def erring(self, profile: Profile) -> Profile:
        """A profile with the forced errors."""
        starter, second = (self.error + (1 - 2 * self.error) * keep for keep in profile.keep)
        return Profile(profile.tree, (starter, second))

    def reach(self, profile: Profile, seat: int) -> Array:
        """How likely chance and the other seat, with its errors, lead to each information set of a seat."""
        tree, round_ = self.round.tree, self.round
        theirs = reaches(tree, 1 - seat, self.erring(profile).tables(1 - seat))
        found = np.zeros(tree.size(seat))
        for word in tree.seat_nodes(seat):
            likely = draw_weights(round_, len(word) + 1) / round_.ways(0, len(word) + 1)
            there = (likely * theirs[word][..., None]).sum(axis=hidden_draws(word, seat), keepdims=True)
            tree.at(found, word)[...] = there
        return found

    def gain(self, profile: Profile, seat: int) -> Array:
        """What keeping wins more than giving at each information set of a seat, once it is reached."""
        # The other seat plays the profile with its errors; this seat plays its best, with its errors.
        tree, error = self.round.tree, self.error
        more, sign = np.empty(tree.size(seat)), 1 if seat == STARTER else -1

        def best(word: str, keep: AnyArray, give: AnyArray) -> AnyArray:
            gain = keep - give
            tree.at(more, word)[...] = sign * gain
            return give + np.where(sign * gain >= 0, 1 - error, error) * gain  # type: ignore[no-any-return]

        theirs = reaches(tree, 1 - seat, self.erring(profile).tables(1 - seat))
        fold(tree, seat, reached_values(tree, seat, self.payoff, theirs), best)
        reach = self.reach(profile, seat)
        return np.divide(more, reach, out=np.zeros(reach.size), where=reach > 0)

    def loss(self, played: Profile, against: Profile, seat: int) -> Array:
        """What the choices of one profile lose against another at each information set, once reached."""
        return loss(self.gain(against, seat), played.keep[seat])


def loss(gain: Array, keep: Array) -> Array:
    """What keeping with some probability loses where it gains so much."""
    return np.where(gain > 0, gain * (1 - keep), -gain * keep)


def erring_payoffs(round_: Round, error: float) -> Payoffs:
    """The payoffs of a round, as probabilities, whose hunter now and then keeps whatever comes."""
    # Against a hunter who never errs many choices make no difference: the round is decided. One who errs
    # shows which of them still set the opponent a task.
    exact, keeping = payoffs(round_), payoffs(replace(round_, facing_full=FullHandRule.MUST_KEEP))
    win, tie = (
        {end: (1 - error) * a[end] / exact.total + error * b[end] / keeping.total for end in round_.tree.ends}
        for a, b in ((exact.win, keeping.win), (exact.tie, keeping.tie))
    )
    return Payoffs(round_, 1, win, tie)


def erring_round(round_: Round, error: float, tie_value: float) -> ErringRound:
    """A round with errors forced on both."""
    return ErringRound(round_, error, end_values(erring_payoffs(round_, error), tie_value).payoff)


@dataclass(frozen=True)
class LocalSolution:
    """A profile that is a solution at every information set, and which choices it took to find it."""

    profile: Profile = field(repr=False)
    free: tuple[Ints, Ints] = field(repr=False)  # the choices that were not clear from the start
    odds: Array = field(repr=False)  # their log odds
    loss: float  # the most that a choice loses once it is reached


def clear_start(erring: ErringRound, rough: Profile, unsure: float) -> LocalSolution:
    """A rough solution with every choice made pure that gains enough, the others free."""
    keeps, free, odds, most = [], [], [], 0.0
    for seat in (STARTER, SECOND):
        keep, gain = rough.keep[seat], erring.gain(rough, seat)
        mixed = (np.abs(gain) > _IDLE) & (
            ((keep > unsure) & (keep < 1 - unsure)) | (np.abs(gain) < unsure / 10)
        )
        free.append(np.flatnonzero(mixed))
        odds.append(np.zeros(free[-1].size))
        keeps.append(np.where(np.abs(gain) > _IDLE, gain > 0, keep).astype(np.float64))
        most = max(most, float(loss(gain, keep).max()))
    profile = Profile(rough.tree, (keeps[STARTER], keeps[SECOND]))
    return LocalSolution(profile, (free[STARTER], free[SECOND]), np.concatenate(odds), most)


def solve_locally(erring: ErringRound, start: LocalSolution, *, widest: float) -> LocalSolution:
    """The solution in which no choice, once it is reached, loses anything that counts."""
    # Few choices are unclear. They are solved with all others fixed; then every other one that turned out to
    # be wrong becomes free as well, until none is.
    last = max(SMOOTHING * erring.error, SMALLEST)
    steps = int(np.ceil(np.log(widest / last) / np.log(_STEP))) + 1
    smoothings = np.geomspace(widest, last, steps).tolist()
    limit = 6 - np.log10(erring.error)  # of the log odds to start from: nothing is settled
    now = start
    for _ in range(_MOST_TRIES):
        fixed = erring.erring(now.profile)
        game = SmoothedGame(reduce_round(erring.round, erring.payoff, fixed, now.free), erring.error)
        odds = settle(game, np.clip(now.odds, -limit, limit), smoothings)
        now, wrong = _put(erring, now, game, odds, last)
        if not any(seat.size for seat in wrong):
            return now
        now = _freed(now, wrong)
    raise ArithmeticError(f"no solution found with errors of {erring.error}")


def _put(
    erring: ErringRound, before: LocalSolution, game: SmoothedGame, odds: Array, allowed: float
) -> tuple[LocalSolution, tuple[Ints, Ints]]:
    """The solution with the free choices as solved, and the fixed choices that are wrong in it."""
    keeps = [keep.copy() for keep in before.profile.keep]
    for seat, share in enumerate(game.split(chance(odds))):
        keeps[seat][before.free[seat]] = share
    profile = Profile(before.profile.tree, (keeps[STARTER], keeps[SECOND]))
    losses = [erring.loss(profile, profile, seat) for seat in (STARTER, SECOND)]
    first, second = (
        np.setdiff1d(np.flatnonzero(lost > allowed), before.free[seat]) for seat, lost in enumerate(losses)
    )
    most = max(float(lost.max()) for lost in losses)
    return LocalSolution(profile, before.free, odds, most), (first, second)


def _freed(solution: LocalSolution, more: tuple[Ints, Ints]) -> LocalSolution:
    """A solution with more choices free, at even odds."""
    cut = solution.free[STARTER].size
    free, odds = [], []
    for seat, old in enumerate((solution.odds[:cut], solution.odds[cut:])):
        free.append(np.union1d(solution.free[seat], more[seat]))
        odds.append(np.zeros(free[-1].size))
        odds[-1][np.searchsorted(free[-1], solution.free[seat])] = old
    return LocalSolution(solution.profile, (free[STARTER], free[SECOND]), np.concatenate(odds), solution.loss)
