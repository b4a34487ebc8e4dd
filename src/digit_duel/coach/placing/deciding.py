"""When a placing game is decided: the leading place, bounds on the numbers, and deciding digits."""

from __future__ import annotations

from collections.abc import Sequence

from digit_duel.core.game import Seat
from digit_duel.games._placement import Board, Goal, Place, Placement, Position, number
from digit_duel.games._placement_decided import decided
from digit_duel.solve.oracle import Oracle, line


def completed(board: Board, pool: Sequence[int]) -> str:
    """A board with its empty places filled from the left, in the order of the pool."""
    spare = iter(pool)
    return number(tuple(next(spare) if digit is None else digit for digit in board))


def bounds(state: Position, seat: Seat) -> tuple[str, str]:
    """The lowest and the highest number that a board can still form, whoever fills it."""
    board = state.boards[seat]
    return completed(board, sorted(state.pool)), completed(board, sorted(state.pool, reverse=True))


def lead(state: Position, winner: Seat) -> tuple[int, int, int] | None:
    """The leftmost place where the boards differ, with this seat's digit and the other's; None if open."""
    mine, theirs = state.boards[winner], state.boards[winner.other]
    for place, (own, other) in enumerate(zip(mine, theirs, strict=True)):
        if own is None or other is None:
            return None
        if own != other:
            return place, own, other
    return None


def open_lead(state: Position) -> int | None:
    """The leftmost place that is not filled alike on both boards; None if both are full and equal."""
    for place, (first, second) in enumerate(zip(*state.boards, strict=True)):
        if first is None or first != second:
            return place
    return None


def deciding(game: Placement, state: Position, seat: Seat, board: Seat, place: int) -> list[Place]:
    """The placements here that would decide the game for a seat if it were its turn, best first."""
    if state.boards[board][place] is not None:
        return []
    turned = Position(state.pool, state.boards, seat)
    found = [
        move
        for move in game.legal(turned, seat)
        if (move.board, move.place) == (board, place) and decided(game, game.play(turned, move), seat)
    ]
    want_high = (game.goal is Goal.HIGH) is (board is seat)
    return sorted(found, key=lambda move: -move.digit if want_high else move.digit)


def best_numbers(game: Placement, oracle: Oracle[Position], state: Position, seat: Seat) -> tuple[str, str]:
    """The numbers at the end of one line of best play, this seat's first."""
    for move in line(game, oracle, state):
        state = game.play(state, move)
    return number(state.boards[seat]), number(state.boards[seat.other])
