"""What a computer may know of a game: its exact oracle, where there is one."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from digit_duel.solve.endings import Endings
from digit_duel.solve.errors import TooBig, Unsolved
from digit_duel.solve.library import PartialOracle, oracle
from digit_duel.solve.oracle import Oracle

MOST_STATES = 100_000  # of a game that is solved when its first computer sits down: some ten seconds, once


@lru_cache(maxsize=32)
def knowledge(game: Any) -> Oracle[Any] | None:
    """The oracle of a game; None where hands are hidden, or there are too many states to wait for."""
    try:
        found = oracle(game, _patience)
    except Unsolved:
        return None
    return Endings(game, found) if isinstance(found, PartialOracle) else found


def _patience(states: int) -> None:
    if states > MOST_STATES:
        raise TooBig("more states than anyone would wait for.")
