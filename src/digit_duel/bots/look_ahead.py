"""The strongest computer for a game that is too large to solve: it searches as far ahead as it can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic

from digit_duel.bots.tips import TipsBot, likings
from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.core.variant import Variant

MOST_MOVES = 2_000  # tried for one reply, which takes about 20 ms


class _Spent(Exception):
    """The search has used up its budget of moves."""


def is_state(game: Game[S, M, S], view: S) -> bool:
    """Whether a view is a complete state, from which moves can be tried out."""
    return bool(game.outcome(view) or game.chance(view) or game.acting(view))


class _Search(Generic[S, M, V]):
    """An iterative-deepening search for forced wins, limited by a budget of moves."""

    def __init__(self, game: Game[S, M, V], seat: Seat) -> None:
        self.game, self.seat, self.left = game, seat, MOST_MOVES

    def result(self, state: S, depth: int, alpha: int = -1, beta: int = 1) -> int:
        """1 for a forced win within the depth, -1 for a forced loss, 0 if neither is known."""
        self.left -= 1
        if self.left < 0:
            raise _Spent
        if outcome := self.game.outcome(state):
            return outcome.score(self.seat)
        acting = self.game.acting(state)
        if depth == 0 or len(acting) != 1:
            return 0  # chance or simultaneous choices: nothing is forced
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
    """Takes a win that it can force, avoids losses that it sees, and otherwise follows the tips."""

    variant: Variant[S, M, S]
    seat: Seat
    rng: Random

    def choose(self, view: S, legal: Sequence[M]) -> M:
        game = self.variant.game
        if len(game.acting(view)) != 1 or not is_state(game, game.play(view, legal[0])):
            return TipsBot(self.variant, self.seat, self.rng).choose(view, legal)
        liked = likings(self.variant, view, self.seat, legal)
        # The highest rated first, so that it wins ties.
        order = sorted(legal, key=lambda move: liked[move], reverse=True)
        return order[self._best(view, order)]

    def _best(self, state: S, order: Sequence[M]) -> int:
        search, results = _Search(self.variant.game, self.seat), [0] * len(order)
        try:
            for depth in range(len(self.variant.game.moves(self.seat))):
                for at, move in enumerate(order):
                    if results[at] == 0:  # a forced result never changes at a larger depth
                        results[at] = search.result(self.variant.game.play(state, move), depth)
                    if results[at] == 1:
                        return at
        except _Spent:
            pass
        return results.index(max(results))
