"""The strongest honest computer of a game that is too large to solve: it looks ahead as far as it can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic

from digit_duel.bots.tips import TipsBot, likings
from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.core.variant import Variant

MOST_MOVES = 2_000  # tried in one reply, some 20 ms


class _Spent(Exception):
    """All the moves of one reply have been tried."""


def is_state(game: Game[S, M, S], view: S) -> bool:
    """Whether a view can be played on like a state: it is over, or nature moves, or somebody acts."""
    return bool(game.outcome(view) or game.chance(view) or game.acting(view))


class _Search(Generic[S, M, V]):
    """A search for forced wins, a move deeper each time, until its moves are spent."""

    def __init__(self, game: Game[S, M, V], seat: Seat) -> None:
        self.game, self.seat, self.left = game, seat, MOST_MOVES

    def result(self, state: S, depth: int, alpha: int = -1, beta: int = 1) -> int:
        """1 for a forced win within the depth, -1 for a forced loss, 0 for all that is not known."""
        self.left -= 1
        if self.left < 0:
            raise _Spent
        if outcome := self.game.outcome(state):
            return outcome.score(self.seat)
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


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class LookAheadBot(Generic[S, M]):
    """Takes a win that it can force, avoids a loss that it sees, and follows the tips otherwise."""

    variant: Variant[S, M, S]
    seat: Seat
    rng: Random

    def choose(self, view: S, legal: Sequence[M]) -> M:
        game = self.variant.game
        if len(game.acting(view)) != 1 or not is_state(game, game.play(view, legal[0])):
            return TipsBot(self.variant, self.seat, self.rng).choose(view, legal)
        liked = likings(self.variant, view, self.seat, legal)
        # Best liked first, so that it wins ties.
        order = sorted(legal, key=lambda move: liked[move], reverse=True)
        return order[self._best(view, order)]

    def _best(self, state: S, order: Sequence[M]) -> int:
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
