"""The exact value of any game, its optimal moves, and the regret of the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

from digit_duel.core.game import Game, M, S, Seat, V, public
from digit_duel.solve.effort import Effort
from digit_duel.solve.errors import TooBig, Unsolved
from digit_duel.solve.families import oracle, solver, views_differ
from digit_duel.solve.general.matrix import solve_matrix
from digit_duel.solve.research.equilibrium import Equilibrium, equilibrium
from digit_duel.solve.research.exploration import LIMIT, checked_seat, refuse_variant
from digit_duel.solve.research.responses import BestResponse, best_response
from digit_duel.solve.value import Score

MOST_STATES = 1_000_000  # of an open game without a shipped table: a few minutes


def value_of(game: Game[S, M, V], state: S | None = None) -> Score:
    """The value of a state, or of the whole game, for the first seat; raises TooBig or Unsolved."""
    refuse_variant(game)
    at = game.start() if state is None else state
    if not views_differ(game):
        return _open_value(game)(at)
    if at != game.start():
        raise Unsolved(
            "hands are hidden: a state by itself has no value; only the whole game or a seat's view has one."
        )
    return _perfect(game).value


def optimal_moves(game: Game[S, M, V], state: S, seat: Seat) -> list[M]:
    """The moves with regret 0, in the order of the rules; raises TooBig or Unsolved."""
    return [move for move, lost in regrets(game, state, seat).items() if lost == 0]


def regret(game: Game[S, M, V], state: S, seat: Seat, move: M) -> Score:
    """The regret of a legal move: the score that it gives away; raises TooBig or Unsolved."""
    found = regrets(game, state, seat)
    if move not in found:
        raise Unsolved(f"{move!r} is not legal here; legal are: {' '.join(map(game.text, found))}.")
    return found[move]


def regrets(game: Game[S, M, V], state: S, seat: Seat) -> dict[M, Score]:
    """The regret of each legal move: the score it gives away if both play best from then on.

    In a simultaneous choice the regret of a move is the most that an optimal opponent can make of it, which
    is 0 if the move is part of some optimal mixture. If hands are hidden, regrets are those of the seat's
    view, against the equilibrium that is found here. Raises TooBig or Unsolved.
    """
    refuse_variant(game)
    seat = checked_seat(seat)
    legal = game.legal(state, seat)
    if not legal:
        raise Unsolved("this seat has no move to make.")
    if views_differ(game):
        worth = _answer(game, seat).worth.get(game.view(state, seat))
        if worth is None:
            raise Unsolved("a perfect opponent never lets this position arise, so its regrets are undefined.")
    elif len(game.acting(state)) == 1:
        value, sign = _open_value(game), 1 if seat is Seat.FIRST else -1
        if not public(game.view, state):
            raise Unsolved(_HALF)
        worth = {move: sign * value(game.play(state, move)) for move in legal}
    else:
        return _at_once(game, state, seat)
    best = max(worth.values())
    return {move: Fraction(best - worth[move]) for move in legal}


_HALF = "one of two simultaneous choices has been made already: ask about the state before it."


def _open_value(game: Game[S, M, V]) -> Callable[[S], Score]:
    """The values of a game without hidden hands, as a function; raises TooBig."""
    found = oracle(game, Effort(states=MOST_STATES))

    def value(state: S) -> Score:
        if not public(game.view, state):
            raise Unsolved(_HALF)
        return found.value(state).score

    return value


def _at_once(game: Game[S, M, V], state: S, seat: Seat) -> dict[M, Score]:
    """The regret of each of a seat's simultaneous choices, against the worst optimal mixture of the other."""
    value = _open_value(game)
    sign = 1 if seat is Seat.FIRST else -1
    mine, theirs = game.legal(state, seat), game.legal(state, seat.other)
    rows = tuple(
        tuple(sign * value(game.play(game.play(state, move), reply)) for reply in theirs) for move in mine
    )
    return dict(zip(mine, _lost(rows), strict=True))


@lru_cache(maxsize=1024)
def _lost(rows: tuple[tuple[Score, ...], ...]) -> tuple[Fraction, ...]:
    """The regret of each row; cached, because the same few matrices recur."""
    best = solve_matrix(rows).value
    return tuple(best - _punished(rows, at, best) for at in range(len(rows)))


def _punished(rows: Sequence[Sequence[Score]], at: int, best: Fraction) -> Fraction:
    """The least that a row gets against an optimal mixture of the columns."""
    # An exact penalty method: the columns minimise this row, and pay a fine for whatever any row gets beyond
    # the value. Once the fine is high enough they pay none, and the result is exact.
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
            "For the odds of one round use digit_duel.solve.cards.odds."
        )
    return equilibrium(game, LIMIT)


@lru_cache(maxsize=32)
def _answer(game: Game[S, M, V], seat: Seat) -> BestResponse[V, M]:
    return best_response(game, _perfect(game).policies[seat.other], seat, LIMIT)
