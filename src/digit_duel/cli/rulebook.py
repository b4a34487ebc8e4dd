"""A game explained: rules, a worked example, notation and options."""

from __future__ import annotations

from digit_duel.core.options import options
from digit_duel.core.record import read_record, replay
from digit_duel.core.variant import AnyVariant


def rulebook(variant: AnyVariant) -> str:
    """All there is to know about a game, as one text."""
    return "\n\n".join(
        [f"{variant.title} ({variant.id})", variant.rules.text, _example(variant), _options(variant)]
    )


def _example(variant: AnyVariant) -> str:
    record = read_record(variant.rules.example)
    game = variant.standard
    steps = replay(game, record)
    outcome = game.outcome(steps[-1].after)
    assert outcome is not None
    moves = " ".join(record.moves)
    closing = variant.script(game).closing(steps[-1].after, outcome, record.names)
    return f"An example, in notation ({record.names[0]} goes first):\n\n  {moves}\n\n" + "\n".join(
        f"  {line}".rstrip() for line in closing.split("\n")
    )


def _options(variant: AnyVariant) -> str:
    known = options(variant.game)
    width = max(map(len, known))
    lines = [
        f"  {name:<{width}}  {spec.help} (now {spec.show(getattr(variant.game, name))})"
        for name, spec in known.items()
    ]
    return "\n".join(["Options, each as --set option=value:", "", *lines])
