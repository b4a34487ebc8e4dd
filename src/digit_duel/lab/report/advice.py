"""Advice on what to change in a rule set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeGuard

from digit_duel.core.options import command
from digit_duel.core.variant import AnyVariant
from digit_duel.lab.report.repair import Repair, changed_by, in_force, named_edition
from digit_duel.lab.report.words import (
    FAIR,
    NEARLY,
    is_decided,
    is_one_sided,
    is_unsure,
    points,
    rewards_skill,
)
from digit_duel.lab.study import Study


def paragraph(study: Study, repair: Repair | None) -> str:
    """One paragraph that a designer can act on."""
    told, commands = advice(study, repair)
    compared = [f"{heading}: {text}" for heading, text in repair.told] if is_advised(repair) else []
    listed = [f"{label}: '{command}'." for label, command in commands]
    said = [f"{name} {text}" if name.endswith("?") else text for name, text in points(study)]
    return " ".join([*said, told, *compared, *listed])


def advice(study: Study, repair: Repair | None) -> tuple[str, list[tuple[str, str]]]:
    """What to change, and the commands for it, each with a label."""
    variant, id = study.variant, study.variant.id
    search = _search(id, variant.settings)
    off = abs(study.balance() - 0.5)
    if is_unsure(study):
        more = command(f"digit-duel lab report {id}", variant.settings)
        return "Nothing yet: too few games were played to tell. Play more of them first.", [
            ("Play more games", f"{more} --games {16 * (study.games or 1)}")
        ]
    if off <= FAIR and not is_decided(study):
        if rewards_skill(study):
            return "Nothing: it is fair.", []
        return "It is fair already. But skill hardly counts; another change may leave more to skill.", [
            _search(id, _without_edition(variant))
        ]
    edition = named_edition(study)
    if edition is None:
        played = in_force(variant)
        if played is not None:
            return f"You play the edition '{played.name}' already. Search for another change.", [search]
        return "No edition fits these rules. Search for another change.", [search]
    if repair is not None and not repair.leaves_choices:
        told = f"The edition '{edition.name}' would leave nothing to decide here: the draw settles the game."
        return f"{told} Search for another change.", [search]
    if repair is not None and not repair.is_fairer:
        return f"The edition '{edition.name}' does not make it fair here. Search for another change.", [
            search
        ]
    if off <= FAIR:
        told = "Nothing between people. Where players know the best moves, try"
    elif off <= NEARLY and not is_one_sided(study):
        told = "Little. If you like, try"
    else:
        told = "Try" if repair is None else repair.invitation
    changed = changed_by(variant, edition)
    assert changed is not None
    other = {name: value for name, value in changed.settings.items() if name not in edition.options}
    chosen = command(f"{id} --edition {edition.name}", other)
    return f"{told} the edition '{edition.name}'. {edition.change}", [
        ("Play it", f"digit-duel play {chosen}"),
        ("See how fair it is", f"digit-duel lab report {chosen}"),
        search,
    ]


def _search(id: str, settings: Mapping[str, str]) -> tuple[str, str]:
    """The command that searches for changes of these rules, with its label."""
    return "Search all changes", command(f"digit-duel lab fair {id}", settings)


def _without_edition(variant: AnyVariant) -> dict[str, str]:
    """The options but for those of an edition, because another change would replace it."""
    played = in_force(variant)
    return {
        name: value
        for name, value in variant.settings.items()
        if played is None or name not in played.options
    }


def is_advised(repair: Repair | None) -> TypeGuard[Repair]:
    """Whether there is an edition to recommend."""
    return repair is not None and repair.is_advisable
