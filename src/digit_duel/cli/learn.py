"""digit-duel learn: a game's tutorial at the terminal, lesson by lesson."""

from __future__ import annotations

from collections.abc import Sequence

from digit_duel.cli.errors import Problem
from digit_duel.cli.play.local_turn import LocalTurn
from digit_duel.cli.play.messages import COMMANDS
from digit_duel.cli.play.prompt import TurnOver, ask_move, pause
from digit_duel.cli.records import learning
from digit_duel.cli.screen.scene_text import board
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.answers import choices
from digit_duel.core.game import M, S, V
from digit_duel.core.session import AnySession, Session
from digit_duel.core.teaching import tutor
from digit_duel.core.teaching.tutorial import Lesson, Tutorial
from digit_duel.core.variant import AnyVariant

_COMMANDS = {
    **{word: COMMANDS[word] for word in ("help", "rules", "board", "moves", "counts")},
    "hint": "what to do here",
    "skip": "go on to the next lesson",
    "quit": "leave; you can continue from this lesson later",
}


def learn(terminal: Terminal, variant: AnyVariant, start: int | None = None) -> None:
    """Teach a game from a lesson on; by default from where the learner stopped."""
    lessons = _tutorial(variant).lessons
    if start is not None and start > len(lessons):
        raise Problem(f"{variant.id} has {len(lessons)} lessons.")
    first = start or learning.next_lesson(variant.id, len(lessons))
    terminal.say("Answer the questions below the table. Type skip for the next lesson, or quit to leave.")
    if first > 1 and start is None:
        terminal.say(f"You stopped at lesson {first}. To start over: digit-duel learn {variant.id} 1")
    for number in range(first, len(lessons) + 1):
        heading = f"{variant.id.capitalize()}, lesson {number} of {len(lessons)}"
        terminal.say(f"\n{heading}")
        passed = _teach(terminal, variant, lessons[number - 1], Progress(terminal, variant.id, number))
        if passed and number < len(lessons) and terminal.interactive:
            pause(terminal, "\nPress Enter to continue. ", "your place in the lessons is saved")
    Progress(terminal, variant.id, 1).save(tutor.position(variant, lessons[0]))
    terminal.say("\nThat was the last lesson.")


def _tutorial(variant: AnyVariant) -> Tutorial:
    """The tutorial of a game; raises Problem."""
    if variant.tutorial is None:
        raise Problem(f"{variant.id} has no tutorial. The rules: digit-duel rules {variant.id}")
    return variant.tutorial


def _teach(terminal: Terminal, variant: AnyVariant, lesson: Lesson, progress: Progress) -> bool:
    """Play one lesson until the learner passes it (true) or skips it."""
    session = tutor.position(variant, lesson)
    progress.save(session)
    turn = LessonTurn(terminal, session, lesson, progress)
    terminal.say(f"\n{turn.board()}\n\n{lesson.text}")
    while True:
        try:
            found = tutor.judge(variant, lesson, ask_move(terminal, turn))
        except TurnOver:
            return False
        if found.good:
            after = variant.voice.scene(found.session.view(lesson.seat))
            terminal.say(f"\n{board(after, session.names)}\n\n{found.text}")
            return True
        terminal.say(found.text)


class Progress:
    """Saves the learner's place in the lessons of a game."""

    def __init__(self, terminal: Terminal, game: str, number: int) -> None:
        self._terminal, self._game, self._number = terminal, game, number

    def save(self, session: AnySession) -> None:
        if problem := self._problem():
            self._terminal.say(f"({problem})")

    def save_now(self, session: AnySession) -> str:
        return self._problem() or "Your place in the lessons is saved."

    def _problem(self) -> str:
        try:
            learning.remember(self._game, self._number)
        except OSError as error:
            return f"Your place in the lessons cannot be saved: {error.strerror}."
        return ""


class LessonTurn(LocalTurn[S, M, V]):
    """What a learner can answer in a lesson."""

    commands = _COMMANDS

    def __init__(
        self, terminal: Terminal, session: Session[S, M, V], lesson: Lesson, progress: Progress
    ) -> None:
        super().__init__(terminal, session, lesson.seat, progress, two_people=False)
        self._lesson = lesson

    def hint(self) -> Sequence[str]:
        if not self._lesson.good:
            return (self._lesson.text,)
        game, state, seat = self._session.game, self._session.state, self._seat
        move: M = game.parse(state, seat, self._lesson.good.split()[0])
        answers = [choices(question, [move])[0] for question in self.questions]
        return (f"Answer {', then '.join(answers)}.",)
