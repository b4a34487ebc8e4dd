"""The figures by which rule sets are compared; those of the rulebooks and known repairs are shipped."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from digit_duel.core.variant import AnyVariant
from digit_duel.lab.equals.level_moves import LEVELS
from digit_duel.lab.study import LEVEL, LEVEL_STEPS, PEOPLE, Study, unfairness


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures by which rule sets are compared; shares are the first player's."""

    best: float | None  # with best play
    equals: dict[str, float]  # between two players of a level
    uncertainty: float
    steps: list[float]  # what each level scores against the one below
    draws: float
    best_draws: float  # between perfect players
    length: float

    @property
    def unfairness(self) -> float:
        """How far the first player's share is from a half, averaged over people and best play."""
        return unfairness([*self.equals.values(), *([] if self.best is None else [self.best])])


def figures(found: Study) -> Figures:
    """The figures to compare, from a study."""
    equal = found.equals()
    return Figures(
        None if found.best is None else float(found.best.points),
        {level: found.balance(level) for level in PEOPLE},
        equal.uncertainty,
        found.steps,
        equal.draws,
        found.equals(LEVELS[-1]).draws,
        equal.length,
    )


def shipped_figures(variant: AnyVariant) -> Figures | None:
    """The shipped figures of a rulebook's edition; computing them takes as long as the report itself."""
    name = " ".join([variant.id, *(f"{name}={value}" for name, value in variant.settings.items())])
    told = shipped_studies().get(name)
    return None if told is None else read_figures(told)


def read_figures(told: dict[str, Any]) -> Figures:
    """The figures in a shipped study."""
    equal = told["equals"]
    return Figures(
        told["best_play"]["points"],
        {level: equal[level]["points"] for level in PEOPLE},
        equal[LEVEL]["interval"],
        [told["ladder"][f"{strong}-{weak}"] for weak, strong in LEVEL_STEPS],
        equal[LEVEL]["draws"],
        equal[LEVELS[-1]]["draws"],
        equal[LEVEL]["length"],
    )


@cache
def shipped_studies() -> dict[str, Any]:
    """The shipped studies by rule set, as JSON; see tools/make_lab_page.py."""
    known: dict[str, Any] = json.loads(
        (files("digit_duel.lab") / "editions.json").read_text(encoding="utf-8")
    )
    return known
