"""A position analysed: its value, every move with its own, the best line, and why the best move is best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from digit_duel.coach.families import coach_of
from digit_duel.coach.speech import Speech
from digit_duel.core.game import M, S, Seat, V
from digit_duel.core.record import Steps
from digit_duel.core.script import Names
from digit_duel.core.session import half_chosen
from digit_duel.core.variant import Variant
from digit_duel.solve.effort import Effort
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.evaluation import Evaluation
from digit_duel.solve.families import hides, solver
from digit_duel.solve.oracle import line

NAMES = ("First", "Second")  # where nobody has played


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Analysis(Generic[M]):
    """What can be said about a position."""

    evaluation: Evaluation[M]
    line: tuple[str, ...] = ()  # the best play of both, up to the end or to where chance or secrets begin
    reason: str = ""  # for the best move


def analyse(
    variant: Variant[S, M, V],
    steps: Steps[S, M],
    seat: Seat | None,
    effort: Effort,
    names: Names | None = None,
) -> Analysis[M]:
    """Analyse the position after some steps from what one seat, or else the mover, knows.

    The mover is called you, unless the names of those who played are given: then the asking seat is. Raises
    TooBig if that takes more than the effort, and Unsolved where nobody knows.
    """
    game = variant.game
    state: S = steps[-1].after if steps else game.start()
    if (outcome := game.outcome(state)) is not None:
        return Analysis(Evaluation(None, outcome.score(seat or Seat.FIRST)))
    acting = game.acting(state)
    mover = to_move(acting, seat)
    if hides(game) and (mover is None or seat not in (None, mover)):
        who = " and ".join(NAMES[one].lower() for one in acting) or "nobody"
        raise Unsolved(f"there is nothing to decide from that seat's view here; {who} can move.")
    if mover is None:
        value = solver(game).oracle(effort).value(state).score
        return Analysis(Evaluation(None, value, chances=True))
    if half_chosen(game, steps):
        state = steps[-1].before  # a secret choice stays a secret while the other is still to come
    view = game.view(state, mover)
    found: Evaluation[M] = solver(game).evaluate(view, mover, effort)
    speech = Speech(NAMES, mover) if names is None else Speech(names, seat)
    asked = coach_of(variant).decision(view, mover, game.legal(state, mover), speech)
    return Analysis(found, _best_line(variant, state, effort), asked.explain(asked.chosen()).sentence)


def to_move(acting: tuple[Seat, ...], seat: Seat | None) -> Seat | None:
    """Who is asked to move: the seat that wants to know, if it may; None while nature moves."""
    return None if not acting else seat if seat in acting else acting[0]


def _best_line(variant: Variant[S, M, V], state: S, effort: Effort) -> tuple[str, ...]:
    if hides(variant.game):
        return ()
    moves = line(variant.game, solver(variant.game).oracle(effort), state)
    return tuple(variant.game.text(move) for move in moves)
