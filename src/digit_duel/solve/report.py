"""The report of a complete solve, for people and programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.solve.oracle import Oracle
from digit_duel.solve.value import Score


@dataclass(frozen=True, slots=True)
class Report:
    """The value of a game at its start, and notes on how it was found."""

    states: int
    value: Score  # for the first seat
    sentence: str
    openings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    more: Mapping[str, str | float | None] = field(default_factory=dict)  # for programs


def open_report(game: Game[S, M, V], oracle: Oracle[S], states: int, notes: tuple[str, ...] = ()) -> Report:
    """The report of a game that is solved state by state."""
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
    if value == 0:
        return "with best play nobody wins."
    share = (value + 1) / 2
    return f"with best play the first player gets {share} of the points ({float(share):.2%})."
