"""The strongest honest computer of a game that is too large to solve: it looks ahead as far as it can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from digit_duel.bots.tips import TipsBot, likings
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant
from digit_duel.solve.views import is_state

MOST_MOVES = 2_000  # tried in one reply, some 20 ms


class _Spent(Exception):
    """All the moves of one reply have been tried."""


class _Search:
    """A search for forced wins, a move deeper each time, until its moves are spent."""

    def __init__(self, game: Any, seat: Seat) -> None:
        self.game, self.seat, self.left = game, seat, MOST_MOVES

    def result(self, state: Any, depth: int, alpha: int = -1, beta: int = 1) -> int:
        """1 for a forced win within the depth, -1 for a forced loss, 0 for all that is not known."""
        self.left -= 1
        if self.left < 0:
            raise _Spent
        if outcome := self.game.outcome(state):
            return int(outcome.score(self.seat))
        acting = self.game.acting(state)
        if depth == 0 or len(acting) != 1:
            return 0  # chance and secrets: nothing is forced
        mine = acting[0] is self.seat
        best = -1 if mine else 1
        for move in self.game.legal(state, acting[0]):
            found = self.result(self.game.play(state, move), depth - 1, alpha, beta)
            best = max(best, found) if mine else min(best, found)
            alpha, beta = (max(alpha, best), beta) if mine else (alpha, min(beta, best))
            if alpha >= beta:
                break
        return best


@dataclass(frozen=True, slots=True)
class LookAheadBot:
    """Takes a win that it can force, avoids a loss that it sees, and follows the tips otherwise."""

    variant: AnyVariant
    seat: Seat
    rng: Random

    def choose(self, view: Any, legal: Sequence[Any]) -> Any:
        game = self.variant.game
        if len(game.acting(view)) != 1 or not is_state(game, game.play(view, legal[0])):
            return TipsBot(self.variant, self.seat, self.rng).choose(view, legal)
        liked = likings(self.variant, view, self.seat, legal)
        # Best liked first: where moves are alike, that one stands.
        order = sorted(legal, key=lambda move: liked[move], reverse=True)
        return order[self._best(view, order)]

    def _best(self, state: Any, order: Sequence[Any]) -> int:
        search, results = _Search(self.variant.game, self.seat), [0] * len(order)
        try:
            for depth in range(len(self.variant.game.moves(self.seat))):
                for at, move in enumerate(order):
                    if results[at] == 0:  # a forced result stays what it is
                        results[at] = search.result(self.variant.game.play(state, move), depth)
                    if results[at] == 1:
                        return at
        except _Spent:
            pass
        return results.index(max(results))
