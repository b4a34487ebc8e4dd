"""Sensible choices off the equilibrium path, from a round in which both players err a little."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from digit_duel.solve.keep_or_give.certificate import Certificate, certify
from digit_duel.solve.keep_or_give.cfr import Solution, solve
from digit_duel.solve.keep_or_give.counterfactual import (
    Profile,
    Tables,
    end_values,
    even_profile,
    fold,
    reached_values,
    reaches,
)
from digit_duel.solve.keep_or_give.payoffs import FullHandRule, Payoffs, Round, draw_weights, payoffs
from digit_duel.solve.keep_or_give.public_tree import (
    SECOND,
    STARTER,
    AnyArray,
    Array,
    Ints,
    Tree,
    hidden_draws,
)
from digit_duel.solve.keep_or_give.strategy import FINE, PURE, RoundStrategy, quantise

ERROR = 0.002  # of each choice, either way: large enough to matter, too small to change a clear choice
_IDLE = 1e-12  # once reached: keeping and giving that differ by less are the same
_SETTLED = 1e-3  # once reached: a choice that gains more is clearly better; a mix has not converged


@dataclass(frozen=True)
class PlayableStrategy:
    """A strategy to play by, its proven bounds, and the solutions it was made from."""

    strategy: RoundStrategy
    certificate: Certificate
    solution: Solution
    with_errors: Solution


def payoffs_with_errors(round_: Round) -> Payoffs:
    """The payoffs of a round whose hunter now and then keeps whatever comes."""
    exact = payoffs(round_)
    if round_.facing_full is FullHandRule.MUST_KEEP:
        return exact
    # Against a perfect hunter many choices make no difference: the round is decided. One who errs shows which
    # of them still set the opponent a task. Both kinds of payoffs count the same deals once scaled by the
    # missing draw.
    keeping = payoffs(replace(round_, facing_full=FullHandRule.MUST_KEEP))
    scale, often = keeping.total // exact.total, round(1 / ERROR) - 1
    mix = [
        {end: often * scale * a[end] + b[end] for end in round_.tree.ends}
        for a, b in ((exact.win, keeping.win), (exact.tie, keeping.tie))
    ]
    return Payoffs(round_, (often + 1) * keeping.total, *mix)


def reached(round_: Round, profile: Profile, seat: int, own: bool) -> Array:
    """How likely chance and the other seat (with own, this seat too) lead to each information set."""
    tree = round_.tree
    theirs = reaches(tree, 1 - seat, profile.tables(1 - seat))
    found = np.zeros(tree.size(seat))
    for word in tree.seat_nodes(seat):
        chance = draw_weights(round_, len(word) + 1) / round_.ways(0, len(word) + 1)
        there = (chance * theirs[word][..., None]).sum(axis=hidden_draws(word, seat), keepdims=True)
        tree.at(found, word)[...] = there
    return found * _own_reach(profile, seat) if own else found


def _own_reach(profile: Profile, seat: int) -> Array:
    tree = profile.tree
    reach, found = reaches(tree, seat, profile.tables(seat)), np.zeros(tree.size(seat))
    for word in tree.seat_nodes(seat):
        tree.at(found, word)[...] = reach[word][..., None]
    return found


def advantage(payoff: Tables, profile: Profile, seat: int) -> Array:
    """What keeping gains over giving at every information set, weighted by reach, best play following."""
    tree = profile.tree
    gain = np.empty(tree.size(seat))
    sign = 1 if seat == STARTER else -1

    def best(word: str, keep: AnyArray, give: AnyArray) -> AnyArray:
        tree.at(gain, word)[...] = sign * (keep - give)
        return np.where(sign * (keep - give) >= 0, keep, give)

    worth = reached_values(tree, seat, payoff, reaches(tree, 1 - seat, profile.tables(1 - seat)))
    fold(tree, seat, worth, best)
    return gain


def _relative(payoff: Tables, round_: Round, profile: Profile, seat: int) -> Array:
    """What keeping gains over giving once an information set has been reached."""
    reach = reached(round_, profile, seat, own=False)
    return np.divide(advantage(payoff, profile, seat), reach, out=np.zeros(reach.size), where=reach > 0)


def idle_choices(erring_payoffs: Payoffs, tie_value: float, seat: int) -> NDArray[np.bool_]:
    """The information sets of a seat where keeping and giving make no difference."""
    # An opponent who tosses coins leads everywhere, so any difference would show.
    payoff, even = end_values(erring_payoffs, tie_value).payoff, even_profile(erring_payoffs.round.tree)
    return np.abs(_relative(payoff, erring_payoffs.round, even, seat)) < _IDLE


def fill_idle(profile: Profile, idle: Sequence[NDArray[np.bool_]]) -> Profile:
    """A profile that keeps the higher half of the digits where the choice makes no difference."""
    starter, second = (
        np.where(idle[seat], 2 * _drawn(profile.tree, seat) >= profile.tree.kinds, profile.keep[seat])
        for seat in (STARTER, SECOND)
    )
    return Profile(profile.tree, (starter, second))


def purify(erring_payoffs: Payoffs, profile: Profile, tie_value: float) -> Profile:
    """A profile made pure wherever it prefers a choice that is clearly better among forced errors."""
    payoff, erring_profile = end_values(erring_payoffs, tie_value).payoff, with_errors(profile, ERROR)
    keeps = []
    for seat in (STARTER, SECOND):
        keep = profile.keep[seat]
        gain = _relative(payoff, erring_payoffs.round, erring_profile, seat)
        # A preference against the gain has not converged yet, and is left alone.
        keep = np.where((gain > _SETTLED) & (keep > 0.5), 1.0, keep)
        keeps.append(np.where((gain < -_SETTLED) & (keep < 0.5), 0.0, keep))
    return Profile(profile.tree, (keeps[STARTER], keeps[SECOND]))


def repair(erring_payoffs: Payoffs, profile: Profile, tie_value: float) -> Profile:
    """A profile with the best choice wherever a seat comes only by its own mistake."""
    # The opponent cannot lead it there, so the rest of the profile stays as good as it was.
    payoff, erring_profile = end_values(erring_payoffs, tie_value).payoff, with_errors(profile, ERROR)
    keeps = []
    for seat in (STARTER, SECOND):
        gain = _relative(payoff, erring_payoffs.round, erring_profile, seat)
        mistaken = _own_reach(profile, seat) == 0
        keep = np.where(mistaken & (gain > _SETTLED), 1.0, profile.keep[seat])
        keeps.append(np.where(mistaken & (gain < -_SETTLED), 0.0, keep))
    return Profile(profile.tree, (keeps[STARTER], keeps[SECOND]))


def with_errors(profile: Profile, error: float) -> Profile:
    """A profile with forced errors either way."""
    starter, second = (error + (1 - 2 * error) * keep for keep in profile.keep)
    return Profile(profile.tree, (starter, second))


def _drawn(tree: Tree, seat: int) -> Ints:
    drawn = np.empty(tree.size(seat), dtype=np.int64)
    for word in tree.seat_nodes(seat):
        tree.at(drawn, word)[...] = np.arange(tree.kinds)
    return drawn


def solve_with_errors(
    erring_payoffs: Payoffs, limit: int, progress: Callable[[Solution], None] | None = None
) -> Solution:
    """A solution of the round with forced errors that has converged in rarely reached situations as well."""
    # Early iterations reach everything and leave large regrets behind, which take for ever to work off where
    # play comes rarely. A fresh start from a rough solution keeps every regret on the scale of its reach.
    rough = solve(erring_payoffs, target=0, limit=limit // 10, error=ERROR, progress=progress)
    return solve(erring_payoffs, target=0, limit=limit, error=ERROR, start=rough.profile, progress=progress)


def solve_for_play(
    round_: Round,
    *,
    target: float = 1e-12,
    limit: int = 5_000,
    erring_limit: int = 1_500,
    progress: Callable[[str, Solution], None] | None = None,
) -> PlayableStrategy:
    """Solve a round for play: an equilibrium, sensible off its path, with its certificate."""

    def tell(phase: str) -> Callable[[Solution], None] | None:
        return None if progress is None else lambda solution: progress(phase, solution)

    exact, erring_payoffs = payoffs(round_), payoffs_with_errors(round_)
    solution = solve(exact, target=target, limit=limit, progress=tell("solve"))
    erring = solve_with_errors(erring_payoffs, erring_limit, tell("off the path"))
    table = quantise(round_, solution.profile, PURE)
    proof = certify(exact, table)
    if proof.nash_conv > 0:
        table = quantise(round_, solution.profile, FINE)
        proof = certify(exact, table)
    idle = [idle_choices(erring_payoffs, erring.value, seat) for seat in (STARTER, SECOND)]
    tidied = fill_idle(erring.profile, idle)
    purified = purify(erring_payoffs, tidied, erring.value)
    for filling in _fillings(round_, fill_idle(table.profile(), idle), tidied, purified):
        filled = quantise(round_, repair(erring_payoffs, filling, erring.value), table.scale)
        if (checked := certify(exact, filled)).nash_conv <= proof.nash_conv:
            return PlayableStrategy(filled, checked, solution, erring)
    return PlayableStrategy(table, proof, solution, erring)


def _fillings(round_: Round, main: Profile, tidied: Profile, purified: Profile) -> Iterator[Profile]:
    """Ways to choose off the path, the boldest first."""
    # The more of the profile with errors, the better against weak players, as long as nothing is given away.
    everywhere = [np.ones(keep.size, dtype=bool) for keep in main.keep]
    unplayed = [reached(round_, main, seat, own=True) == 0 for seat in (STARTER, SECOND)]
    unmet = [reached(round_, main, seat, own=False) == 0 for seat in (STARTER, SECOND)]
    for where, source in ((everywhere, purified), (unplayed, purified), (unplayed, tidied), (unmet, tidied)):
        starter, second = (
            np.where(where[seat], source.keep[seat], main.keep[seat]) for seat in (STARTER, SECOND)
        )
        yield Profile(round_.tree, (starter, second))
