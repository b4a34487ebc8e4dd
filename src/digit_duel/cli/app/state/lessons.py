"""A tutorial at the table: one lesson after another, each a position and a choice."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from digit_duel.cli.app.state.choice import Choice, LocalChoice, Offer, landed
from digit_duel.cli.app.state.effects import captions, effects
from digit_duel.cli.app.state.table import Phase, TableView, move_lines
from digit_duel.cli.errors import Problem
from digit_duel.cli.records import learning
from digit_duel.core.teaching import tutor
from digit_duel.core.teaching.tutorial import Lesson
from digit_duel.core.variant import AnyVariant

_NEXT = (("go on", "enter", "next lesson"),)


class Lessons:
    """The lessons of a game; the learner's place in them is saved."""

    def __init__(self, variant: AnyVariant, start: int | None = None) -> None:
        if variant.tutorial is None:
            raise Problem(f"{variant.id} has no tutorial. Its rules explain it.")
        self.variant = variant
        self._lessons = variant.tutorial.lessons
        if start is not None and start > len(self._lessons):
            raise Problem(f"{variant.id} has {len(self._lessons)} lessons.")
        self.number = start or learning.next_lesson(variant.id, len(self._lessons))
        self.choice: Choice | None = None
        self._begin()

    @property
    def lesson(self) -> Lesson:
        """The lesson being learned."""
        return self._lessons[self.number - 1]

    @property
    def over(self) -> bool:
        """Whether the last lesson is passed."""
        return self.passed and self.number == len(self._lessons)

    @property
    def goodbye(self) -> str:
        """Where to go on, for a learner who leaves the program."""
        if self.number == len(self._lessons):
            return f"Now play it: digit-duel play {self.variant.id} --vs computer"
        return f"To go on with the lessons: digit-duel learn {self.variant.id}"

    def pick(self, offer: Offer) -> None:
        """Choose something; a whole choice is judged."""
        assert self.choice is not None
        move = self.choice.pick(offer)
        if move is not None:
            self.judge(move)

    def judge(self, move: Any) -> None:
        """Judge a choice, and pass the lesson if it is good."""
        found = tutor.judge(self.variant, self.lesson, move)
        self._said, self.passed, self._session = found.text, found.good, found.session
        self.choice = None if found.good else self._choice()
        if self.over:
            self._keep(1)

    def go_on(self) -> None:
        """Go to the next lesson; after the last one, stay."""
        if self.number < len(self._lessons):
            self.number += 1
            self._begin()

    def pointed_at(self) -> str:
        """What the screen points at: the good choice or, if the learner is to find it, a different one."""
        choice = self.choice
        if choice is None:
            return ""
        move = tutor.pointed_at(self.variant, self.lesson)
        if move is not None:
            return next((offer.action for offer in choice.offers if choice.leads(offer, move)), "")
        good = [each for each in choice.moves if self.variant.game.text(each) in self.lesson.good.split()]
        others = [offer for offer in choice.offers if not any(choice.leads(offer, each) for each in good)]
        return next((offer.action for offer in others), "")

    def view(self) -> TableView:
        """The table of the lesson."""
        session, voice = self._session, self.variant.voice
        outcome = session.outcome
        base = TableView(
            title=f"{self.variant.id.capitalize()}, lesson {self.number} of {len(self._lessons)}",
            phase=Phase.TURN if outcome is None else Phase.OVER,
            scene=voice.scene(session.view(self.lesson.seat)),
            names=session.names,
            below=self.lesson.seat,
            alone=True,
            message=self._said or self.lesson.text,
            marked=landed(voice, session.steps),
            winner=None if outcome is None else outcome.winner,
            moves=move_lines(
                session.steps,
                [voice.brief(step, self.lesson.seat, session.names) for step in session.steps],
            ),
            hints=False,
        )
        if self.choice is None:
            done = (("play", "p", "play it now"), ("leave", "q", "back")) if self.over else _NEXT
            last = next((step.seat for step in reversed(session.steps) if step.seat is not None), None)
            return replace(base, actions=done, mover=last)
        told = effects(self.choice, base.scene, self.lesson.seat, session.names, alone=True)
        return replace(
            base,
            turn=self.lesson.seat,
            offers=self.choice.offers,
            picked=self.choice.picked,
            effects=told,
            captions=captions(self.choice, voice, session.names[self.lesson.seat.other], told),
            actions=(("skip", "s", "skip"),),
        )

    def _begin(self) -> None:
        self._session = tutor.position(self.variant, self.lesson)
        self._said, self.passed = "", False
        self.choice = self._choice()
        self._keep(self.number)

    def _choice(self) -> Choice:
        return LocalChoice(self.variant.voice, self._session.state, self.lesson.seat)

    def _keep(self, number: int) -> None:
        with suppress(OSError):  # then the lessons begin again next time
            learning.remember(self.variant.id, number)
