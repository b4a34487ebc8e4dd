"""Secret choices made at once, seen from one seat."""

from __future__ import annotations

from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.solve.general.matrix import Solution, solve_matrix
from digit_duel.solve.oracle import Option, Oracle
from digit_duel.solve.value import Value


def mixture(game: Game[S, M, V], oracle: Oracle[S], state: S) -> Solution:
    """How both seats should choose at a state where they choose at once."""
    firsts, seconds = (game.legal(state, seat) for seat in Seat)
    return solve_matrix(
        [
            [oracle.value(game.play(game.play(state, first), second)).score for second in seconds]
            for first in firsts
        ]
    )


def secret_options(game: Game[S, M, V], oracle: Oracle[S], state: S, seat: Seat) -> list[Option[M]]:
    """A seat's secret choices with what each is worth whatever the other does, best first."""
    sign = 1 if seat is Seat.FIRST else -1
    worst: dict[M, Value] = {}
    for move in game.legal(state, seat):
        after = game.play(state, move)
        replies = [oracle.value(game.play(after, reply)) for reply in game.legal(after, seat.other)]
        worst[move] = min(replies) if seat is Seat.FIRST else max(replies)
    best = max(worst.values()) if seat is Seat.FIRST else min(worst.values())
    found = [
        Option(move, value, value.score_for(seat), 0, value == best, value.score == best.score)
        for move, value in worst.items()
    ]
    return sorted(found, key=lambda option: tuple(-sign * part for part in option.value))
