"""Exact values close to the end of a game, where a quick look ahead beats a solver."""

from __future__ import annotations

from typing import Any

from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyGame
from digit_duel.solve.library import PartialOracle
from digit_duel.solve.value import Value

MOST_REMEMBERED = 100_000


class Endings:
    """A partial oracle that plays on to the end by itself from states that its file does not hold.

    A file holds early states, so nobody can come back to one that it does not hold. Chance and secrets are
    left to the oracle.
    """

    def __init__(self, game: AnyGame, oracle: PartialOracle) -> None:
        self.game, self.oracle = game, oracle
        self._near: dict[Any, Value] = {}

    def value(self, state: Any) -> Value:
        """What a state is worth to the first seat under best play."""
        state = self.game.essence(state)
        if state in self._near:
            return self._near[state]
        known = self.oracle.known.get(state)
        if known is not None:
            return known
        if len(self._near) > MOST_REMEMBERED:
            self.forget()
        return self._played_on(state)

    def forget(self) -> None:
        """Start anew with nothing but the file."""
        self._near.clear()

    def _played_on(self, state: Any) -> Value:
        game = self.game
        state = game.essence(state)
        found = self._near.get(state)
        if found is None:
            if outcome := game.outcome(state):
                found = Value(outcome.score(Seat.FIRST), 0, game.margin(state))
            elif len(acting := game.acting(state)) == 1:
                best = max if acting[0] is Seat.FIRST else min
                moves = game.legal(state, acting[0])
                found = best(self._played_on(game.play(state, move)) for move in moves).a_move_earlier()
            else:
                found = self.oracle.value(state)
            self._near[state] = found
        return found
