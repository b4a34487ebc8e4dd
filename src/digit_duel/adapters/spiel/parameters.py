"""The options of a game as parameters that OpenSpiel can parse, as in `name(key=value,...)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_type_hints

from digit_duel.adapters.interface.version import OPTIONS, VersionSettings
from digit_duel.adapters.spiel.records import LINES
from digit_duel.core.options import BadOption
from digit_duel.core.variant import AnyVariant

# The parameters that are not options of the rules or of the version.
TURN_BASED, HORIZON, RECORD = "turn_based", "horizon", "record"
DEFAULT_HORIZON = 1_000  # moves after which a potentially endless game is a draw

Parameter = int | str


def parameters(variant: AnyVariant) -> dict[str, Parameter]:
    """The value of every option: an int if the option only takes integers, else text."""
    game = variant.rules_game
    hints = get_type_hints(type(game))
    return {
        name: getattr(game, name) if hints.get(name) is int else quoted(variant.setting(name))
        for name in variant.options
    }


def specification(variant: AnyVariant, version: int) -> dict[str, Parameter]:
    """Every parameter of a game, with its default."""
    found: dict[str, Parameter] = {**parameters(variant), TURN_BASED: False, HORIZON: 0}
    if version > 1:
        found |= {name: str(getattr(VersionSettings(), name)) for name in OPTIONS} | {RECORD: LINES}
    return found


def rules_options(variant: AnyVariant, given: Mapping[str, object]) -> dict[str, str]:
    """The options of the rules found among the parameters, as text."""
    known = variant.options
    return {name: unquoted(str(value)) for name, value in given.items() if name in known}


def quoted(text: str) -> str:
    """Quote a text so that OpenSpiel reads the parameter back as text."""
    # OpenSpiel parses anything that starts like a number as one, and a comma ends a parameter.
    text = text.replace(",", ";")
    return text if text[:1].isalpha() else f"'{text}'"


def unquoted(text: str) -> str:
    """Undo quoted()."""
    return text.strip("'").replace(";", ",")


def check_numbers(given: Mapping[str, object]) -> None:
    """Raise BadOption for a horizon or a length of records that cannot be."""
    for name, least in ((HORIZON, 0), (RECORD, 1)):
        value = given.get(name, least)
        if not isinstance(value, int) or value < least:
            raise BadOption(f"{name} must be a whole number of at least {least}, not {value!r}.")


def normalised(given: Mapping[str, object]) -> dict[str, object]:
    """Normalise parameters, so that a game can be loaded again from its own text."""
    return {
        name: quoted(unquoted(value)) if isinstance(value, str) else value for name, value in given.items()
    }
