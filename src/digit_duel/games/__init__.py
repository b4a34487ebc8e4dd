"""The five games, and the catalogue that lists them."""

from __future__ import annotations

import os
from importlib import import_module
from pkgutil import iter_modules

from digit_duel.core.variant import AnyVariant

# A folder with more game files, for those who try one out before it moves in here.
if _more := os.environ.get("DIGIT_DUEL_GAMES"):
    __path__.append(_more)

_SHELF = ("classic", "reverse", "sabotage", "cards", "battle")  # from simple to rich


def ids() -> tuple[str, ...]:
    """The ids of all games: a module of this package is a game, and its name is the id."""
    found = {module.name for module in iter_modules(__path__) if not module.name.startswith("_")}
    return (*_SHELF, *sorted(found.difference(_SHELF)))


def variant(id: str) -> AnyVariant:
    """One game by id, imported only now; KeyError if there is none."""
    if id not in ids():
        raise KeyError(id)
    found: AnyVariant = import_module(f"{__name__}.{id}").VARIANT
    return found


def catalogue() -> dict[str, AnyVariant]:
    """Every game by id."""
    return {id: variant(id) for id in ids()}
