"""The options of a game as parameters that survive OpenSpiel's own reading of `name(key=value,...)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_type_hints

from digit_duel.core.options import options
from digit_duel.core.variant import AnyVariant

HORIZON = 1_000  # moves after which a game without a bound is a draw, unless told otherwise
TURN_BASED, BREAKS_OFF = "turn_based", "horizon"  # the parameters that are no options of the rules

Parameter = int | str


def parameters(variant: AnyVariant) -> dict[str, Parameter]:
    """Every option as it is set: a whole number where it cannot be anything else, and text elsewhere."""
    game = variant.game
    hints = get_type_hints(type(game))
    return {
        name: getattr(game, name) if hints[name] is int else _quoted(option.show(getattr(game, name)))
        for name, option in options(game).items()
    }


def with_parameters(variant: AnyVariant, given: Mapping[str, Any]) -> AnyVariant:
    """The variant with the options among some parameters; BadOption where one makes no game."""
    known = options(variant.game)
    wanted = {name: _unquoted(str(value)) for name, value in given.items() if name in known}
    return variant.customised(wanted)


def _quoted(text: str) -> str:
    # What begins like a number would be read as one, and a comma would end the parameter.
    text = text.replace(",", ";")
    return text if text[:1].isalpha() else f"'{text}'"


def _unquoted(text: str) -> str:
    return text.strip("'").replace(";", ",")
