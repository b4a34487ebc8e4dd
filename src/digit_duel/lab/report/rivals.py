"""Known repairs of a rulebook besides the edition that a report compares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from digit_duel import games
from digit_duel.core.options import command
from digit_duel.lab.report.figures import Figures, read_figures, shipped_studies
from digit_duel.lab.report.repair import Repair
from digit_duel.lab.report.words import span
from digit_duel.lab.study import Study


@dataclass(frozen=True, slots=True)
class Rival:
    """Another change of a rulebook, with its shipped figures."""

    game: str
    options: Mapping[str, str]
    figures: Figures

    @property
    def changes(self) -> tuple[str, ...]:
        """What it changes, in words."""
        return games.variant(self.game).customised(self.options).changes

    @property
    def command(self) -> str:
        """The command that plays it."""
        return command(f"digit-duel play {self.game}", self.options)

    @property
    def sentence(self) -> str:
        """What it changes, and its figures, in words."""
        found = self.figures
        best = "" if found.best is None else f" {found.best:.0%} of the points with best play and"
        people = span(list(found.equals.values()))
        return (
            f"{' '.join(f'{change}.' for change in self.changes)} Then the first player gets{best} {people}"
            " between people;"
            f" a player one level better gets {span(found.steps)}, and a game takes {found.length:.0f} moves."
        )


def rivals(study: Study, repair: Repair | None) -> list[Rival]:
    """The shipped repairs of a rulebook, but for the rules that are studied and the edition compared."""
    variant = study.variant
    if variant.settings and not variant.edition_name:
        return []  # figures are shipped for the rulebooks only
    compared = {} if repair is None else dict(repair.edition.options)
    return [
        Rival(variant.id, told["options"], read_figures(told))
        for told in shipped_studies().values()
        if told["game"] == variant.id and told["options"] not in ({}, compared, variant.settings)
    ]
