"""The options of a game as parameters that OpenSpiel can parse in `name(key=value,...)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_type_hints

from digit_duel.core.options import options
from digit_duel.core.variant import AnyVariant

TURN_BASED, HORIZON = "turn_based", "horizon"  # the parameters that are not options of the rules
DEFAULT_HORIZON = 1_000  # moves after which a game without a bound is a draw

Parameter = int | str


def parameters(variant: AnyVariant) -> dict[str, Parameter]:
    """The value of every option: an int where the option is always one, else text."""
    game = variant.game
    hints = get_type_hints(type(game))
    return {
        name: getattr(game, name) if hints[name] is int else _quoted(option.show(getattr(game, name)))
        for name, option in options(game).items()
    }


def with_parameters(variant: AnyVariant, given: Mapping[str, object]) -> AnyVariant:
    """The variant with the options found among the parameters, or BadOption."""
    known = options(variant.game)
    wanted = {name: _unquoted(str(value)) for name, value in given.items() if name in known}
    return variant.customised(wanted)


def _quoted(text: str) -> str:
    # OpenSpiel parses what begins like a number as one, and a comma ends the parameter.
    text = text.replace(",", ";")
    return text if text[:1].isalpha() else f"'{text}'"


def _unquoted(text: str) -> str:
    return text.strip("'").replace(";", ",")
