"""Decisions that can repeat: optimal plans when endless play is a draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from digit_duel.solve.research.policies import Number, over

NOISE = 1e-12  # smaller gains are rounding errors, in floats


@dataclass(frozen=True, slots=True)
class LoopChoice:
    """A choice in a cycle: the probability of leaving, what leaving pays, and the moves within the cycle."""

    leaves: Number
    paid: Number
    within: Mapping[int, Number]

    def worth(self, values: Mapping[int, Number]) -> Number:
        """The value of the choice, given the values of the cycle's decisions."""
        return sum((chance * values[next] for next, chance in self.within.items()), self.paid)


_STAY = LoopChoice(1, 0, {})  # staying for ever counts as leaving for a draw


def solve_cycle(cycle: Mapping[int, Sequence[LoopChoice]]) -> dict[int, tuple[Number, int]]:
    """The best value of each decision of a cycle, and the number of the choice that achieves it.

    This is policy iteration, starting with a plan that stays wherever it can. Staying for ever is a choice in
    itself, with the value of a draw, so no loop is worth less, and a plan that no single change improves is
    optimal.
    """
    staying = _staying(cycle)
    plan = {at: _STAY if at in staying else steps[0] for at, steps in cycle.items()}
    while True:
        values = chain(plan)
        best = {at: max(steps, key=lambda step: step.worth(values)) for at, steps in cycle.items()}
        better = {at: step for at, step in best.items() if _exceeds(step.worth(values), values[at])}
        if not better:
            break
        plan |= better
    chosen = {at: staying[at] if step is _STAY else cycle[at].index(step) for at, step in plan.items()}
    return {at: (values[at], choice) for at, choice in chosen.items()}


def chain(rows: Mapping[int, LoopChoice]) -> dict[int, Number]:
    """The value of each state of a Markov chain, by eliminating states; endless loops pay nothing."""
    paid = {at: step.paid for at, step in rows.items()}
    leaves = {at: step.leaves for at, step in rows.items()}
    within = {
        at: {next: chance for next, chance in step.within.items() if chance} for at, step in rows.items()
    }
    before: dict[int, set[int]] = {at: set() for at in rows}
    for at, nexts in within.items():
        for next in nexts:
            before[next].add(at)
    left, order = set(rows), []
    while left:
        # Eliminate states with few edges first, which creates few new edges.
        out = min(left, key=lambda at: (len(before[at]) * len(within[at]), at))
        left.remove(out)
        order.append(out)
        within[out].pop(out, None)
        # The probability of leaving is a sum, because one minus the loop loses accuracy in floats.
        away = sum(within[out].values(), leaves[out])
        if not away:
            leaves[out] = away = 1  # an endless loop: a draw
        scale = over(1, away)
        paid[out] *= scale
        leaves[out] *= scale
        within[out] = {next: chance * scale for next, chance in within[out].items()}
        for next in within[out]:
            before[next].discard(out)
        for earlier in before[out] & left:
            chance = within[earlier].pop(out)
            paid[earlier] += chance * paid[out]
            leaves[earlier] += chance * leaves[out]
            for next, onward in within[out].items():
                within[earlier][next] = within[earlier].get(next, 0) + chance * onward
                before[next].add(earlier)
    values: dict[int, Number] = {}
    for at in reversed(order):
        values[at] = sum((chance * values[next] for next, chance in within[at].items()), paid[at])
    return values


def _staying(cycle: Mapping[int, Sequence[LoopChoice]]) -> dict[int, int]:
    """The decisions from which the seat can stay in the cycle for ever, each with a choice that does so."""
    staying: dict[int, int] = dict.fromkeys(cycle, 0)
    while True:
        kept = {}
        for at in staying:
            sure = (
                i
                for i, step in enumerate(cycle[at])
                if not step.leaves and step.within.keys() <= staying.keys()
            )
            if (choice := next(sure, None)) is not None:
                kept[at] = choice
        if len(kept) == len(staying):
            return kept
        staying = kept


def _exceeds(one: Number, other: Number) -> bool:
    exact = not isinstance(one, float) and not isinstance(other, float)
    return one > other if exact else one > other + NOISE
