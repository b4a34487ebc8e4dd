"""A seat's own record, all that it saw and did in notation, as text and as a tensor."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyGame

UNSEEN = "?"
MOVES = 128  # the tensor of a game of unbounded length holds this many of its latest moves
LINES = 64  # the same in version 2, where a draw and the choice after it share a line

Path = tuple[tuple[Hashable, Hashable], ...]  # states, each with the move that was made there
Lines = NDArray[np.float32]


class RecordTensor(Protocol):
    """An encoding of records as tensors."""

    lines: int
    width: int

    def fill(self, lines: Lines, words: Sequence[str]) -> None:
        """Write a record into an array of zeros."""

    def about(self) -> str:
        """A description of a line, in words."""


class RecordEncoding:
    """One-hot encoding of records: a line per move, and a group of columns per character of its notation."""

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

    def fill(self, lines: Lines, words: Sequence[str]) -> None:
        for line, word in zip(lines, words[-self.lines :], strict=False):
            for columns, letter in zip(self._columns, word, strict=False):
                line[columns[letter]] = 1

    def about(self) -> str:
        letters = "; ".join(f"character {at}: `{letters}`" for at, letters in enumerate(self.letters, 1))
        return f"one for each move, with a one-hot encoding of every character of its notation ({letters})"


class DrawEncoding:
    """One-hot encoding of records with draws: a line per digit, and what was done with it.

    A draw and the choice after it share a line; laying out a number takes one line per digit.
    """

    def __init__(self, game: AnyGame, lines: int = LINES) -> None:
        words = [game.text(move) for seat in Seat for move in game.moves(seat)]
        kinds = sorted({word[0] for word in words})
        digits = [*sorted({c for draw in game.draws() for c in game.text(draw)[1:]}), UNSEEN]
        self.kinds, self.digits = "".join(kinds), "".join(digits)
        self.lines, self.width = lines, len(kinds) + len(digits)
        self._draw = game.text(game.draws()[0])[0]
        self._kind = {kind: column for column, kind in enumerate(kinds)}
        self._digit = {digit: len(kinds) + column for column, digit in enumerate(digits)}

    def fill(self, lines: Lines, words: Sequence[str]) -> None:
        found: list[list[int]] = []
        for word in words:
            kind, digits = word[0], word[1:]
            if kind == self._draw:
                found.append([self._digit[digits]])
            elif not digits:
                found[-1].append(self._kind[kind])
            else:
                found.extend([self._digit[digit], self._kind[kind]] for digit in digits)
        for line, columns in zip(lines, found[-self.lines :], strict=False):
            line[columns] = 1

    def about(self) -> str:
        return (
            "one for each card drawn with what was done with it, and for each digit laid out: "
            f"`{self.kinds}` (what was done), then `{self.digits}` (the digit)"
        )


@lru_cache(maxsize=64)
def record_encoding(game: AnyGame) -> RecordEncoding:
    """The encoding of a game's records in version 1."""
    return RecordEncoding(game)


@lru_cache(maxsize=64)
def short_encoding(game: AnyGame, lines: int = LINES) -> RecordTensor:
    """The encoding of a game's records in version 2."""
    words = [game.text(move) for seat in Seat for move in game.moves(seat)]
    # Choices without a digit follow a draw; a choice with digits is one letter followed by its cards.
    if game.draws() and all(not word[0].isdigit() and word[1:].isdigit() == bool(word[1:]) for word in words):
        return DrawEncoding(game, lines)
    return record_encoding(game)


def known_to_both(mine: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """The moves so far that both seats know, from what each of them knows."""
    # A pending choice is known to one seat only, whose record is one move longer.
    return [one if UNSEEN in one else other for one, other in zip(mine, theirs, strict=False)]


def known_to_one(mine: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """The moves so far that one seat knows and the other does not, each with its number."""
    others = [*theirs, UNSEEN]
    lines = enumerate(zip(mine, others, strict=False), 1)
    return [f"{at}:{own}" for at, (own, other) in lines if UNSEEN in other and UNSEEN not in own]
