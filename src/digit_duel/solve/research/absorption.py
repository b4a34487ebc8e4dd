"""Chances on the move: how much of what starts somewhere arrives where there is no way on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import TypeVar

from digit_duel.solve.research.policies import Number, over

K = TypeVar("K", bound=Hashable)
Ways = dict[K, Number]  # where a place leads, and how likely; nothing, where there is no way on


def flow(start: Mapping[K, Number], ways: Callable[[K], Ways[K]]) -> tuple[dict[K, Number], Number]:
    """What arrives at each place without a way on, and what goes round for ever.

    Place after place is taken out: what is there goes on, and ways that lead there lead on from now on. Where
    nothing comes round again, every place is taken out after all that lead to it, and no way need be changed.
    """
    found = _explored(start, ways)
    rank = {place: at for at, place in enumerate(found)}
    back: defaultdict[K, set[K]] = defaultdict(set)  # from where a place is reached that is taken out later
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
            # Away from here in the end: as a sum, for one minus the loop would cost floats their accuracy.
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
    """Add to a sum that may not have begun; a defaultdict would add to zero, which costs fractions dearly."""
    sums[key] = sums[key] + part if key in sums else part


def _explored(start: Mapping[K, Number], ways: Callable[[K], Ways[K]]) -> dict[K, Ways[K]]:
    """Every place that can be reached, with its ways, each before what it leads to unless that leads back."""
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
