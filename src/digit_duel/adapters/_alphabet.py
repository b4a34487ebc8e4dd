"""Action numbers: the index of a move among all moves that its seat could ever make."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from digit_duel.core.game import Pair, Seat, T
from digit_duel.core.variant import AnyGame


@dataclass(frozen=True)
class Alphabet:
    """Every move of both seats and of nature, by number and back."""

    game: AnyGame
    moves: Pair[tuple[Hashable, ...]]
    numbers: Pair[dict[Hashable, int]]
    objects: Pair[dict[int, int]]  # the same, by the identity of the move
    draws: tuple[Hashable, ...]
    draw_numbers: dict[Hashable, int]
    size: int  # of the larger of the two seats' alphabets

    def legal(self, state: Hashable, seat: Seat) -> list[int]:
        """The numbers of the legal moves, in the order of the rules."""
        moves, known = self.game.legal(state, seat), self.objects[seat]
        try:
            # Faster than hashing: most games return the objects of their alphabet, which stay alive here.
            return [known[id(move)] for move in moves]
        except KeyError:
            return list(map(self.numbers[seat].__getitem__, moves))

    def mask(self, legal: list[int]) -> NDArray[np.int8]:
        """An array with a 1 for each legal move."""
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
