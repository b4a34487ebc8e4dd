"""A person's turn in a game on this computer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, Protocol

from digit_duel.cli.play import advice
from digit_duel.cli.play.messages import COMMANDS
from digit_duel.cli.play.prompt import TurnOver, confirm
from digit_duel.cli.rules import rules_text
from digit_duel.cli.screen.scene_text import board, counts
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.answers import fit, one_line, refusal
from digit_duel.core.game import M, NotAMove, Refused, S, Seat, V
from digit_duel.core.session import AnySession, Session
from digit_duel.core.take_back import last_move, take_back_question


class Saver(Protocol):
    """Saves a game to disk."""

    def save(self, session: AnySession) -> None:
        """Save the game, and tell the player about a failure."""

    def save_now(self, session: AnySession) -> str:
        """Save the game at the player's request; return what happened."""


class LocalTurn(Generic[S, M, V]):
    """What a seat of a session can answer, and what the commands do there."""

    commands: Mapping[str, str] = COMMANDS

    def __init__(
        self, terminal: Terminal, session: Session[S, M, V], seat: Seat, saver: Saver, two_people: bool
    ) -> None:
        self._terminal, self._session, self._seat, self._saver = terminal, session, seat, saver
        self._two_people = two_people
        self._script, self._view = session.variant.voice, session.view(seat)
        self.rules = rules_text(session.variant)
        self.questions = self._script.questions(self._view, seat)
        self.legal: tuple[M, ...] = tuple(session.game.legal(session.state, seat))

    def notation(self, move: M) -> str:
        return self._session.game.text(move)

    def board(self) -> str:
        return board(self._script.scene(self._view), self._session.names)

    def counts(self) -> str:
        return counts(self._script.scene(self._view))

    def hint(self) -> Sequence[str]:
        return advice.hint(self._session, self._seat)

    def why(self) -> Sequence[str]:
        return advice.why(self._session, self._seat)

    def undo(self) -> str:
        try:
            if self._two_people:
                return self._undo_last_move()
            self._session.take_back(self._seat)
        except Refused as refused:
            return str(refused)
        self._terminal.say("Your last choice is taken back.")
        raise TurnOver

    def _undo_last_move(self) -> str:
        """Take the last move back if the other player agrees; raises Refused."""
        steps, names = self._session.steps, self._session.names
        step = steps[last_move(self._session.game, steps)]
        mover = step.seat
        assert mover is not None
        asked = take_back_question(self._script, step, names)
        if not confirm(self._terminal, f"{asked} (yes/no): "):
            return "Nothing is taken back."
        self._session.take_back_last_move()
        self._terminal.say(f"{names[mover]}'s last move is taken back.")
        raise TurnOver

    def save(self) -> str:
        return self._saver.save_now(self._session)

    def resign(self) -> str:
        self._session.resign(self._seat)
        raise TurnOver

    def other_answer(self, typed: str, answers: Sequence[str]) -> M:
        question = self.questions[len(answers)]
        if typed and not answers and not question.secret:  # perhaps the whole move in one line
            try:
                return one_line(self._script, self._session.state, self._seat, typed)
            except NotAMove:
                if " " in typed:
                    raise
        moves, alphabet = self.legal, tuple(self._session.game.moves(self._seat))
        for earlier, answer in zip(self.questions, answers, strict=False):
            moves, alphabet = (fit(earlier, some, answer).moves for some in (moves, alphabet))
        raise Refused(refusal(self._script, self._view, self._seat, question, moves, alphabet, typed))
