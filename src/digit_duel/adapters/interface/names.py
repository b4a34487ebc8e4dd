"""The names of the environments in each library, and their version history."""

from __future__ import annotations

from typing import Final

# One version for all games: a new one is added when a state, a mask, an observation or a reward changes.
HISTORY = {
    1: "first version",
    2: "hands laid out by rank; named features with exact bounds; no trace of a choice made at once",
}
VERSIONS = tuple(HISTORY)
VERSION: Final = 2  # the latest


def spiel_name(id: str, version: int = 1) -> str:
    """A game's short name in OpenSpiel."""
    return f"digit_duel_{id}" + (f"_v{version}" if version > 1 else "")


def zoo_name(id: str, version: int = VERSION) -> str:
    """A game's name in PettingZoo."""
    return f"{id}_v{version}"


def gym_id(id: str, version: int = VERSION) -> str:
    """A game's id in Gymnasium."""
    return f"DigitDuel/{id}-v{version}"


def zoo_game(name: str) -> tuple[str, int]:
    """The game id and version in a PettingZoo name; raises AttributeError for unknown names."""
    id, mark, version = name.rpartition("_v")
    if mark and version in map(str, VERSIONS):
        return id, int(version)
    raise AttributeError(
        f"unknown environment {name!r}; names are a game's id and the version: {zoo_name('<id>')}"
    )
