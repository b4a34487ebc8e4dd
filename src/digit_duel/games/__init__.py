"""The catalogue of games: every module of this package that does not begin with `_` is one."""

from __future__ import annotations

import os
from importlib import import_module
from pkgutil import iter_modules

from digit_duel.core.variant import AnyVariant

# A folder with more games: see docs/add-a-game.md.
if _more := os.environ.get("DIGIT_DUEL_GAMES"):
    __path__.append(_more)

_ORDER = ("classic", "reverse", "sabotage", "cards", "battle")  # from simple to complex; others follow


def ids() -> tuple[str, ...]:
    """The ids of all games, which are the names of their modules."""
    found = {module.name for module in iter_modules(__path__) if not module.name.startswith("_")}
    return (*_ORDER, *sorted(found.difference(_ORDER)))


def variant(id: str) -> AnyVariant:
    """A game by id, imported when asked for; KeyError if there is none."""
    if id not in ids():
        raise KeyError(f"unknown game {id!r}; the games are: {', '.join(ids())}")
    found: AnyVariant = import_module(f"{__name__}.{id}").VARIANT
    return found


def catalogue() -> dict[str, AnyVariant]:
    """Every game by id."""
    return {id: variant(id) for id in ids()}
