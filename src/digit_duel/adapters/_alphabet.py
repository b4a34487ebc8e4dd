"""A seat's moves by number: the index of a move in the game's own alphabet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from digit_duel.core.game import Pair, Seat, T
from digit_duel.core.variant import AnyGame


@dataclass(frozen=True)
class Alphabet:
    """Every move of both seats and of nature, by number and back."""

    game: AnyGame
    moves: Pair[tuple[Any, ...]]
    numbers: Pair[dict[Any, int]]
    objects: Pair[dict[int, int]]  # the same by identity
    draws: tuple[Any, ...]
    draw_numbers: dict[Any, int]
    size: int  # of the larger alphabet

    def legal(self, state: Any, seat: Seat) -> list[int]:
        """The numbers of the legal moves, in the order of the rules."""
        moves, known = self.game.legal(state, seat), self.objects[seat]
        try:
            # Most games hand out the same objects again. These are alive, so no others can have their ids.
            return [known[id(move)] for move in moves]
        except KeyError:
            return list(map(self.numbers[seat].__getitem__, moves))

    def mask(self, legal: list[int]) -> NDArray[np.int8]:
        """A 1 for each legal move, by number."""
        mask = np.zeros(self.size, np.int8)
        mask[legal] = 1
        return mask


@lru_cache(maxsize=64)
def alphabet(game: AnyGame) -> Alphabet:
    """The alphabet of a game."""
    moves = (tuple(game.moves(Seat.FIRST)), tuple(game.moves(Seat.SECOND)))
    numbers = (_numbered(moves[0]), _numbered(moves[1]))
    objects = (_numbered(map(id, moves[0])), _numbered(map(id, moves[1])))
    draws = tuple(game.draws())
    return Alphabet(game, moves, numbers, objects, draws, _numbered(draws), max(map(len, moves)))


def _numbered(things: Iterable[T]) -> dict[T, int]:
    return {thing: number for number, thing in enumerate(things)}
