"""The intermediate levels: a computer that errs as people do, mostly good and sometimes wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic

from digit_duel.bots.error_model import ErrorModel
from digit_duel.bots.look_ahead import is_state
from digit_duel.bots.tips import NONSENSE, likings
from digit_duel.core.game import M, S, Seat
from digit_duel.core.variant import Variant
from digit_duel.solve.families import quick_oracle, solver
from digit_duel.solve.oracle import Oracle


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class FallibleBot(Generic[S, M]):
    """Notices some of the moves, looks ahead after the most promising, and otherwise trusts the tips."""

    variant: Variant[S, M, S]
    seat: Seat
    rng: Random
    errors: ErrorModel
    sees_all: bool  # a view is a state, so moves can be tried out
    looks_ahead: bool  # this level does, and the game's oracle tells what it would find

    def choose(self, view: S, legal: Sequence[M]) -> M:
        state: S = solver(self.variant.game).before_choices(view)
        liked = likings(self.variant, state, self.seat, legal)
        if foreseeable := self.sees_all and self._acts_alone(state, legal[0]):
            final = [move for move in legal if self._wins_at_once(state, move)]
            if final:  # no level overlooks a move that wins at once
                return max(final, key=lambda move: liked[move])
        greedy = self.rng.random() < self.errors.greed
        # Asked for here rather than kept: a computer is pickled with its environment, and tables are not.
        oracle = quick_oracle(self.variant.game) if self.looks_ahead and foreseeable and not greedy else None
        noticed = self._noticed([move for move in legal if liked[move] >= NONSENSE])
        blur = self.errors.blur if oracle is None else self.errors.second_look
        scores = {move: liked[move] + blur * self.rng.gauss(0, 1) for move in noticed}
        noticed.sort(key=lambda move: scores[move], reverse=True)
        if oracle is not None:
            for move in noticed[: self.errors.width]:
                if not self._sees_an_answer(oracle, self.variant.game.play(state, move)):
                    return move
        return noticed[0]

    def _acts_alone(self, state: S, move: M) -> bool:
        game = self.variant.game
        return game.acting(state) == (self.seat,) and is_state(game, game.play(state, move))

    def _wins_at_once(self, state: S, move: M) -> bool:
        outcome = self.variant.game.outcome(self.variant.game.play(state, move))
        return outcome is not None and outcome.winner is self.seat

    def _noticed(self, moves: list[M]) -> list[M]:
        """The moves that it notices; all of them if it would notice none."""
        misses = self.errors.misses(len(moves))
        return [move for move in moves if self.rng.random() >= misses] or moves

    def _sees_an_answer(self, oracle: Oracle[S], state: S) -> bool:
        """Whether it sees a winning reply of the other seat after its move."""
        game, other = self.variant.game, self.seat.other
        if game.acting(state) != (other,):
            return self._sees_the_loss(oracle, state, sees=1.0) > self.rng.random()
        replies = game.legal(state, other)
        sees = 1 - self.errors.misses(len(replies))
        overlooked = 1.0  # the probability that it sees none of the winning replies
        for reply in replies:
            overlooked *= 1 - self._sees_the_loss(oracle, game.play(state, reply), sees)
        return self.rng.random() >= overlooked

    def _sees_the_loss(self, oracle: Oracle[S], state: S, sees: float) -> float:
        """The probability that it foresees a lost state, which is small if the line is long."""
        value = oracle.value(state)
        return sees * self.errors.follows(value.distance) if value.score_for(self.seat) == -1 else 0.0
