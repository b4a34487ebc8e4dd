"""A game played by action numbers, with random moves of nature."""

from __future__ import annotations

from collections.abc import Hashable
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from digit_duel.adapters.interface.version import Interface
from digit_duel.core.game import Outcome, Seat

MAX_MOVES = 1_000  # a game is truncated after this many moves, including refused ones


class NumberedGame:
    """One game from its start to its end, or until it is truncated."""

    state: Hashable
    outcome: Outcome | None
    acting: tuple[Seat, ...]
    _legal: list[list[int] | None]  # by seat, filled when first asked for

    def __init__(self, interface: Interface, rng: Random) -> None:
        self.rules, self.alphabet = interface.game, interface.alphabet
        self.observations = interface.observations
        self.rng = rng
        self.plies = 0
        self._enter(self.rules.start())

    @property
    def truncated(self) -> bool:
        """Whether the game has reached the limit of moves."""
        return self.outcome is None and self.plies >= MAX_MOVES

    def legal(self, seat: Seat) -> list[int]:
        """The numbers of a seat's legal moves."""
        found = self._legal[seat]
        if found is None:
            found = self._legal[seat] = self.alphabet.legal(self.state, seat) if seat in self.acting else []
        return found

    def mask(self, seat: Seat) -> NDArray[np.int8]:
        """An array with a 1 for each legal move of a seat."""
        return self.alphabet.mask(self.legal(seat))

    def view(self, seat: Seat) -> Hashable:
        """The view of a seat."""
        view: Hashable = self.rules.view(self.state, seat)
        return view

    def observation(self, seat: Seat) -> NDArray[Any]:
        """The observation of a seat, as numbers."""
        return self.observations.numbers(self.view(seat), seat, self.acting)

    def play(self, seat: Seat, number: int) -> str:
        """Make a move, then nature's moves; an illegal move changes nothing and returns the reason (A3)."""
        self.plies += 1
        if number not in self.legal(seat):
            return self._refusal(seat, number)
        self._enter(self.rules.play(self.state, self.alphabet.move(self.state, seat, number)))
        return ""

    def _enter(self, state: Hashable) -> None:
        """Enter a state, after making the moves of nature that are due there."""
        while draws := self.rules.chance(state):
            moves, weights = zip(*draws, strict=True)
            state = self.rules.play(state, self.rng.choices(moves, weights)[0])
        self.state = state
        self.outcome = self.rules.outcome(state)
        self.acting = self.rules.acting(state)
        self._legal = [None, None]

    def _refusal(self, seat: Seat, number: int) -> str:
        if not 0 <= number < self.alphabet.size:
            return f"There is no move number {number}."
        return self.alphabet.why_not(self.state, seat, number)
