"""Analysis of a position: its value, the value of every move, the best line, and why the best move is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic

from digit_duel.coach.claims import LikedMost
from digit_duel.coach.coach import Coach
from digit_duel.coach.decision import Decision
from digit_duel.coach.families import coach_of
from digit_duel.coach.opponent import PERSON, Opponent
from digit_duel.coach.reason import Reason
from digit_duel.coach.speech import Speech
from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.core.record import Steps
from digit_duel.core.script import Names
from digit_duel.core.session import half_chosen
from digit_duel.core.variant import Variant
from digit_duel.solve.effort import Effort
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.evaluation import Evaluation
from digit_duel.solve.families import solver, views_differ
from digit_duel.solve.oracle import line

NAMES = ("First", "Second")  # used when nobody has played yet


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Analysis(Generic[M]):
    """The result of analysing a position."""

    evaluation: Evaluation[M] = field(default_factory=Evaluation)
    line: tuple[str, ...] = ()  # the best play of both, up to the end or to where chance or secrets begin
    reason: str = ""  # for the best move
    words: tuple[str, ...] = ()  # for each of the evaluated moves
    unknown: str = ""  # why the value is unknown; empty if it is known


def analyse(
    variant: Variant[S, M, V],
    steps: Steps[S, M],
    seat: Seat | None,
    effort: Effort,
    names: Names | None = None,
    opponent: Opponent = PERSON,
) -> Analysis[M]:
    """Analyse the position after some steps, from what the given seat knows, or else the seat to move.

    The text addresses the seat to move as "you"; if player names are given, it addresses the given seat.
    """
    game = variant.game
    state: S = steps[-1].after if steps else game.start()
    if (outcome := game.outcome(state)) is not None:
        return Analysis(Evaluation(None, outcome.score(seat or Seat.FIRST)))
    acting = game.acting(state)
    mover = to_move(acting, seat)
    if views_differ(game) and mover is None:
        return Analysis(unknown="nobody has anything to decide in this position: chance moves next.")
    if views_differ(game) and seat not in (None, mover):
        who = " and ".join(NAMES[one].lower() for one in acting)
        return Analysis(unknown=f"that seat has nothing to decide in this position; {who} can move.")
    if half_chosen(game, steps):
        state = steps[-1].before  # a secret choice stays a secret while the other is still to come
    speech = Speech(NAMES, mover) if names is None else Speech(names, seat)
    coach: Coach[S, M, V] = coach_of(variant, opponent)
    asked = None if mover is None else _asked(coach, state, mover, speech)
    reason = Reason("", ()) if asked is None else asked.explain(asked.chosen())
    try:
        found = _evaluated(coach, state, mover, effort)
        words = () if asked is None else tuple(asked.named(each.move) for each in found.moves)
        by_tips = any(isinstance(claim, LikedMost) for claim in reason.claims)
        # A hint makes do with the tips where solving takes too long; here the values are known.
        return Analysis(found, _best_line(game, state, effort), "" if by_tips else reason.sentence, words)
    except Unsolved as unsolved:
        return Analysis(Evaluation(mover), (), reason.sentence, unknown=str(unsolved))


def to_move(acting: tuple[Seat, ...], seat: Seat | None) -> Seat | None:
    """The seat whose move is analysed: the given one if it can move, else the first that can, if any."""
    return None if not acting else seat if seat in acting else acting[0]


def _evaluated(coach: Coach[S, M, V], state: S, mover: Seat | None, effort: Effort) -> Evaluation[M]:
    game = coach.variant.game
    if mover is None:
        return Evaluation(None, solver(game).oracle(effort).value(state).score, chances=True)
    return coach.evaluate(game.view(state, mover), mover, effort)


def _best_line(game: Game[S, M, V], state: S, effort: Effort) -> tuple[str, ...]:
    if views_differ(game):
        return ()
    return tuple(game.text(move) for move in line(game, solver(game).oracle(effort), state))


def _asked(coach: Coach[S, M, V], state: S, mover: Seat, speech: Speech) -> Decision[M]:
    game = coach.variant.game
    return coach.decision(game.view(state, mover), mover, game.legal(state, mover), speech)
