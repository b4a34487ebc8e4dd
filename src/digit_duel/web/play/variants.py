"""The catalogue of games, cached: scanning the package is slow."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from digit_duel import games
from digit_duel.core.variant import AnyVariant


@lru_cache(maxsize=1)
def ids() -> tuple[str, ...]:
    """The ids of all games."""
    return games.ids()


def customised(id: str, settings: Mapping[str, str]) -> AnyVariant:
    """A game with these settings; raises KeyError or BadOption."""
    return _customised(id, tuple(sorted(settings.items())))


@lru_cache(maxsize=512)
def _customised(id: str, settings: tuple[tuple[str, str], ...]) -> AnyVariant:
    if id not in ids():
        raise KeyError(id)
    return games.variant(id).customised(dict(settings))
