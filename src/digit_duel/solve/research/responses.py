"""Best responses to a policy, and its exploitability."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic

from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.solve.general.graph import components
from digit_duel.solve.research.beliefs import Prospect, Walk
from digit_duel.solve.research.decision_cycles import LoopChoice, solve_cycle
from digit_duel.solve.research.exploration import LIMIT, checked_seat, refuse_variant
from digit_duel.solve.research.policies import Mixture, Number, Policy, Profile, over, policy_of


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class BestResponse(Generic[V, M]):
    """A seat's best response to a policy, itself a policy; at unreachable views it plays the first move."""

    seat: Seat
    value: Number  # the seat's expected score, from -1 to 1
    moves: Mapping[V, M]
    worth: Mapping[V, Mapping[M, Number]] = field(compare=False)  # the value of every move at reachable views

    def __call__(self, view: V, legal: Sequence[M]) -> Mixture[M]:
        return {self.moves.get(view, legal[0]): 1}


def best_response(
    game: Game[S, M, V], policy: Policy[V, M], seat: Seat, limit: int = LIMIT
) -> BestResponse[V, M]:
    """A best response of a seat to the other seat's policy; raises BadPolicy or TooBig."""
    refuse_variant(game)
    seat = checked_seat(seat)
    walk = Walk(game, seat, policy, limit=limit)
    solved = _solved(walk)
    values = [value for value, _ in solved]
    moves = {at.view: at.legal[choice] for at, (_, choice) in zip(walk.decisions, solved, strict=True)}
    worth = {
        at.view: {
            move: _worth(prospect, values) for move, prospect in zip(at.legal, at.prospects, strict=True)
        }
        for at in walk.decisions
    }
    return BestResponse(seat, _worth(walk.start, values), moves, worth)


def expected_value(game: Game[S, M, V], profile: Profile[V, M], limit: int = LIMIT) -> Number:
    """The first seat's expected score when both seats follow their policies; raises BadPolicy or TooBig."""
    refuse_variant(game)
    first, second = (policy_of(profile, seat) for seat in Seat)
    walk = Walk(game, Seat.FIRST, second, mine=first, limit=limit)
    return _worth(walk.start, [value for value, _ in _solved(walk)])


def nash_conv(game: Game[S, M, V], profile: Profile[V, M], limit: int = LIMIT) -> Number:
    """NashConv: the sum of both seats' gains from a best response; 0 exactly in an equilibrium."""
    gains = (best_response(game, policy_of(profile, seat.other), seat, limit).value for seat in Seat)
    return sum(gains)  # zero-sum: the scores of the policies against each other cancel out


def exploitability(game: Game[S, M, V], profile: Profile[V, M], limit: int = LIMIT) -> Number:
    """A seat's average gain from a best response: half of NashConv."""
    return over(nash_conv(game, profile, limit), 2)


def _solved(walk: Walk[S, M, V]) -> list[tuple[Number, int]]:
    """The best value of each decision, and the number of the move that achieves it."""
    beyond = len(walk.decisions)  # an extra decision before all others, so that one search covers all of them
    graph = [
        tuple({next for prospect in decision.prospects for next in prospect.nexts})
        for decision in walk.decisions
    ]
    graph.append(tuple(walk.start.nexts))
    solved: dict[int, tuple[Number, int]] = {}
    values: dict[int, Number] = {}
    for cycle in components(graph, beyond):
        at = cycle[0]
        if at == beyond:
            continue
        if len(cycle) > 1 or at in graph[at]:
            solved |= _cycle(walk, cycle, values)
        else:
            found = [_worth(prospect, values) for prospect in walk.decisions[at].prospects]
            solved[at] = (max(found), found.index(max(found)))
        values |= {at: solved[at][0] for at in cycle}
    return [solved[at] for at in range(beyond)]


def _worth(prospect: Prospect, values: Mapping[int, Number] | Sequence[Number]) -> Number:
    return sum((chance * values[next] for next, chance in prospect.nexts.items()), prospect.paid)


def _cycle(
    walk: Walk[S, M, V], cycle: Sequence[int], values: Mapping[int, Number]
) -> dict[int, tuple[Number, int]]:
    """Solve decisions that can repeat, merging those that differ only in what the rules ignore."""
    first: dict[Hashable, int] = {}
    alike = {at: first.setdefault(walk.essence(walk.decisions[at]), at) for at in cycle}
    steps = {
        at: [_loop_choice(prospect, alike, values) for prospect in walk.decisions[at].prospects]
        for at in cycle
    }
    if any(steps[at] != steps[alike[at]] for at in cycle):
        # The policy depends on what the rules ignore, so no decisions can be merged.
        alike = {at: at for at in cycle}
        steps = {
            at: [_loop_choice(prospect, alike, values) for prospect in walk.decisions[at].prospects]
            for at in cycle
        }
    solved = solve_cycle({at: steps[at] for at in set(alike.values())})
    return {at: solved[alike[at]] for at in cycle}


def _loop_choice(prospect: Prospect, alike: Mapping[int, int], values: Mapping[int, Number]) -> LoopChoice:
    leaves, paid = prospect.ended, prospect.paid
    within: defaultdict[int, Number] = defaultdict(int)
    for next, chance in prospect.nexts.items():
        if next in alike:
            within[alike[next]] += chance
        else:
            leaves += chance
            paid += chance * values[next]
    return LoopChoice(leaves, paid, within)
