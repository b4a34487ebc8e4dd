"""What a coach can be asked about one game: a decision, another's choice, and how good a move was."""

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
    FINE = "fine"  # the result is kept; margin or haste is not
    MISTAKE = "mistake"
    FORCED = "forced"
    UNJUDGED = "unjudged"


@dataclass(frozen=True, slots=True)
class Expected:
    """What a move leads to for the mover: a result from -1 to 1, or a chance from 0 to 1."""

    value: Score | float
    margin: int | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """How good a move was, beside the best; None where nobody knows what they lead to."""

    verdict: Verdict
    best: Expected | None = None
    made: Expected | None = None
    note: str = ""  # a sentence about what became of it


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Glimpse(Generic[M, V]):
    """What one seat saw of another's, or its own, choice."""

    mover: Seat
    move: M
    before: V  # the asker's views around it
    after: V
    legal: tuple[M, ...]  # what the mover could choose from; empty where the asker may not know


class Coach(Generic[S, M, V]):
    """The coach of a game that is solved state by state, or of one that nobody has solved."""

    chances = False  # values are chances to win a round, not results
    assumed = ""  # about the player opposite, in words

    def __init__(self, variant: Variant[S, M, V], reasons: Callable[..., AnyReasons] = Reasons) -> None:
        self.variant, self._reasons = variant, reasons

    def decision(self, view: V, seat: Seat, legal: Sequence[M], speech: Speech) -> Decision[M]:
        """The decision that a seat has to make."""
        case: AnyCase = Case(self.variant.game, view)
        reasons = self._reasons(self.variant, case, speech)
        try:
            case.oracle  # noqa: B018  # asked once, so that nothing is promised that cannot be kept
        except Unsolved:
            return TipsDecision(self.variant, seat, tuple(legal), reasons)
        return SolvedDecision(seat, reasons)

    def told(self, glimpse: Glimpse[M, V], seat: Seat, speech: Speech) -> Reason | None:
        """What a seat can be told about a choice it has seen; None if there is nothing to say."""
        if not glimpse.legal:
            return None
        return self.decision(glimpse.before, glimpse.mover, glimpse.legal, speech).explain(glimpse.move)

    def judge(self, view: V, seat: Seat, legal: Sequence[M], move: M) -> Judgement:
        """How good a move was, from what its mover knew."""
        try:
            found = solver(self.variant.game).evaluate(view, seat, BRISK)
        except Unsolved:
            return Judgement(Verdict.UNJUDGED)
        best, made = found.moves[0], found.of(move)
        verdict = Verdict.BEST if made.best else Verdict.FINE if made.keeps else Verdict.MISTAKE
        margins = (best.margin, made.margin) if found.has_margins else (None, None)
        return Judgement(verdict, Expected(best.value, margins[0]), Expected(made.value, margins[1]))

    def evaluate(self, view: V, seat: Seat, effort: Effort) -> Evaluation[M]:
        """What each move of a seat is worth, or TooBig, or Unsolved."""
        return solver(self.variant.game).evaluate(view, seat, effort)

    def hindsight(self, found: Judgement, later: Sequence[Step[S, M]]) -> Judgement:
        """The judgement of the first of some steps, once it is known what the others were."""
        return found

    def standing(self, view: V) -> float | None:
        """The chance of the seat whose view it is to win the round; None where it is unknown."""
        return None

    def round_won(self, step: Step[S, M], seat: Seat) -> float | None:
        """1, 0 or 0.5 if a step ended a round that the seat won, lost or tied; None if none ended."""
        return None

    def truth(self, step: Step[S, M], speech: Speech) -> str:
        """What a choice would have been worth to one who saw everything; empty where nothing was hidden."""
        return ""

    def ends_round(self, step: Step[S, M]) -> bool:
        """Whether a step ends a round, and the next one begins."""
        return False
