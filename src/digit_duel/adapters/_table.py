"""A game being played by numbers: whose turn it is, what is legal, what a seat sees, and nature's hand."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from digit_duel.adapters._alphabet import Alphabet, alphabet
from digit_duel.adapters._views import Numbers, layout
from digit_duel.core.game import Outcome, Seat
from digit_duel.core.variant import AnyVariant

PATIENCE = 1_000  # moves, refused ones too, after which a game that nobody ends is broken off


class Table:
    """One game at one table, from a fresh start to its end or to the end of patience."""

    outcome: Outcome | None
    acting: tuple[Seat, ...]
    _legal: list[list[int] | None]  # by seat, once asked for

    def __init__(self, variant: AnyVariant, rng: Random) -> None:
        self.variant, self.game = variant, variant.game
        self.alphabet: Alphabet = alphabet(self.game)
        self.layout = layout(self.game)
        self.rng = rng
        self.plies = 0
        self._arrive(self.game.start())

    @property
    def broken_off(self) -> bool:
        """Whether the game has lasted too long."""
        return self.outcome is None and self.plies >= PATIENCE

    def legal(self, seat: Seat) -> list[int]:
        """The numbers of a seat's legal moves."""
        found = self._legal[seat]
        if found is None:
            found = self._legal[seat] = self.alphabet.legal(self.state, seat) if seat in self.acting else []
        return found

    def mask(self, seat: Seat) -> NDArray[np.int8]:
        """A 1 for each legal move of a seat."""
        return self.alphabet.mask(self.legal(seat))

    def sight(self, seat: Seat) -> Any:
        """What a seat knows."""
        return self.game.view(self.state, seat)

    def observation(self, seat: Seat) -> Numbers:
        """What a seat knows, as numbers."""
        return self.layout.numbers(self.sight(seat), seat, self.acting)

    def play(self, seat: Seat, number: int) -> str:
        """Make a move, and nature's after it; a forbidden one changes nothing, and is told why (A3)."""
        self.plies += 1
        if number not in self.legal(seat):
            return self._refusal(seat, number)
        self._arrive(self.game.play(self.state, self.alphabet.moves[seat][number]))
        return ""

    def _arrive(self, state: Any) -> None:
        """Let nature move as long as it is her turn, then look who is next."""
        while draws := self.game.chance(state):
            moves, weights = zip(*draws, strict=True)
            state = self.game.play(state, self.rng.choices(moves, weights)[0])
        self.state = state
        self.outcome = self.game.outcome(state)
        self.acting = self.game.acting(state)
        self._legal = [None, None]

    def _refusal(self, seat: Seat, number: int) -> str:
        moves = self.alphabet.moves[seat]
        if not 0 <= number < len(moves):
            return f"There is no move number {number}."
        return str(self.game.why_not(self.sight(seat), seat, moves[number]))
