"""A sweep over many rule sets: one row each, kept in a journal until all are done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Protocol

from digit_duel import __version__, games
from digit_duel.core.journal import Journal
from digit_duel.core.options import BadOption
from digit_duel.core.variant import AnyVariant
from digit_duel.lab.study import best_play, study
from digit_duel.solve.effort import Progress

Cell = str | int | float | None
Row = dict[str, Cell]

MOST_RULE_SETS = 1_000_000
_FIGURES = (
    "value", "points", "openings", "holding", "balance", "skill", "length", "lead_changes", "decided_after",
    "only_moves", "exact", "reason",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plan:
    """The rule sets of a sweep, numbered in the order of the grid."""

    game: str
    fixed: tuple[tuple[str, str], ...]
    over: tuple[tuple[str, tuple[str, ...]], ...]
    equals: bool = False  # also measure games between equal players
    games: int | None = None  # simulated for each pair of levels of a large game; None for the default

    def __len__(self) -> int:
        size = 1
        for _, values in self.over:
            size *= len(values)
        return size

    def tasks(self) -> Iterator[Task]:
        """Every rule set."""
        names = [name for name, _ in self.over]
        for number, values in enumerate(product(*(values for _, values in self.over))):
            options = {**dict(self.fixed), **dict(zip(names, values, strict=True))}
            yield Task(number, self.game, tuple(options.items()), self.equals, self.games)

    @property
    def columns(self) -> list[str]:
        """The columns of the result."""
        return [
            *dict(self.fixed),
            *(name for name, _ in self.over if name not in dict(self.fixed)),
            *_FIGURES,
        ]

    @property
    def key(self) -> str:
        """The key that identifies this sweep in its journal."""
        return sha256(f"{self!r} {__version__}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Task:
    """One rule set of a sweep."""

    number: int
    game: str
    options: tuple[tuple[str, str], ...]
    equals: bool
    games: int | None


class Workers(Protocol):
    """A way to compute the rows of rule sets, on this machine or elsewhere."""

    def rows(self, tasks: Sequence[Task]) -> Iterable[tuple[int, Row]]:
        """Yield the row of each task, in any order."""


def read_values(variant: AnyVariant, text: str) -> tuple[str, tuple[str, ...]]:
    """Parse `--over option=values`, with values a,b,c or 0..9, or separated by ; if they contain commas."""
    name, equals, listed = text.partition("=")
    if not (name and equals and listed):
        raise BadOption(f"--over takes option=values, such as bonus=0..20, not '{text[:40]}'.")
    _check_name(variant, name)
    values: list[str] = []
    for part in listed.split(";" if ";" in listed else ","):
        low, dots, high = part.partition("..")
        if dots and low.isdigit() and high.isdigit() and part.isascii() and len(part) < 16:
            if int(high) - int(low) >= MOST_RULE_SETS:
                raise BadOption(f"a sweep can have at most {MOST_RULE_SETS:,} rule sets; give fewer values.")
            values += map(str, range(int(low), int(high) + 1))
        else:
            values.append(part)
    if not values:
        raise BadOption(f"'{text[:40]}' names no values.")
    for value in values:
        _check_value(variant, "--over", name, value)
    return name, tuple(dict.fromkeys(values))


def read_fixed(variant: AnyVariant, wanted: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Check the options that all rule sets share; whether these are playable depends on the others."""
    for name, value in wanted.items():
        _check_name(variant, name)
        _check_value(variant, "--set", name, value)
    return tuple(wanted.items())


def _check_name(variant: AnyVariant, name: str) -> None:
    if name not in variant.options:
        raise BadOption(f"unknown option '{name[:20]}'; the options are: {', '.join(variant.options)}.")


def _check_value(variant: AnyVariant, flag: str, name: str, value: str) -> None:
    """Raise BadOption if an option can never have this value, whatever the others are."""
    try:
        variant.options[name].parse(value)
    except BadOption as wrong:
        raise BadOption(f"{flag} {name}={value[:20]}: {wrong}") from None


def row_of(task: Task) -> tuple[int, Row]:
    """Compute the row of one rule set; the same task always gives the same row."""
    row: Row = dict(task.options) | dict.fromkeys(_FIGURES)
    try:
        variant = games.variant(task.game).customised(dict(task.options))
    except BadOption as why:
        return task.number, {**row, "reason": str(why)}
    found = study(variant, task.games) if task.equals else None
    best, row["reason"] = best_play(variant) if found is None else (found.best, found.unsolved)
    if best is not None:
        row |= {"value": str(best.value), "points": float(best.points)}
        row |= {"openings": best.openings, "holding": best.holding}
    if found is not None:
        equal = found.equals()
        row |= {"balance": found.balance(), "skill": found.skill, "length": equal.length}
        row |= {"lead_changes": equal.changes, "decided_after": equal.until}
        row |= {"only_moves": equal.only / equal.decisions if equal.decisions else None}
        row |= {"exact": int(found.games is None)}
    return task.number, row


def run(plan: Plan, journal: Path, workers: Workers, progress: Progress | None = None) -> list[Row]:
    """Compute the rule sets that are not in the journal yet, and return all rows in the order of the grid."""
    kept = Journal(journal, plan.key)
    try:
        left = [task for task in plan.tasks() if str(task.number) not in kept.entries]
        for number, row in workers.rows(left):
            kept.add(str(number), row)
            if progress:
                progress(len(kept.entries), len(plan), "rule sets")
    finally:
        kept.close()
    return [kept.entries[str(number)] for number in range(len(plan))]
