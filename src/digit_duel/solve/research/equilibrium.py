"""Exact equilibria of small games with hidden information, by the double oracle method."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Generic

from digit_duel.core.game import Game, M, Pair, S, Seat, V
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.general.matrix import solve_matrix
from digit_duel.solve.research.beliefs import Walk
from digit_duel.solve.research.exploration import LIMIT, refuse_variant
from digit_duel.solve.research.policies import Mixture, uniform
from digit_duel.solve.research.responses import BestResponse, best_response, expected_value


@dataclass(frozen=True)
class MixedPolicy(Generic[V, M]):
    """One seat's part of an equilibrium; at views it never reaches it plays the first move."""

    plays: Mapping[V, Mapping[M, Fraction]]

    def __call__(self, view: V, legal: Sequence[M]) -> Mixture[M]:
        return self.plays.get(view) or {legal[0]: 1}


@dataclass(frozen=True)
class Equilibrium(Generic[V, M]):
    """The value of a game for the first seat, and a pair of equilibrium policies."""

    value: Fraction
    policies: Pair[MixedPolicy[V, M]]


def equilibrium(game: Game[S, M, V], limit: int = LIMIT) -> Equilibrium[V, M]:
    """An exact equilibrium of a game with perfect recall, by the double oracle method.

    Each seat has a few pure plans and mixes them by the equilibrium of the restricted matrix game. Then each
    computes a best response to the other's mixture among all plans, and adds it. When neither response is an
    improvement, the mixtures are an equilibrium. Raises TooBig, or Unsolved if views do not recall enough.
    """
    refuse_variant(game)
    plans = tuple(_Plans(game, seat, limit) for seat in Seat)
    for seat in Seat:
        plans[seat].add(best_response(game, uniform, seat, limit))
    payoffs: dict[Pair[int], Fraction] = {}
    while True:
        rows, columns = (range(len(plans[seat].all)) for seat in Seat)
        for row, column in product(rows, columns):
            if (row, column) not in payoffs:
                met = expected_value(game, (plans[0].all[row], plans[1].all[column]), limit)
                payoffs[row, column] = Fraction(met)
        solution = solve_matrix([[payoffs[row, column] for column in columns] for row in rows])
        mixed = (plans[0].mixed(solution.rows), plans[1].mixed(solution.columns))
        answers = [best_response(game, mixed[seat.other], seat, limit) for seat in Seat]
        if sum(answer.value for answer in answers) == 0:
            return Equilibrium(solution.value, mixed)
        new = [seat for seat in Seat if answers[seat] not in plans[seat].all]
        if not new:
            # Mixing plans needs views that recall the seat's own moves; in open games they need not.
            raise Unsolved(
                "the views of this game do not recall enough to mix plans; for an open game ask value_of."
            )
        for seat in new:
            plans[seat].add(answers[seat])


class _Plans(Generic[S, M, V]):
    """The pure plans of a seat found so far, and the views that each can reach."""

    def __init__(self, game: Game[S, M, V], seat: Seat, limit: int) -> None:
        self.all: list[BestResponse[V, M]] = []
        self._game, self._seat, self._limit = game, seat, limit
        self._choices: list[dict[V, M]] = []  # the choices of each plan, at the views it can reach

    def add(self, plan: BestResponse[V, M]) -> None:
        """Add a plan."""
        walk = Walk(self._game, self._seat, uniform, mine=plan, limit=self._limit)
        self.all.append(plan)
        self._choices.append({at.view: next(iter(plan(at.view, at.legal))) for at in walk.decisions})

    def mixed(self, weights: Sequence[Fraction]) -> MixedPolicy[V, M]:
        """The policy that picks a plan by weight and follows it; a view uses the plans that reach it."""
        plays: defaultdict[V, defaultdict[M, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
        for weight, choices in zip(weights, self._choices, strict=True):
            for view, move in choices.items() if weight else ():
                plays[view][move] += weight
        return MixedPolicy(
            {
                view: {move: weight / sum(moves.values()) for move, weight in moves.items()}
                for view, moves in plays.items()
            }
        )
