"""Questions for the analysis process, which receives them and calls their answer method.

The solvers are imported inside those methods, so that the server itself does not load them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from random import SystemRandom
from typing import Generic, TypeVar

from digit_duel.bots import LEVELS
from digit_duel.core.game import Seat
from digit_duel.core.script import Names
from digit_duel.core.variant import AnyVariant
from digit_duel.web.analysis.answer_types import HintAnswer, PositionAnswer, ReviewAnswer

A = TypeVar("A")


class AnalysisQuestion(ABC, Generic[A]):
    """Something to compute about a game; plain data, hashable and picklable."""

    @abstractmethod
    def answer(self, variant: AnyVariant) -> A:
        """Compute the answer, or raise Refusal."""


@dataclass(frozen=True)
class HintQuestion(AnalysisQuestion[HintAnswer]):
    """A good move for a seat, judged by what it sees."""

    view: object
    seat: Seat
    legal: tuple[object, ...]
    names: Names
    level: str  # of the opposing computer

    def answer(self, variant: AnyVariant) -> HintAnswer:
        from digit_duel.coach.opponent import Opponent
        from digit_duel.web.analysis import analysis_json

        return analysis_json.hint(variant, self.view, self.seat, self.legal, self.names, Opponent(self.level))


@dataclass(frozen=True)
class ReviewQuestion(AnalysisQuestion[ReviewAnswer]):
    """What the moves of a finished game were worth: one seat's moves, or both seats'."""

    record: str
    seat: Seat | None
    reader: Seat | None = None  # the seat that the text addresses as "you"

    def answer(self, variant: AnyVariant) -> ReviewAnswer:
        from digit_duel.core.record import read_record
        from digit_duel.web.analysis import analysis_json

        return analysis_json.review(variant, read_record(self.record), self.seat, self.reader)


@dataclass(frozen=True)
class PositionQuestion(AnalysisQuestion[PositionAnswer]):
    """The value of the position after some moves; the names are those of the players."""

    moves: tuple[str, ...]
    seat: Seat | None
    names: Names | None
    computer: tuple[Seat, str] | None = None  # the seat and level of the computer that played it

    def answer(self, variant: AnyVariant) -> PositionAnswer:
        from digit_duel.web.analysis import analysis_json

        return analysis_json.position(variant, self.moves, self.seat, self.names, self.computer)


@dataclass(frozen=True)
class AffordableQuestion(AnalysisQuestion[None]):
    """Whether the rules can be solved within the time limit; raises TooBig if not."""

    def answer(self, variant: AnyVariant) -> None:
        from digit_duel.web.analysis.analysis_json import affordable

        affordable(variant.game)


@dataclass(frozen=True)
class ChoiceQuestion(AnalysisQuestion[str]):
    """The computer's move, in notation."""

    level: str
    seat: Seat
    view: object
    legal: tuple[object, ...]

    def answer(self, variant: AnyVariant) -> str:
        from digit_duel.web.analysis.analysis_json import affordable

        affordable(variant.game)
        return self.choose(variant)

    def choose(self, variant: AnyVariant) -> str:
        """Choose a move without checking first whether the rules can be solved."""
        bot = LEVELS[self.level](variant, self.seat, SystemRandom())
        return variant.game.text(bot.choose(self.view, self.legal))
