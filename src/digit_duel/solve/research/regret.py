"""The exact value of any game, its optimal moves, and the regret of the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

from digit_duel.core.game import Game, M, S, Seat, V, public
from digit_duel.solve.effort import Effort
from digit_duel.solve.errors import TooBig, Unsolved
from digit_duel.solve.families import hides, oracle, solver
from digit_duel.solve.general.matrix import solve_matrix
from digit_duel.solve.research.equilibrium import Equilibrium, equilibrium
from digit_duel.solve.research.exploration import LIMIT
from digit_duel.solve.research.responses import BestResponse, best_response
from digit_duel.solve.value import Score

MOST_STATES = 1_000_000  # of an open game that no table is shipped for: some minutes


def value_of(game: Game[S, M, V], state: S | None = None) -> Score:
    """What a state, or the whole game, is worth to the first seat if both play best; TooBig, or Unsolved."""
    at = game.start() if state is None else state
    if not hides(game):
        return _open_value(game)(at)
    if at != game.start():
        raise Unsolved("hands are hidden here: a state has no value of its own, but what a seat knows has.")
    return _perfect(game).value


def optimal_moves(game: Game[S, M, V], state: S, seat: Seat) -> list[M]:
    """The moves that give nothing away, in the order of the rules; TooBig, or Unsolved."""
    return [move for move, lost in regrets(game, state, seat).items() if lost == 0]


def regret(game: Game[S, M, V], state: S, seat: Seat, move: M) -> Score:
    """The score that a move gives away; TooBig, or Unsolved."""
    return regrets(game, state, seat)[move]


def regrets(game: Game[S, M, V], state: S, seat: Seat) -> dict[M, Score]:
    """The score that each legal move gives away if both play best from then on; TooBig, or Unsolved.

    One of two choices made at once gives away the most that a perfect opponent could make of it: nothing, if
    some perfect mixture makes it. Where hands are hidden, only what the seat knows counts, against the one
    equilibrium that is found here.
    """
    legal = game.legal(state, seat)
    if not legal:
        raise Unsolved("this seat has no move to make.")
    if hides(game):
        worth = _answer(game, seat).worth.get(game.view(state, seat))
        if worth is None:
            raise Unsolved("a perfect opponent never lets this come about, so nothing can be said.")
    elif len(game.acting(state)) == 1:
        value, sign = _open_value(game), 1 if seat is Seat.FIRST else -1
        if not public(game.view, state):
            raise Unsolved(_HALF)
        worth = {move: sign * value(game.play(state, move)) for move in legal}
    else:
        return _at_once(game, state, seat)
    best = max(worth.values())
    return {move: Fraction(best - worth[move]) for move in legal}


_HALF = "one of two secret choices has been made: ask about the state before it."


def _open_value(game: Game[S, M, V]) -> Callable[[S], Score]:
    """The oracle of a game in which nothing is hidden for long, or TooBig."""
    found = oracle(game, Effort(states=MOST_STATES))

    def value(state: S) -> Score:
        if not public(game.view, state):
            raise Unsolved(_HALF)
        return found.value(state).score

    return value


def _at_once(game: Game[S, M, V], state: S, seat: Seat) -> dict[M, Score]:
    """What each of a seat's secret choices may cost it against the worst of the other's perfect mixtures."""
    value = _open_value(game)
    sign = 1 if seat is Seat.FIRST else -1
    mine, theirs = game.legal(state, seat), game.legal(state, seat.other)
    rows = tuple(
        tuple(sign * value(game.play(game.play(state, move), reply)) for reply in theirs) for move in mine
    )
    return dict(zip(mine, _lost(rows), strict=True))


@lru_cache(maxsize=1024)
def _lost(rows: tuple[tuple[Score, ...], ...]) -> tuple[Fraction, ...]:
    """What each row may cost; cached, because the same few matrices come again and again."""
    best = solve_matrix(rows).value
    return tuple(best - _punished(rows, at, best) for at in range(len(rows)))


def _punished(rows: Sequence[Sequence[Score]], at: int, best: Fraction) -> Fraction:
    """The least that a row gets against mixtures of the columns that let no row have more than the value."""
    # The columns choose to hurt this row, and pay a fine for whatever any row gets beyond the value. Once the
    # fine is high enough they pay none, and what they found is exact.
    fine = 1
    while True:
        fined = [
            [mine + fine * (entry - best) for mine, entry in zip(rows[at], row, strict=True)] for row in rows
        ]
        least, _, mixture = solve_matrix([rows[at], *fined])
        if all(sum(x * y for x, y in zip(row, mixture, strict=True)) <= best for row in rows):
            return least
        fine *= 2


@lru_cache(maxsize=32)
def _perfect(game: Game[S, M, V]) -> Equilibrium[V, M]:
    if not solver(game).is_finite:
        raise TooBig(
            "this game is too big to solve: tied rounds are played again, so it need not end. "
            "What one round is worth is told by digit_duel.solve.cards.odds."
        )
    return equilibrium(game, LIMIT)


@lru_cache(maxsize=32)
def _answer(game: Game[S, M, V], seat: Seat) -> BestResponse[V, M]:
    return best_response(game, _perfect(game).policies[seat.other], seat, LIMIT)
