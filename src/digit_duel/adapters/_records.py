"""A seat's own record as text and as a tensor: all that it saw and did, in notation."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyGame

UNSEEN = "?"
MOVES = 128  # the tensor of a game without a bound has room for its latest moves

Path = tuple[tuple[Hashable, Hashable], ...]  # states, each with the move made there


class RecordEncoding:
    """One-hot encoding of records: a line per move, a group of columns per character of its notation."""

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
        """Write a record into an array of zeros."""
        for line, word in zip(lines, words[-self.lines :], strict=False):
            for columns, letter in zip(self._columns, word, strict=False):
                line[columns[letter]] = 1


@lru_cache(maxsize=64)
def record_encoding(game: AnyGame) -> RecordEncoding:
    """The encoding of a game's records."""
    return RecordEncoding(game)


def known_to_both(game: AnyGame, path: Path) -> list[str]:
    """The moves so far, as far as both seats know them."""
    first, second = (game.seen(path, seat) for seat in Seat)
    return [one if UNSEEN in one else other for one, other in zip(first, second, strict=True)]


def known_to_one(game: AnyGame, path: Path, seat: Seat) -> list[str]:
    """The moves so far that this seat knows and the other does not, each with its number."""
    mine, theirs = game.seen(path, seat), game.seen(path, seat.other)
    lines = enumerate(zip(mine, theirs, strict=True), 1)
    return [f"{at}:{own}" for at, (own, other) in lines if UNSEEN in other and UNSEEN not in own]
