"""A round with forced errors of both players: the gain of every choice, and a solution at every choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from digit_duel.solve.keep_or_give.counterfactual import Profile, end_values, fold, reached_values, reaches
from digit_duel.solve.keep_or_give.payoffs import FullHandRule, Payoffs, Round, draw_weights, payoffs
from digit_duel.solve.keep_or_give.public_tree import SECOND, STARTER, AnyArray, Array, Ints, hidden_draws
from digit_duel.solve.keep_or_give.with_errors.few_choices import reduce_round
from digit_duel.solve.keep_or_give.with_errors.smoothed import SmoothedGame, chance, settle

# A choice loses at most 0.28 times the last smoothing, and one that gains twenty times the smoothing is pure.
# Many choices differ only if the opponent erred twice: with errors of 1e-4, by less than 1e-9.
SMOOTHING, SMALLEST = 1e-8, 1e-12  # the first is relative to the error; gains are exact to about 1e-15
_STEP = 10**0.34  # from one smoothing to the next
_IDLE = 1e-13
_MOST_TRIES = 20


@dataclass(frozen=True)
class ErringRound:
    """A round in which every choice is reversed with a small probability, with a fixed value of a tie."""

    round: Round
    error: float
    payoff: Mapping[str, Array] = field(repr=False)

    def erring(self, profile: Profile) -> Profile:
        """A profile with the forced errors."""
        starter, second = (self.error + (1 - 2 * self.error) * keep for keep in profile.keep)
        return Profile(profile.tree, (starter, second))

    def reach(self, profile: Profile, seat: int) -> Array:
        """Each information set's reach probability, from chance and the other seat's play with errors."""
        tree, round_ = self.round.tree, self.round
        theirs = reaches(tree, 1 - seat, self.erring(profile).tables(1 - seat))
        found = np.zeros(tree.size(seat))
        for word in tree.seat_nodes(seat):
            likely = draw_weights(round_, len(word) + 1) / round_.ways(0, len(word) + 1)
            there = (likely * theirs[word][..., None]).sum(axis=hidden_draws(word, seat), keepdims=True)
            tree.at(found, word)[...] = there
        return found

    def gain(self, profile: Profile, seat: int) -> Array:
        """The gain of keeping over giving at each information set of a seat, given that it is reached."""
        # The other seat plays the profile with errors; this seat plays a best response, also with errors.
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
        """The loss of one profile's choices against another at each information set, given it is reached."""
        return loss(self.gain(against, seat), played.keep[seat])


def loss(gain: Array, keep: Array) -> Array:
    """The loss of keeping with probability `keep` if keeping gains `gain` over giving."""
    return np.where(gain > 0, gain * (1 - keep), -gain * keep)


def erring_payoffs(round_: Round, error: float) -> Payoffs:
    """The payoffs of a round, as probabilities, in which hunters sometimes keep whatever comes."""
    # Against a perfect hunter many choices make no difference, because the round is decided. An erring hunter
    # shows which of them still give the opponent a chance to go wrong.
    exact, keeping = payoffs(round_), payoffs(replace(round_, facing_full=FullHandRule.MUST_KEEP))
    win, tie = (
        {end: (1 - error) * a[end] / exact.total + error * b[end] / keeping.total for end in round_.tree.ends}
        for a, b in ((exact.win, keeping.win), (exact.tie, keeping.tie))
    )
    return Payoffs(round_, 1, win, tie)


def erring_round(round_: Round, error: float, tie_value: float) -> ErringRound:
    """A round with forced errors of both players."""
    return ErringRound(round_, error, end_values(erring_payoffs(round_, error), tie_value).payoff)


@dataclass(frozen=True)
class LocalSolution:
    """A profile that is optimal at every information set, and the choices that were solved for it."""

    profile: Profile = field(repr=False)
    free: tuple[Ints, Ints] = field(repr=False)  # the choices that were not clear from the start
    odds: Array = field(repr=False)  # their log odds
    loss: float  # the largest loss of a choice, given that it is reached


def clear_start(erring: ErringRound, rough: Profile, unsure: float) -> LocalSolution:
    """A rough solution with every clear choice made pure, and the others free."""
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
    """The solution in which no choice has a significant loss, given that it is reached."""
    # Few choices are unclear. Solve them with all others fixed, then free every fixed choice that turns out
    # to be wrong, and repeat until none is.
    last = max(SMOOTHING * erring.error, SMALLEST)
    steps = int(np.ceil(np.log(widest / last) / np.log(_STEP))) + 1
    smoothings = np.geomspace(widest, last, steps).tolist()
    limit = 6 - np.log10(erring.error)  # bounds the initial log odds, so that no choice starts out settled
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
    """The solution with the free choices as solved, and the fixed choices that are wrong there."""
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
    """A solution with more free choices, which start at even odds."""
    cut = solution.free[STARTER].size
    free, odds = [], []
    for seat, old in enumerate((solution.odds[:cut], solution.odds[cut:])):
        free.append(np.union1d(solution.free[seat], more[seat]))
        odds.append(np.zeros(free[-1].size))
        odds[-1][np.searchsorted(free[-1], solution.free[seat])] = old
    return LocalSolution(solution.profile, (free[STARTER], free[SECOND]), np.concatenate(odds), solution.loss)
