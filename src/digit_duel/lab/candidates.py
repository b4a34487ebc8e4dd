"""The search for fairer rules: solves every change of one or two options that may repair a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from digit_duel.core.journal import Journal
from digit_duel.core.options import SWAP, BadOption, Option, command
from digit_duel.core.variant import AnyVariant
from digit_duel.lab.study import best_play, who_wins
from digit_duel.solve.effort import Effort, Progress

SEARCHING = Effort(states=100_000, cells=20_000_000)  # per rule set: a few seconds


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule set that may be fairer than the rulebook's."""

    variant: AnyVariant
    value: Fraction  # of best play for the first seat, from -1 to 1

    @property
    def options(self) -> dict[str, str]:
        """The options that differ from the rulebook."""
        return self.variant.settings

    @property
    def changes(self) -> int:
        """How many options differ from the rulebook."""
        return len(self.options)

    @property
    def can_swap(self) -> bool:
        """Whether the second player may swap seats."""
        return any(self.variant.options[name] is SWAP for name in self.options)

    @property
    def points(self) -> float:
        """The first seat's share of the points with best play."""
        return float(self.value + 1) / 2

    @property
    def off(self) -> float:
        """How far the first seat's share is from a half with best play."""
        return abs(float(self.value)) / 2

    @property
    def sentence(self) -> str:
        """The result of best play, in a few words."""
        return who_wins(self.value)

    @property
    def command(self) -> str:
        """The command that plays it."""
        return command(f"digit-duel play {self.variant.id}", self.options)


class Search:
    """Solves each rule set once, and keeps the results in a journal."""

    def __init__(self, variant: AnyVariant, journal: Journal | None = None) -> None:
        self.variant, self.journal = variant, journal
        self.known: dict[str, Candidate | None] = {}
        self.unsolved: dict[str, str] = {}  # why a rule set is not solved, by its options

    def candidates(self, progress: Progress | None = None) -> list[Candidate]:
        """Every rule set that may repair the game, the fairest with best play first."""
        start = self.solved({})
        plans = list(self._plans())
        found: dict[str, Candidate] = {}
        for at, plan in enumerate(plans):
            if progress:
                progress(at, len(plans), "changes of the rules solved")
            one = self.solved(plan)
            dialled = self._dialled(plan, one) if one is not None and len(plan) < 2 else ()
            for each in (one, *dialled):
                if each is not None and each.options != self.variant.settings:
                    found[_name(each.options)] = each
        worth = [one for one in found.values() if start is None or _may_repair(start, one)]
        return sorted(
            _simplest(worth), key=lambda one: (round(one.off, 2), one.changes, list(one.options.items()))
        )

    def solved(self, plan: Mapping[str, str]) -> Candidate | None:
        """The rule set with these changes, solved; None if it is not playable or takes too long to solve."""
        try:
            chosen = self.variant.customised(plan)
        except BadOption:
            return None
        name = _name(chosen.settings)
        if name not in self.known:
            self.known[name] = self._solved(chosen, name)
        return self.known[name]

    def _solved(self, chosen: AnyVariant, name: str) -> Candidate | None:
        entry = f"solve {name}"
        if self.journal is None or entry not in self.journal.entries:
            best, reason = best_play(chosen, effort=SEARCHING)
            value = None if best is None else str(Fraction(best.value))
            told: dict[str, Any] = {"value": value, "reason": reason}
            if self.journal is not None:
                self.journal.add(entry, told)
        else:
            told = self.journal.entries[entry]
        if told["value"] is None:
            self.unsolved[name] = told["reason"]
            return None
        return Candidate(chosen, Fraction(told["value"]))

    def _plans(self) -> Iterator[Mapping[str, str]]:
        """No change, each change that an option suggests, and every pair of such changes."""
        words = [
            (name, value)
            for name, spec in self.variant.options.items()
            for value in dict.fromkeys((*spec.repairs, *self._undone(name, spec)))
            if value != self.variant.setting(name)
        ]
        yield {}
        yield from ({name: value} for name, value in words)
        yield from (dict(pair) for pair in combinations(words, 2) if pair[0][0] != pair[1][0])

    def _undone(self, name: str, spec: Option) -> tuple[str, ...]:
        """The rulebook's value of an option that repairs games."""
        return (self.variant.default(name),) if spec.repairs or spec.dial else ()

    def _dialled(self, plan: Mapping[str, str], before: Candidate) -> Iterator[Candidate | None]:
        """For each numeric option, the last value at which the first seat is ahead, and the next one."""
        if before.value <= 0:
            return  # numeric options help the second seat only
        for name, spec in self.variant.options.items():
            if spec.dial is not None and name not in plan:
                turn = self._turning_point(plan, name, *spec.dial)
                yield from (self.solved({**plan, name: str(number)}) for number in (turn - 1, turn))

    def _turning_point(self, plan: Mapping[str, str], name: str, low: int, high: int) -> int:
        """The least value at which the first seat is no longer ahead; unplayable values count as too high."""
        while low < high:
            middle = (low + high) // 2
            one = self.solved({**plan, name: str(middle)})
            if one is not None and one.value > 0:
                low = middle + 1
            else:
                high = middle
        return low


def _name(options: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in sorted(options.items()))


def _may_repair(start: Candidate, one: Candidate) -> bool:
    """Whether best play is fairer, or a change may be worth something between people all the same.

    That holds for a numeric option set where the seats are closest, and for the pie rule on its own.
    """
    if one.off < start.off or any(one.variant.options[name].dial for name in one.options):
        return True
    return one.can_swap and not start.can_swap and one.changes == start.changes + 1


def _simplest(found: list[Candidate]) -> list[Candidate]:
    """Drop rule sets with the same value as one that makes fewer of the same changes.

    The pie rule changes play between people even where it does not change the value.
    """
    return [
        one
        for one in found
        if not any(
            other.changes < one.changes
            and other.value == one.value
            and other.can_swap == one.can_swap
            and other.options.items() <= one.options.items()
            for other in found
        )
    ]
