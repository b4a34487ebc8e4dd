"""A second opinion on claims about placing games: the rest is filled in every way, or in many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import permutations, product
from random import Random
from typing import Any

from tests.coach.minimax import reached, value

from digit_duel.coach.placing import claims
from digit_duel.core.game import Seat
from digit_duel.games._placement import Goal, Placement, Position

_FILLINGS = 1000  # ways to fill the rest up to which all are tried


def fillings(state: Position, seed: str = "") -> Iterator[tuple[str, str]]:
    """Both numbers in every way to fill the rest, or in many of them where there are too many."""
    empty = [
        (seat, place) for seat in Seat for place, digit in enumerate(state.boards[seat]) if digit is None
    ]
    ways = 1
    for taken in range(len(empty)):
        ways *= len(state.pool) - taken
    if ways <= _FILLINGS:
        orders: Iterator[tuple[int, ...]] = iter(set(permutations(state.pool, len(empty))))
    else:
        orders = _some_orders(state, len(empty), Random(f"{state}{seed}"))
    for order in orders:
        boards = [list(board) for board in state.boards]
        for (seat, place), digit in zip(empty, order, strict=True):
            boards[seat][place] = digit
        yield ("".join(map(str, boards[0])), "".join(map(str, boards[1])))


def _some_orders(state: Position, length: int, rng: Random) -> Iterator[tuple[int, ...]]:
    """Random ways to fill the rest, and the extreme ones: the highest digits here, the lowest there."""
    low, high = sorted(state.pool), sorted(state.pool, reverse=True)
    first = state.boards[0].count(None)
    yield (*low[:first], *high[: length - first])
    yield (*high[:first], *low[: length - first])
    for _ in range(60):
        yield tuple(rng.sample(state.pool, length))


def winner(game: Placement, first: str, second: str) -> Seat | None:
    if first == second:
        return {"second": Seat.SECOND, "first": Seat.FIRST, "draw": None}[game.tie.value]
    return Seat.FIRST if (first > second) is (game.goal is Goal.HIGH) else Seat.SECOND


@lru_cache(maxsize=20_000)
def settled(game: Placement, state: Position, seat: Seat) -> bool:
    return all(winner(game, *numbers) is seat for numbers in fillings(state))


def _decided(game: Any, view: Any, claim: claims.Decided) -> bool:
    return settled(game, reached(game, view, claim.path), claim.seat)


def _numbers_of(game: Any, view: Any, claim: Any) -> list[str]:
    """Every number that one board can become: brute force over its empty places."""
    state = reached(game, view, claim.path)
    board = state.boards[claim.seat]
    found = []
    kinds = Counter(state.pool)
    for order in product(kinds, repeat=board.count(None)):
        if Counter(order) - kinds:
            continue
        spare = iter(order)
        found.append("".join(str(next(spare) if digit is None else digit) for digit in board))
    return found


def _at_least(game: Any, view: Any, claim: claims.AtLeast) -> bool:
    return min(_numbers_of(game, view, claim)) == claim.number


def _at_most(game: Any, view: Any, claim: claims.AtMost) -> bool:
    return max(_numbers_of(game, view, claim)) == claim.number


def _leads(game: Any, view: Any, claim: claims.Leads) -> bool:
    state = reached(game, view, claim.path)
    mine, theirs = state.boards[claim.seat], state.boards[claim.seat.other]
    before = list(zip(mine, theirs, strict=True))[: claim.place]
    return (
        all(own is not None and own == other for own, other in before)
        and (mine[claim.place], theirs[claim.place]) == (claim.better, claim.worse)
        and settled(game, state, claim.seat)
    )


def _full(game: Any, view: Any, claim: claims.Numbers) -> bool:
    boards = reached(game, view, claim.path).boards
    mine, theirs = ("".join(map(str, boards[seat])) for seat in (claim.seat, claim.seat.other))
    return (mine, theirs) == (claim.mine, claim.theirs)


def _best_numbers(game: Any, view: Any, claim: claims.BestNumbers) -> bool:
    state = reached(game, view, claim.path)
    found = value(game, state)[2]
    ahead = int(claim.mine) - int(claim.theirs)
    ahead = ahead if game.goal is Goal.HIGH else -ahead
    placed = Counter(
        int(new)
        for seat, text in ((claim.seat, claim.mine), (claim.seat.other, claim.theirs))
        for new, old in zip(text, state.boards[seat], strict=True)
        if old is None
    )
    kept = all(
        old is None or new == str(old)
        for seat, text in ((claim.seat, claim.mine), (claim.seat.other, claim.theirs))
        for new, old in zip(text, state.boards[seat], strict=True)
    )
    return (found if claim.seat is Seat.FIRST else -found) == ahead and kept and placed <= Counter(state.pool)


def _mirrors(game: Any, view: Any, claim: claims.Mirrors) -> bool:
    """Copy against players who do anything: the numbers must tie, and the tie must win."""
    start = reached(game, view, claim.path)
    if winner(game, "1", "1") is not claim.seat:
        return False
    rng = Random(str(start))
    for _ in range(5):
        state = start
        while game.outcome(state) is None:
            move = rng.choice(game.legal(state, claim.seat.other))
            state = game.play(state, move)
            copy = type(move)(move.digit, move.board.other, move.place)
            if copy not in game.legal(state, claim.seat):
                return False
            state = game.play(state, copy)
        if game.outcome(state).winner is not claim.seat or state.boards[0] != state.boards[1]:
            return False
    return True


def _last_copy(game: Any, view: Any, claim: claims.LastCopy) -> bool:
    return list(reached(game, view, claim.path).pool).count(claim.digit) == 1


def _must_fill(game: Any, view: Any, claim: claims.MustFill) -> bool:
    state = reached(game, view, claim.path)
    (mover,) = game.acting(state)
    if state.boards[claim.board][claim.place] is not None:
        return False
    for move in game.legal(state, mover):
        if (move.board, move.place) == (claim.board, claim.place):
            continue
        after = game.play(state, move)
        threats = [
            answer
            for answer in game.legal(after, mover.other)
            if (answer.board, answer.place) == (claim.board, claim.place)
        ]
        if not any(settled(game, game.play(after, answer), mover.other) for answer in threats):
            return False
    return True


CHECKS: dict[type, Callable[[Any, Any, Any], bool]] = {
    claims.Decided: _decided,
    claims.AtLeast: _at_least,
    claims.AtMost: _at_most,
    claims.Leads: _leads,
    claims.Numbers: _full,
    claims.BestNumbers: _best_numbers,
    claims.Mirrors: _mirrors,
    claims.LastCopy: _last_copy,
    claims.MustFill: _must_fill,
}
