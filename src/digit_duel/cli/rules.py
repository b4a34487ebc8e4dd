"""digit-duel rules: the rules of a game, an example and the options."""

from __future__ import annotations

from textwrap import fill

from digit_duel.cli.play.messages import paragraphs
from digit_duel.core.record import read_record, replay
from digit_duel.core.variant import AnyVariant

_NARROWEST = 40  # columns


def rulebook(variant: AnyVariant, columns: int) -> str:
    """The rules, an example and the options of a game, fitted to the window."""
    columns = max(_NARROWEST, columns)
    rules = paragraphs(rules_text(variant), columns)
    return "\n\n".join(
        [f"{variant.title} ({variant.id})", rules, _example(variant, columns), _options(variant, columns)]
    )


def rules_text(variant: AnyVariant) -> str:
    """The rules of a game; what an edition or house rules change comes first."""
    if not variant.changes:
        return variant.rules.text
    name = f"{variant.edition_name.capitalize()} edition" if variant.edition_name else "House rules"
    return "\n\n".join([f"{name}:", *variant.changes, "Otherwise the rulebook:", variant.rules.text])


def _example(variant: AnyVariant, columns: int) -> str:
    record = read_record(variant.rules.example)
    game = variant.standard
    steps = replay(game, record)
    outcome = game.outcome(steps[-1].after)
    assert outcome is not None
    moves = fill(" ".join(record.moves), columns, initial_indent="  ", subsequent_indent="  ")
    closing = variant.without_swap.script(game).closing(steps[-1].after, outcome, record.names)
    heading = fill(f"An example, in notation ({record.names[0]} goes first):", columns)
    indented = "\n".join(f"  {line}".rstrip() for line in closing.split("\n"))
    return "\n\n".join([heading, moves, indented])


def _options(variant: AnyVariant, columns: int) -> str:
    known = variant.options
    width = max(map(len, known))
    lines = [
        _entry(name, f"{spec.help} (now {variant.setting(name)})", width, columns)
        for name, spec in known.items()
    ]
    told = ["Options, each as --set option=value:", "", *lines]
    if variant.editions:
        told += ["", "Editions, each as --edition name:", ""]
        told += [_entry(edition.name, edition.summary, width, columns) for edition in variant.editions]
    return "\n".join(told)


def _entry(name: str, text: str, width: int, columns: int) -> str:
    """An option or edition with its explanation, wrapped beside its name."""
    indent = " " * (width + 4)
    return fill(text, columns, initial_indent=f"  {name:<{width}}  ", subsequent_indent=indent)
