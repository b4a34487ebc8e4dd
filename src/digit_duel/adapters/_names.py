"""What the environments are called in each library, and the history of their version."""

from __future__ import annotations

# One version for all: it counts up when a state, a mask, an observation or a reward of any game changes.
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
    """The id of the game behind a name in PettingZoo; an AttributeError says what is there instead."""
    id, mark, version = name.rpartition("_v")
    if mark and version == str(VERSION):
        return id
    raise AttributeError(
        f"there is no {name!r} here; names are a game's id and the version: {zoo_name('<id>')}"
    )
