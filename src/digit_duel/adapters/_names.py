"""The names of the environments in each library, and their version history."""

from __future__ import annotations

# One version for all games: it is raised when a state, a mask, an observation or a reward changes.
VERSION = 1
HISTORY = {1: "first version"}


def spiel_name(id: str) -> str:
    """A game's short name in OpenSpiel."""
    return f"digit_duel_{id}"


def zoo_name(id: str) -> str:
    """A game's name in PettingZoo."""
    return f"{id}_v{VERSION}"


def gym_id(id: str) -> str:
    """A game's id in Gymnasium."""
    return f"DigitDuel/{id}-v{VERSION}"


def zoo_game(name: str) -> str:
    """The id of the game with a name in PettingZoo, or AttributeError."""
    id, mark, version = name.rpartition("_v")
    if mark and version == str(VERSION):
        return id
    raise AttributeError(
        f"unknown environment {name!r}; names are a game's id and the version: {zoo_name('<id>')}"
    )
