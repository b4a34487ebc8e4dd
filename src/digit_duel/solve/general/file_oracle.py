"""Values of a game from a file of early states, and by searching to the end from all others."""

from __future__ import annotations

from typing import Generic

from digit_duel.core.game import Game, M, S, Seat
from digit_duel.solve.general.tablebase import Tablebase
from digit_duel.solve.general.value_file import ValueFile
from digit_duel.solve.value import Value

MOST_REMEMBERED = 100_000


class FileOracle(Generic[S, M]):
    """Looks up the value of a state in a file, or searches to the end if the file lacks it.

    A file holds the early states or all of them, so positions outside it never repeat. Chance moves and
    simultaneous choices outside the file are left to the general solver.
    """

    def __init__(self, game: Game[S, M, S], known: ValueFile) -> None:
        self.game, self.known = game, known
        self._found: dict[S, Value] = {}

    def value(self, state: S) -> Value:
        """The value of a state for the first seat under best play."""
        state = self.game.essence(state)
        found = self._found.get(state) or self.known.get(state)
        if found is not None:
            return found
        if len(self._found) > MOST_REMEMBERED:
            self.forget()
        return self._searched(state)

    def forget(self) -> None:
        """Forget all searched values, keeping only the file."""
        self._found.clear()

    def _searched(self, state: S) -> Value:
        game = self.game
        state = game.essence(state)
        found = self._found.get(state)
        if found is None:
            if outcome := game.outcome(state):
                found = Value(outcome.score(Seat.FIRST), 0, game.margin(state))
            elif len(acting := game.acting(state)) == 1:
                best = max if acting[0] is Seat.FIRST else min
                moves = game.legal(state, acting[0])
                found = best(self._searched(game.play(state, move)) for move in moves).a_move_earlier()
            else:
                found = self.known.get(state) or Tablebase(game, state, known=self.known.get).value(state)
            self._found[state] = found
        return found
