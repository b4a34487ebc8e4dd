"""Rounds with a limited number of discards, solved until two strategies prove the value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from digit_duel.solve.keep_or_give.capped.hunt_plans import (
    BestHunts,
    CappedRound,
    Plan,
    Run,
    best_plan,
    best_response,
    capped_round,
)
from digit_duel.solve.keep_or_give.capped.plan_choice import Mixed, mix_plans, refine_plans
from digit_duel.solve.keep_or_give.counterfactual import Profile, even_profile, reaches
from digit_duel.solve.keep_or_give.other_decks import Bounds
from digit_duel.solve.keep_or_give.payoffs import Round
from digit_duel.solve.keep_or_give.public_tree import SECOND, STARTER, AnyArray

Reaches = Sequence[Mapping[str, AnyArray]]
SKIP = 1e-13  # the chance of a hunt that is not worth looking at; there are 155,100 hunts at most

# Double oracle. Every hunter has a few plans, and the round in which it chooses between them is solved. Then
# the exact best hunts against that solution are computed: they prove how good it is, and they are one more
# plan for everybody.
#
# A tie is worth the round itself. If a starter who gets low for a tie wins at least low, the round is worth
# at least that; likewise for high. So the proof takes two values of a tie, a little apart.


@dataclass(frozen=True)
class Step:
    """How far a solve has come."""

    plans: int
    bounds: Bounds


def solve_capped(
    round_: Round,
    cap: int,
    *,
    target: float = 1e-6,
    most_plans: int = 12,
    start: Profile | None = None,
    tie_value: float = 0.6,
    run: Run = map,
    iterations: int = 300,
    progress: Callable[[Step], None] | None = None,
) -> Bounds:
    """Bounds on a capped round, ties replayed from a fresh deck, and a profile for its first phase."""
    game = capped_round(round_, cap)
    tree = round_.tree
    profile = even_profile(tree) if start is None else start
    even = even_profile(tree)  # which comes everywhere, so that every hunt has a plan
    reach = [reaches(tree, seat, even.tables(seat)) for seat in (STARTER, SECOND)]
    plans = [_together(*_best_hunts(game, reach, (tie_value, tie_value), run))]
    if start is not None:
        reach = [reaches(tree, seat, start.tables(seat)) for seat in (STARTER, SECOND)]
        plans.append(_together(*_best_hunts(game, reach, (tie_value, tie_value), run, plans[0])))
    best = Bounds(profile, 0.0, 1.0)
    width = 0.1
    while True:
        mixed = _solve_with(game, plans, profile, tie_value, width / 20, iterations)
        profile = mixed.profile
        reach = [reaches(tree, seat, profile.tables(seat)) for seat in (STARTER, SECOND)]
        ties = tie_value + width, tie_value - width  # for a starter, and for a second seat that does its best
        found, plan = _answers(game, profile, mix_plans(plans, mixed.shares), reach, ties, run)
        proved = ties[SECOND] <= found.low and found.high <= ties[STARTER]
        if proved and found.gap < best.gap:
            best = found
        if progress:
            progress(Step(len(plans), best))
        if best.gap <= target or len(plans) >= most_plans:
            return best
        tie_value, width = found.value, max(width / 16, target / 4) if proved else 2 * width
        plans.append(plan)


def _solve_with(
    game: CappedRound, plans: list[Plan], start: Profile, tie_value: float, target: float, iterations: int
) -> Mixed:
    best: Mixed | None = None
    for count, mixed in enumerate(refine_plans(game, plans, start, tie_value)):
        if best is None or mixed.gap <= best.gap:
            best = mixed
        if best.gap <= target or 10 * (count + 1) >= iterations:
            return best
    raise AssertionError("refine never ends")


def _best_hunts(
    game: CappedRound, reach: Reaches, ties: tuple[float, float], run: Run, otherwise: Plan | None = None
) -> tuple[BestHunts, BestHunts]:
    """The best hunts of both seats, each with its own value of a tie."""
    starter, second = (
        best_plan(game, seat, reach[1 - seat], ties[seat], run, SKIP if otherwise else 0.0, otherwise)
        for seat in (STARTER, SECOND)
    )
    return starter, second


def _together(starter: BestHunts, second: BestHunts) -> Plan:
    return Plan({**starter.plan.win, **second.plan.win}, {**starter.plan.tie, **second.plan.tie})


def _answers(
    game: CappedRound, profile: Profile, fixed: Plan, reach: Reaches, ties: tuple[float, float], run: Run
) -> tuple[Bounds, Plan]:
    """What the best answers to a profile with fixed hunts win, and how they hunt; a value of a tie each."""
    hunts = _best_hunts(game, reach, ties, run, fixed)
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
