"""An equilibrium that also exploits errors: the limit of solutions with ever smaller forced errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from digit_duel.solve.keep_or_give.certificate import Certificate, certify
from digit_duel.solve.keep_or_give.cfr import solve
from digit_duel.solve.keep_or_give.counterfactual import Profile, even_profile
from digit_duel.solve.keep_or_give.payoffs import Round, payoffs
from digit_duel.solve.keep_or_give.public_tree import SECOND, STARTER, Array, Ints, Tree
from digit_duel.solve.keep_or_give.strategy import FINE, PURE, RoundStrategy, quantise
from digit_duel.solve.keep_or_give.with_errors.forced_errors import (
    ErringRound,
    LocalSolution,
    clear_start,
    erring_payoffs,
    erring_round,
    solve_locally,
)

# A Nash equilibrium does not restrict choices that perfect play never reaches. If both players are forced to
# err, each choice with probability e, everything is reached, and every choice matters. The limit of solutions
# as e goes to 0 (a trembling-hand perfect equilibrium) is an equilibrium of the round itself, and its choices
# off the path assume the likeliest errors that can have led there. A choice that is clear in the limit is
# also the choice of the solutions with small errors, and loses nothing there. Solutions with larger errors
# may differ from the limit; tests and benchmarks/punishing.py measure by how much.
ERRORS = (1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-7)
COMPARED = (1e-2, 1e-3, 1e-4)  # the errors whose solutions are kept for comparison with the strategy
_ROUGH = 1_200  # iterations to find which choices are clear with the largest error
_UNSURE = 1e-3
_IDLE = 1e-12
_ROUNDING = 1e-9
_PURE = 1e-6  # smaller probabilities are artefacts of the smoothing
_CLEAR = 1e-4  # the error that shows which choices are pure, the smallest at which two errors still count
_TIE = 1e-10  # the accuracy to which the value of a tie must be known; ties are rare


@dataclass(frozen=True)
class PlayableStrategy:
    """A strategy to play by, its proven bounds, and the solutions with errors on the way to it."""

    strategy: RoundStrategy
    certificate: Certificate
    solutions: Mapping[float, Profile] = field(repr=False)


def idle_choices(erring: ErringRound, seat: int) -> NDArray[np.bool_]:
    """The information sets of a seat where keeping and giving are equally good, or that no deal reaches."""
    # An opponent who tosses coins reaches every information set, so any difference would show.
    return np.abs(erring.gain(even_profile(erring.round.tree), seat)) < _IDLE


def fill_idle(erring: ErringRound, profile: Profile) -> Profile:
    """A profile that keeps the higher half of the digits wherever the choice makes no difference."""
    tree = profile.tree
    starter, second = (
        np.where(idle_choices(erring, seat), 2 * _drawn(tree, seat) >= tree.kinds, profile.keep[seat])
        for seat in (STARTER, SECOND)
    )
    return Profile(tree, (starter, second))


def _drawn(tree: Tree, seat: int) -> Ints:
    drawn = np.empty(tree.size(seat), dtype=np.int64)
    for word in tree.seat_nodes(seat):
        tree.at(drawn, word)[...] = np.arange(tree.kinds)
    return drawn


def pure_where_clear(profile: Profile, clear: Profile) -> Profile:
    """A profile with its mixed choices made pure wherever another profile is."""
    starter, second = (
        np.where(_is_pure(sure) & ~_is_pure(keep), np.rint(sure), keep)
        for keep, sure in zip(profile.keep, clear.keep, strict=True)
    )
    return Profile(profile.tree, (starter, second))


def best_of_near_equals(profile: Profile, small: Sequence[Array], large: Sequence[Array]) -> Profile:
    """A profile that decides by the gains with large errors wherever those with small ones are negligible."""
    # Gains below a hundredth of the error are negligible. Gains below rounding do not count: an equilibrium
    # may have to mix there, or stay as it is.
    starter, second = (
        np.where((np.abs(less) > _ROUNDING) & (np.abs(less) < _CLEAR / 100), more > 0, keep)
        for keep, less, more in zip(profile.keep, small, large, strict=True)
    )
    return Profile(profile.tree, (starter, second))


def _is_pure(keep: Array) -> NDArray[np.bool_]:
    return np.abs(keep - 0.5) > 0.5 - _PURE


def _rough(erring: ErringRound, tie_value: float) -> LocalSolution:
    """A starting point for the largest error, with most choices clear."""
    inexact = erring_payoffs(erring.round, erring.error)
    rough = solve(inexact, target=0, limit=_ROUGH, tie_value=tie_value, error=erring.error)
    return clear_start(erring, fill_idle(erring, rough.profile), _UNSURE)


def solve_for_play(
    round_: Round, progress: Callable[[float, LocalSolution], None] | None = None
) -> PlayableStrategy:
    """Solve a round for play, ties replayed from the same cards."""
    exact = payoffs(round_)
    tie_value = solve(exact, target=_TIE).value
    solutions: dict[float, Profile] = {}
    found: LocalSolution | None = None
    for error in ERRORS:
        erring = erring_round(round_, error, tie_value)
        start = _rough(erring, tie_value) if found is None else found
        # The first solution starts from a rough one; later ones start from one that is close.
        widest = 0.1 if found is None else min(3e-3, 10 * error)
        found = solve_locally(erring, start, widest=widest)
        solutions[error] = found.profile
        if progress:
            progress(error, found)
    assert found is not None
    limit = pure_where_clear(found.profile, solutions[_CLEAR])
    small, large = (
        [erring_round(round_, error, tie_value).gain(solutions[error], seat) for seat in (STARTER, SECOND)]
        for error in (_CLEAR, ERRORS[0])
    )
    limit = best_of_near_equals(limit, small, large)
    tables = (quantise(round_, limit, scale) for scale in (PURE, FINE))
    proofs = [(certify(exact, table), table) for table in tables]
    certificate, strategy = min(proofs, key=lambda proof: proof[0].nash_conv)
    return PlayableStrategy(strategy, certificate, {error: solutions[error] for error in COMPARED})
