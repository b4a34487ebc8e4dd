"""What a whole solve found, for people and programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from digit_duel.core.game import Game, Seat
from digit_duel.core.session import public
from digit_duel.games._placement import Placement
from digit_duel.solve.library import Hidden, PlacingOracle, Table
from digit_duel.solve.oracle import Oracle
from digit_duel.solve.tablebase import Tablebase
from digit_duel.solve.value import Score

MOST_PACKED = 200_000_000  # states up to which every single one is visited
Progress = Callable[..., None]  # called with what is done, and the total where it is known


@dataclass(frozen=True, slots=True)
class Report:
    """A game's value at its start, and how it was come by."""

    states: int
    value: Score  # for the first seat
    sentence: str
    openings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    more: dict[str, Any] = field(default_factory=dict)  # what a program may want besides


def placing(game: Placement, progress: Progress) -> Report:
    """Solve a placing game: every state by itself where they fit, by rests of the pool where they do not."""
    from digit_duel.solve.placing import packed, pooled

    estimate = packed.fits(game)
    single = estimate.fits and estimate.states <= MOST_PACKED
    table: Table = packed.solve(game, progress) if single else pooled.solve(game, progress)
    oracle = PlacingOracle(game, table)
    margin = oracle.value(game.start()).margin
    note = (
        f"With best play the numbers end {abs(margin)} apart."
        if margin
        else "With best play the numbers are equal."
    )
    return _from(game, oracle, estimate.states, (note,))


def general(game: Game[Any, Any, Any], progress: Progress) -> Report:
    """Solve any game in which what is hidden is hidden for one choice only."""
    if not public(game.view, game.start()):
        raise Hidden("this game hides hands.")
    solved: Tablebase[Any, Any] = Tablebase(game, progress=progress)
    return _from(game, solved, solved.states, ())


def hands(game: Any, progress: Progress) -> Report:
    """Solve a game of hidden hands."""
    raise Hidden("no solver here knows a game with these hidden hands.")


def _from(game: Game[Any, Any, Any], oracle: Oracle[Any], states: int, notes: tuple[str, ...]) -> Report:
    start = game.start()
    value = oracle.value(start).score
    openings: tuple[str, ...] = ()
    if game.acting(start) == (Seat.FIRST,):
        after = [(move, oracle.value(game.play(start, move))) for move in game.legal(start, Seat.FIRST)]
        openings = tuple(game.text(move) for move, reached in after if reached.score == 1)
    more = {"value_exact": str(value)} if isinstance(value, Fraction) else {}
    return Report(states, value, _who_wins(value), openings, notes, more)


def _who_wins(value: Score) -> str:
    if value in (1, -1):
        return f"the {'first' if value == 1 else 'second'} player wins."
    return "with best play nobody wins." if value == 0 else f"the first player's value is {value}."
