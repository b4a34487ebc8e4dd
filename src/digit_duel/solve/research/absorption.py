"""Absorbing Markov chains: the probability of ending in each absorbing state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import TypeVar

from digit_duel.solve.research.policies import Number, over

K = TypeVar("K", bound=Hashable)
Ways = dict[K, Number]  # the transition probabilities of a place; empty for an absorbing one


def flow(start: Mapping[K, Number], ways: Callable[[K], Ways[K]]) -> tuple[dict[K, Number], Number]:
    """The probability of ending at each absorbing place, and of never ending.

    Places are eliminated one by one: their probability moves on, and edges into them are redirected. Without
    cycles every place is eliminated after all its predecessors, so no edge needs to be redirected.
    """
    found = _explored(start, ways)
    rank = {place: at for at, place in enumerate(found)}
    back: defaultdict[K, set[K]] = defaultdict(set)  # places that lead back here and are eliminated later
    for place, onward in found.items():
        for next in onward:
            if rank[next] < rank[place]:
                back[next].add(place)
    amounts = dict(start)
    circles = set()
    for place, onward in found.items():
        if onward.pop(place, None) is not None:
            if not onward:
                circles.add(place)
            # The probability of leaving is a sum, because one minus the loop loses accuracy in floats.
            away = sum(onward.values())
            for next in onward:
                onward[next] = over(onward[next], away)
        if not onward:
            continue
        for earlier in back[place]:
            chance = found[earlier].pop(place)
            for next, share in onward.items():
                add(found[earlier], next, chance * share)
                if rank[next] < rank[earlier]:
                    back[next].add(earlier)
        amount = amounts.pop(place, 0)
        for next, share in onward.items() if amount else ():
            add(amounts, next, amount * share)
    lost: Number = sum(amounts.pop(place, 0) for place in circles)
    return amounts, lost


def add(sums: dict[K, Number], key: K, part: Number) -> None:
    """Add to an entry that may be missing; unlike a defaultdict, never adds to 0, slow with fractions."""
    sums[key] = sums[key] + part if key in sums else part


def _explored(start: Mapping[K, Number], ways: Callable[[K], Ways[K]]) -> dict[K, Ways[K]]:
    """Every reachable place with its edges, in topological order except for cycles."""
    found: dict[K, Ways[K]] = {}
    done: list[K] = []
    work: list[tuple[K, Iterator[K]]] = []

    def enter(place: K) -> None:
        if place not in found:
            found[place] = ways(place)
            work.append((place, iter(tuple(found[place]))))

    for begin in start:
        enter(begin)
        while work:
            place, nexts = work[-1]
            if (next_place := next(nexts, None)) is not None:
                enter(next_place)
            else:
                work.pop()
                done.append(place)
    return {place: found[place] for place in reversed(done)}
