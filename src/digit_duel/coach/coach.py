"""The coach of one game: advises on decisions, explains moves, and judges how good they were."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic

from digit_duel.coach.cases import AnyCase, Case
from digit_duel.coach.decision import Decision, SolvedDecision, TipsDecision
from digit_duel.coach.generic import AnyReasons, Reasons
from digit_duel.coach.reason import Reason
from digit_duel.coach.speech import Speech
from digit_duel.core.game import M, S, Seat, V
from digit_duel.core.script import Step
from digit_duel.core.variant import Variant
from digit_duel.solve.effort import Effort
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.evaluation import Evaluation
from digit_duel.solve.families import BRISK, solver
from digit_duel.solve.value import Score


class Verdict(StrEnum):
    """How good a move was."""

    BEST = "best"
    FINE = "fine"  # keeps the result, but loses margin or time
    MISTAKE = "mistake"
    FORCED = "forced"
    UNJUDGED = "unjudged"


@dataclass(frozen=True, slots=True)
class Expected:
    """The outcome of a move for the mover: a result from -1 to 1, or a probability from 0 to 1."""

    value: Score | float
    margin: int | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """How good a move was, compared with the best one; None where the outcome is unknown."""

    verdict: Verdict
    best: Expected | None = None
    made: Expected | None = None
    note: str = ""  # a sentence about what came of it


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Glimpse(Generic[M, V]):
    """What one seat saw of a move, its own or the other seat's."""

    mover: Seat
    move: M
    before: V  # the asking seat's view before the move
    after: V  # and after it
    legal: tuple[M, ...]  # what the mover could choose from; empty if the asking seat must not know


class Coach(Generic[S, M, V]):
    """The coach of a game that is solved state by state, or of an unsolved one."""

    chances = False  # values are probabilities of winning a round, not results
    assumed = ""  # what is assumed about the opponent, in words

    def __init__(self, variant: Variant[S, M, V], reasons: Callable[..., AnyReasons] = Reasons) -> None:
        self.variant, self._reasons = variant, reasons

    def decision(self, view: V, seat: Seat, legal: Sequence[M], speech: Speech) -> Decision[M]:
        """The decision that a seat has to make."""
        case: AnyCase = Case(self.variant.game, view)
        reasons = self._reasons(self.variant, case, speech)
        try:
            case.oracle  # noqa: B018  # fail now rather than in the middle of an explanation
        except Unsolved:
            return TipsDecision(self.variant, seat, tuple(legal), reasons)
        return SolvedDecision(seat, reasons)

    def told(self, glimpse: Glimpse[M, V], seat: Seat, speech: Speech) -> Reason | None:
        """Explain a move to a seat that has seen it; None if there is nothing to say."""
        if not glimpse.legal:
            return None
        return self.decision(glimpse.before, glimpse.mover, glimpse.legal, speech).explain(glimpse.move)

    def judge(self, view: V, seat: Seat, legal: Sequence[M], move: M) -> Judgement:
        """Judge a move by what its mover knew."""
        try:
            found = solver(self.variant.game).evaluate(view, seat, BRISK)
        except Unsolved:
            return Judgement(Verdict.UNJUDGED)
        best, made = found.moves[0], found.of(move)
        verdict = Verdict.BEST if made.best else Verdict.FINE if made.keeps else Verdict.MISTAKE
        margins = (best.margin, made.margin) if found.has_margins else (None, None)
        return Judgement(verdict, Expected(best.value, margins[0]), Expected(made.value, margins[1]))

    def evaluate(self, view: V, seat: Seat, effort: Effort) -> Evaluation[M]:
        """The value of each move of a seat; raises TooBig or Unsolved."""
        return solver(self.variant.game).evaluate(view, seat, effort)

    def hindsight(self, found: Judgement, later: Sequence[Step[S, M]]) -> Judgement:
        """Revise the judgement of the first of some steps, now that the later ones are known."""
        return found

    def standing(self, view: V) -> float | None:
        """The probability that the seat with this view wins the round; None if unknown."""
        return None

    def round_won(self, step: Step[S, M], seat: Seat) -> float | None:
        """1, 0 or 0.5 if the step ended a round that the seat won, lost or tied; None if it ended none."""
        return None

    def truth(self, step: Step[S, M], speech: Speech) -> str:
        """The value of a choice to someone who saw every card, in words; empty if nothing was hidden."""
        return ""

    def ends_round(self, step: Step[S, M]) -> bool:
        """Whether a step ends a round and the next one begins; a tied round goes on."""
        return False
