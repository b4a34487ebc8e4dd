"""The perfect computer of every game that has an oracle."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from random import Random
from typing import Any

from digit_duel.bots.tips import TipsBot, likings
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyGame, AnyVariant
from digit_duel.solve.general.matrix import solve_matrix
from digit_duel.solve.knowledge import knowledge
from digit_duel.solve.oracle import Option, Oracle, options
from digit_duel.solve.value import Score, Value
from digit_duel.solve.views import before_secrets, is_state

MOST_ASKED = 4_000  # replies looked at for one move, some 40 ms; none of the five games needs so many


@dataclass(frozen=True, slots=True)
class SolvedBot:
    """Wins as fast and as high as can be; in a lost position it asks the hardest question."""

    variant: AnyVariant
    seat: Seat
    rng: Random

    def choose(self, view: Any, legal: Sequence[Any]) -> Any:
        game, state = self.variant.game, before_secrets(view)
        if len(game.acting(state)) == 2:
            return self._secret(state, legal)
        if not is_state(game, game.play(state, legal[0])):
            # A secret choice in a game that tells nobody what the state was before it.
            return TipsBot(self.variant, self.seat, self.rng).choose(view, legal)
        return self.rng.choice(best_moves(game, state, self.seat))

    def _secret(self, state: Any, legal: Sequence[Any]) -> Any:
        game, oracle = self.variant.game, knowledge(self.variant.game)
        assert oracle is not None
        matrix = secret_values(game, oracle, state)
        solution = solve_matrix([[value.score for value in row] for row in matrix])
        mixture = solution.rows if self.seat is Seat.FIRST else solution.columns
        if max(mixture) < 1:
            return legal[_sample(mixture, self.rng)]
        mine = matrix if self.seat is Seat.FIRST else list(zip(*matrix, strict=True))
        liked = likings(self.variant, state, self.seat, legal)
        ranks = [(_worth(values, self.seat), liked[move]) for move, values in zip(legal, mine, strict=True)]
        return legal[ranks.index(max(ranks))]


@lru_cache(maxsize=4096)
def best_moves(game: AnyGame, state: Any, seat: Seat) -> Sequence[Any]:
    """The moves of a state that the perfect computer picks from, by the game's own oracle."""
    oracle = knowledge(game)
    assert oracle is not None
    return best_by(oracle, game, state, seat)


def best_by(oracle: Oracle[Any], game: AnyGame, state: Any, seat: Seat) -> list[Any]:
    """The quickest wins with the best margin; where there is no win, what is hardest to answer."""
    found = options(game, oracle, state, seat)
    if found[0].score == 1:
        return [option.move for option in found if option.best]
    best: list[Option[Any]] = []
    fewest, asked = sys.maxsize, 0
    for option in found:
        if not option.keeps or asked > MOST_ASKED:
            break  # best first: from here on something is given away, or there is no time left
        good, more = _good_replies(oracle, game, game.play(state, option.move), seat.other, fewest)
        asked += more
        if good < fewest:
            best, fewest = [option], good
        elif good == fewest and option.value == best[0].value:
            best.append(option)
    return [option.move for option in best]


def _good_replies(oracle: Oracle[Any], game: AnyGame, state: Any, seat: Seat, most: int) -> tuple[int, int]:
    """How many replies keep what the seat has, and how many were tried; above the most, counting stops."""
    if game.acting(state) != (seat,):
        return 0, 0
    score, good, tried = oracle.value(state).score, 0, 0
    for reply in game.legal(state, seat):
        tried += 1
        good += oracle.value(game.play(state, reply)).score == score
        if good > most:
            break
    return good, tried


def secret_values(game: AnyGame, oracle: Oracle[Any], state: Any) -> list[list[Value]]:
    """What two secret choices lead to: a row for each choice of the first seat."""
    firsts, seconds = (game.legal(state, seat) for seat in Seat)
    return [
        [oracle.value(game.play(game.play(state, first), second)) for second in seconds] for first in firsts
    ]


def _worth(values: Sequence[Value], seat: Seat) -> tuple[Score, int, tuple[Score, ...]]:
    """What a secret choice is sure of; if that is no win, how often it is better; haste and margin then."""
    sign = 1 if seat is Seat.FIRST else -1
    worst = min(tuple(sign * part for part in value) for value in values)
    better = sum(value.score_for(seat) > worst[0] for value in values) if worst[0] < 1 else 0
    return worst[0], better, worst


def _sample(mixture: Sequence[Fraction], rng: Random) -> int:
    """An index by exact chances."""
    whole = lcm(*(share.denominator for share in mixture))
    return rng.choices(range(len(mixture)), [int(share * whole) for share in mixture])[0]
