"""Rounds with a limited number of discards, solved until two strategies certify the value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from digit_duel.solve.keep_or_give.capped.best_hunts import AT_ONCE
from digit_duel.solve.keep_or_give.capped.hunt_plans import (
    BestHunts,
    CappedRound,
    HuntPlan,
    best_plan,
    best_response,
    capped_round,
)
from digit_duel.solve.keep_or_give.capped.plan_choice import MixedProfile, PlanSolver, mix_plans
from digit_duel.solve.keep_or_give.cfr import CHECK_EVERY
from digit_duel.solve.keep_or_give.counterfactual import Profile, even_profile, reaches
from digit_duel.solve.keep_or_give.other_rules.other_decks import Bounds
from digit_duel.solve.keep_or_give.payoffs import Round
from digit_duel.solve.keep_or_give.public_tree import SECOND, STARTER, AnyArray

Reaches = Sequence[Mapping[str, AnyArray]]
SKIP = 1e-13  # hunts with a smaller probability are not examined; there are at most 155,100 hunts

# Double oracle. Every hunter has a few plans, and the round in which it chooses between them is solved. Then
# the exact best hunts against that solution are computed: they bound how far the solution is from optimal,
# and they become an additional plan for every hunter.
#
# A tie has the value of the round itself. If a starter who gets low for a tie wins at least low, the value of
# the round is at least low; likewise for high. So the proof uses two values of a tie, a little apart.


@dataclass(frozen=True)
class SolveProgress:
    """The progress of a solve."""

    plans: int
    bounds: Bounds
    gap: float  # NashConv of the choice between the plans found so far


def solve_capped(
    round_: Round,
    cap: int,
    *,
    target: float = 1e-6,
    most_plans: int = 12,
    start: Profile | None = None,
    tie_value: float = 0.6,
    iterations: int = 300,
    at_once: int = AT_ONCE,
    progress: Callable[[SolveProgress], None] | None = None,
) -> Bounds:
    """Bounds on a capped round, ties replayed from a fresh deck, and a profile for its first phase.

    The arrays of the start may be CuPy's; then a graphics card does the work.
    """
    tree = round_.tree
    even = even_profile(tree)
    profile = even if start is None else start
    game = capped_round(round_, cap, profile.keep[STARTER], at_once)
    # Uniform choices reach every hunt, so that every hunt has a plan.
    everywhere = Profile(tree, (0 * profile.keep[STARTER] + 0.5, 0 * profile.keep[SECOND] + 0.5))
    plan = _together(*_best_hunts(game, _reaches(everywhere), (tie_value, tie_value)))
    solver = PlanSolver(game, plan, profile)
    if start is not None:
        solver.add(_together(*_best_hunts(game, _reaches(start), (tie_value, tie_value), plan)))
    best, width = Bounds(profile, 0.0, 1.0), 0.1
    while True:
        mixed = _solve_with(solver, tie_value, width / 20, iterations)
        profile = mixed.profile
        ties = tie_value + width, tie_value - width  # for best responses of the starter and the second seat
        found, plan = _answers(game, profile, mix_plans(solver.plans, mixed.shares), ties)
        proved = ties[SECOND] <= found.low and found.high <= ties[STARTER]
        if proved and found.gap < best.gap:
            best = found
        if progress:
            progress(SolveProgress(len(solver.plans), best, mixed.gap))
        if best.gap <= target or len(solver.plans) >= most_plans:
            return best
        width = max(found.gap / 2, target / 4) if proved else max(2 * width, found.gap)
        tie_value = found.value
        solver.add(plan)


def _reaches(profile: Profile) -> Reaches:
    return [reaches(profile.tree, seat, profile.tables(seat)) for seat in (STARTER, SECOND)]


def _solve_with(solver: PlanSolver, tie_value: float, target: float, iterations: int) -> MixedProfile:
    best: MixedProfile | None = None
    for count, mixed in enumerate(solver.refine(tie_value)):
        if best is None or mixed.gap <= best.gap:
            best = mixed
        if best.gap <= target or CHECK_EVERY * (count + 1) >= iterations:
            return best
    raise AssertionError("refine never ends")


def _best_hunts(
    game: CappedRound, reach: Reaches, ties: tuple[float, float], otherwise: HuntPlan | None = None
) -> tuple[BestHunts, BestHunts]:
    """The best hunts of both seats, with a value of a tie for each."""
    starter, second = (
        best_plan(game, seat, reach[1 - seat], ties[seat], SKIP if otherwise else 0.0, otherwise)
        for seat in (STARTER, SECOND)
    )
    return starter, second


def _together(starter: BestHunts, second: BestHunts) -> HuntPlan:
    return HuntPlan({**starter.plan.win, **second.plan.win}, {**starter.plan.tie, **second.plan.tie})


def _answers(
    game: CappedRound, profile: Profile, fixed: HuntPlan, ties: tuple[float, float]
) -> tuple[Bounds, HuntPlan]:
    """Bounds from the best responses to a profile with fixed hunts, and their hunts; a tie value for each."""
    reach = _reaches(profile)
    hunts = _best_hunts(game, reach, ties, fixed)
    high, low = (
        best_response(
            game,
            seat,
            hunts[seat],
            reach[1 - seat],
            {end: game.payoff(end, fixed.win[end], fixed.tie[end], ties[seat]) for end in fixed.win},
        )
        for seat in (STARTER, SECOND)
    )
    return Bounds(profile, low, high), _together(*hunts)
