"""The tutor: sets up the position of a lesson and judges what the learner chooses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from digit_duel.core.game import M, S, Seat, V
from digit_duel.core.record import follow
from digit_duel.core.script import Names
from digit_duel.core.session import Session
from digit_duel.core.teaching.tutorial import Lesson
from digit_duel.core.variant import Variant

_YOU, _OTHER = "You", "Computer"


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Feedback(Generic[S, M, V]):
    """Whether a choice passes a lesson, what to say, and the table after the choice and the reply."""

    good: bool
    text: str
    session: Session[S, M, V]  # as before where the choice does not pass


def names(lesson: Lesson) -> Names:
    """The names at the table of a lesson."""
    return (_YOU, _OTHER) if lesson.seat is Seat.FIRST else (_OTHER, _YOU)


def position(variant: Variant[S, M, V], lesson: Lesson) -> Session[S, M, V]:
    """The session in which a lesson begins, with the learner to choose; raises BadRecord."""
    return _played(variant, lesson, lesson.at.split())


def moves(variant: Variant[S, M, V], lesson: Lesson) -> Sequence[M]:
    """What the learner can choose."""
    return variant.game.legal(position(variant, lesson).state, lesson.seat)


def judge(variant: Variant[S, M, V], lesson: Lesson, move: M) -> Feedback[S, M, V]:
    """Judge a legal choice: play the reply to a good one, or allow a second try."""
    text = variant.game.text(move)
    if lesson.good and text not in lesson.good.split():
        return Feedback(False, lesson.otherwise, position(variant, lesson))
    line = [*lesson.at.split(), text, *lesson.reply.split()]
    return Feedback(True, lesson.well, _played(variant, lesson, line))


def pointed_at(variant: Variant[S, M, V], lesson: Lesson) -> M | None:
    """The choice that a screen should point at; None if the learner is to find it."""
    if not (lesson.shown and lesson.good):
        return None
    state = position(variant, lesson).state
    return variant.game.parse(state, lesson.seat, lesson.good.split()[0])


def _played(variant: Variant[S, M, V], lesson: Lesson, line: list[str]) -> Session[S, M, V]:
    session = Session(variant, names(lesson), lambda draws, ply: draws[0][0])
    # Only the lesson's own cards are dealt: the session stops where the next card would be drawn.
    session.steps = follow(variant.game, line)
    return session
