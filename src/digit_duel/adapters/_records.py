"""A seat's own record as text and as zeros and ones: everything it saw and did, in notation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyGame

UNSEEN = "?"
MOVES = 128  # of a game without a bound that a tensor holds: its latest ones

Path = tuple[tuple[Any, Any], ...]  # states, each with the move that was made there


class Ledger:
    """The records of one game, a line for each move: what stands at each letter of its notation."""

    def __init__(self, game: AnyGame) -> None:
        words = [game.text(move) for moves in (*map(game.moves, Seat), game.draws()) for move in moves]
        self.letters = tuple(
            "".join(sorted({word[at] for word in words if len(word) > at})) + UNSEEN
            for at in range(max(map(len, words)))
        )
        self.lines = MOVES if game.bound is None else min(game.bound, MOVES)
        self.width = sum(map(len, self.letters))
        self._columns: list[dict[str, int]] = []
        for letters in self.letters:
            before = sum(map(len, self._columns))
            self._columns.append({letter: before + column for column, letter in enumerate(letters)})

    def fill(self, lines: NDArray[np.float32], words: Sequence[str]) -> None:
        """Write a record into zeros."""
        for line, word in zip(lines, words[-self.lines :], strict=False):
            for columns, letter in zip(self._columns, word, strict=False):
                line[columns[letter]] = 1


@lru_cache(maxsize=64)
def ledger(game: AnyGame) -> Ledger:
    """The ledger of a game."""
    return Ledger(game)


def known_to_both(game: AnyGame, path: Path) -> list[str]:
    """The moves so far as far as both seats know them."""
    first, second = (game.seen(path, seat) for seat in Seat)
    return [one if UNSEEN in one else other for one, other in zip(first, second, strict=True)]


def known_to_one(game: AnyGame, path: Path, seat: Seat) -> list[str]:
    """The moves so far that this seat knows and the other does not, each with its number."""
    mine, theirs = game.seen(path, seat), game.seen(path, seat.other)
    lines = enumerate(zip(mine, theirs, strict=True), 1)
    return [f"{at}:{own}" for at, (own, other) in lines if UNSEEN in other and UNSEEN not in own]
