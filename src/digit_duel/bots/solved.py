"""The perfect computer for any game with an oracle."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from random import Random
from typing import Generic

from digit_duel.bots.look_ahead import is_state
from digit_duel.bots.tips import TipsBot, likings
from digit_duel.core.game import Game, M, S, Seat
from digit_duel.core.variant import Variant
from digit_duel.solve.families import quick_oracle, solver
from digit_duel.solve.general.matrix import solve_matrix
from digit_duel.solve.oracle import Oracle, ValuedMove, options, secret_values
from digit_duel.solve.value import Score, Value

MOST_ASKED = 4_000  # replies examined for one move, about 40 ms; none of the five games needs as many


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class SolvedBot(Generic[S, M]):
    """Wins as fast and by as much as possible; in a lost position it leaves the fewest good replies."""

    variant: Variant[S, M, S]
    seat: Seat
    rng: Random

    def choose(self, view: S, legal: Sequence[M]) -> M:
        game: Game[S, M, S] = self.variant.game
        state: S = solver(game).before_choices(view)
        if len(game.acting(state)) == 2:
            return self._secret(state, legal)
        if not is_state(game, game.play(state, legal[0])):
            # Simultaneous choices in a game whose view does not show the state before them.
            return TipsBot(self.variant, self.seat, self.rng).choose(view, legal)
        move: M = self.rng.choice(best_moves(game, state, self.seat))
        return move

    def _secret(self, state: S, legal: Sequence[M]) -> M:
        game: Game[S, M, S] = self.variant.game
        oracle = quick_oracle(game)
        assert oracle is not None
        matrix = secret_values(game, oracle, state)
        solution = solve_matrix([[value.score for value in row] for row in matrix])
        mixture = solution.rows if self.seat is Seat.FIRST else solution.columns
        if max(mixture) < 1:
            return legal[_sample(mixture, self.rng)]
        mine = matrix if self.seat is Seat.FIRST else list(zip(*matrix, strict=True))
        liked = likings(self.variant, state, self.seat, legal)
        ranks = [
            (secret_rank(values, self.seat), liked[move]) for move, values in zip(legal, mine, strict=True)
        ]
        return legal[ranks.index(max(ranks))]


@lru_cache(maxsize=4096)
def best_moves(game: Game[S, M, S], state: S, seat: Seat) -> Sequence[M]:
    """The moves that the perfect computer picks from in a state, by the game's own oracle."""
    oracle = quick_oracle(game)
    assert oracle is not None
    return best_by(oracle, game, state, seat)


def best_by(oracle: Oracle[S], game: Game[S, M, S], state: S, seat: Seat) -> list[M]:
    """The quickest wins with the best margin; without a win, the moves that are hardest to answer."""
    found = options(game, oracle, state, seat)
    if found[0].score == 1:
        return [option.move for option in found if option.best]
    best: list[ValuedMove[M]] = []
    fewest, asked = sys.maxsize, 0
    for option in found:
        if not option.keeps or asked > MOST_ASKED:
            break  # options come best first: the rest are worse, or the budget is used up
        good, more = _good_replies(oracle, game, game.play(state, option.move), seat.other, fewest)
        asked += more
        if good < fewest:
            best, fewest = [option], good
        elif good == fewest and option.value == best[0].value:
            best.append(option)
    return [option.move for option in best]


def _good_replies(oracle: Oracle[S], game: Game[S, M, S], state: S, seat: Seat, most: int) -> tuple[int, int]:
    """How many replies keep the opponent's result, and how many were tried; stops counting above `most`."""
    if game.acting(state) != (seat,):
        return 0, 0
    score, good, tried = oracle.value(state).score, 0, 0
    for reply in game.legal(state, seat):
        tried += 1
        good += oracle.value(game.play(state, reply)).score == score
        if good > most:
            break
    return good, tried


def secret_rank(values: Sequence[Value], seat: Seat) -> tuple[Score, int, tuple[Score, ...]]:
    """A sort key for secret choices: worst-case result, number of better results, then speed and margin."""
    sign = 1 if seat is Seat.FIRST else -1
    worst = min(tuple(sign * part for part in value) for value in values)
    better = sum(value.score_for(seat) > worst[0] for value in values) if worst[0] < 1 else 0
    return worst[0], better, worst


def _sample(mixture: Sequence[Fraction], rng: Random) -> int:
    """A random index, with exact probabilities."""
    whole = lcm(*(share.denominator for share in mixture))
    return rng.choices(range(len(mixture)), [int(share * whole) for share in mixture])[0]
