"""Exploration of a game: successor states, and every view that a policy may be asked about."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from random import Random
from typing import TypeVar

from digit_duel.core.game import Game, M, S, Seat, V, public
from digit_duel.core.variant import Variant
from digit_duel.solve.errors import TooBig
from digit_duel.solve.families import solver

LIMIT = 2_000_000  # moves tried, which takes about half a minute
DESCENTS = 200  # random descents of a tree, to estimate its size
SURELY = 10  # times the limit: a tree with a larger estimate is surely too big

K = TypeVar("K", bound=Hashable)


def nexts(game: Game[S, M, V], state: S) -> list[S]:
    """The successors of a state; two simultaneous choices are one step."""
    if draws := game.chance(state):
        return [game.play(state, draw) for draw, _ in draws]
    acting = game.acting(state)
    if len(acting) < 2:
        return [game.play(state, move) for seat in acting for move in game.legal(state, seat)]
    firsts, seconds = (game.legal(state, seat) for seat in Seat)
    return [game.play(game.play(state, first), second) for first in firsts for second in seconds]


def questions(game: Game[S, M, V], limit: int = LIMIT) -> Iterator[tuple[Seat, V, Sequence[M]]]:
    """Every view, with its seat and legal moves, that a policy may be asked about; raises TooBig."""
    for state, seat in decisions(game, limit):
        yield seat, game.view(state, seat), game.legal(state, seat)


def decisions(game: Game[S, M, V], limit: int = LIMIT) -> Iterator[tuple[S, Seat]]:
    """Every decision as a state and a seat, once for each view; raises TooBig."""
    check_size(game, limit)
    found, asked = {game.start()}, set()
    waiting = list(found)
    while waiting:
        state = waiting.pop()
        for seat in game.acting(state):
            if (key := (seat, game.view(state, seat))) not in asked:
                asked.add(key)
                yield state, seat
        for after in nexts(game, state):
            limit -= 1
            if limit < 0:
                raise TooBig(
                    "this game is too big for a table: it has more states than the limit allows. "
                    "Take a smaller game or a higher limit."
                )
            if after not in found:
                found.add(after)
                waiting.append(after)


def estimated_size(start: K, nexts: Callable[[K], Sequence[K]], enough: int) -> float:
    """Estimate the size of a tree by random descents (Knuth 1975); stops when it is surely large enough."""
    rng, total = Random(0), 0.0
    for _ in range(DESCENTS):
        node, weight = start, 1.0
        while after := nexts(node):
            weight *= len(after)
            total += weight
            if total > enough * DESCENTS:
                return enough
            node = rng.choice(after)
    return total / DESCENTS


def check_size(game: Game[S, M, V], limit: int = LIMIT) -> None:
    """Raise TooBig at once if a game is certainly too large to tabulate or evaluate a policy.

    Call it before learning a policy. A game that passes may still turn out to be too large.
    """
    refuse_variant(game)
    refuse_large(game, lambda state: nexts(game, state), limit)


def refuse_large(game: Game[S, M, V], after: Callable[[S], Sequence[S]], limit: int) -> None:
    """Raise TooBig early if a game is too large; `after` gives the successors that have to be explored.

    With hidden hands states hardly ever recur, so the work is the number of histories, which is estimated.
    Elsewhere the work is the number of moves in all states, which some solvers know.
    """
    if public(game.view, game.start()):
        moves = solver(game).least_moves
        if moves > limit and _explores_all(game, after):
            raise TooBig(
                f"this game is too big: more than {limit:,} moves would have to be tried, {moves:,} in all. "
                "Take a smaller game from the size ladder, or a higher limit."
            )
        return
    if estimated_size(game.start(), after, SURELY * limit) >= SURELY * limit:
        raise TooBig(
            f"this game is too big: far more than {limit:,} moves would have to be tried. "
            "Take a smaller game from the size ladder, or a higher limit."
        )


def _explores_all(game: Game[S, M, V], after: Callable[[S], Sequence[S]]) -> bool:
    """Whether random descents meet no state in which a policy leaves out moves."""
    rng = Random(0)
    for _ in range(DESCENTS // 10):
        state = game.start()
        while explored := after(state):
            if len(explored) < len(nexts(game, state)):
                return False
            state = rng.choice(explored)
    return True


def refuse_variant(game: object) -> None:
    """Raise TypeError if a variant was passed instead of its game."""
    if isinstance(game, Variant):
        raise TypeError("this function takes a game, not a variant; pass variant.game.")


def refuse_game(variant: object) -> None:
    """Raise TypeError if a game was passed instead of a variant."""
    if isinstance(variant, Game):
        raise TypeError("this function takes a variant, not its game; pass what variant(...) returned.")


def checked_seat(seat: object) -> Seat:
    """The seat, also if given as 0 or 1; raises ValueError."""
    if seat in tuple(Seat):
        return Seat(seat)  # type: ignore[arg-type]  # it equals 0 or 1
    raise ValueError(f"a seat is Seat.FIRST (0) or Seat.SECOND (1), not {seat!r}.")
