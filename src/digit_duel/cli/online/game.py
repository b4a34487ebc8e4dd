"""One game on a server, played at this terminal."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from queue import Empty

from digit_duel.cli.errors import Problem
from digit_duel.cli.online.connection import Connection, ConnectionLost, ViewStream
from digit_duel.cli.online.seat import NO_REVIEW_YET, OFFER_QUESTIONS, RemoteSeat, accepting
from digit_duel.cli.online.view import Choice, GameView
from digit_duel.cli.play.messages import COMMANDS
from digit_duel.cli.play.prompt import TurnOver, ask_move, confirm
from digit_duel.cli.screen.scene_text import board, counts
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.answers import fit, not_understood
from digit_duel.core.game import Refused
from digit_duel.core.script import Question

_REMATCH_POLL = 1.0  # seconds between checks whether the other player wants a rematch
_STREAM_WAIT = 5.0  # seconds for the stream to bring the view after a command
_WAIT_POLL = 60.0  # seconds of silence after which to check whether the other player has left


class OnlineGame:
    """A person's seat in a game on a server; in their turn, a Turn for ask_move."""

    commands: Mapping[str, str] = COMMANDS

    def __init__(self, terminal: Terminal, connection: Connection, rules: str, view: GameView) -> None:
        assert view.seat is not None
        self.view, self.seat, self.rules = view, view.seat, rules
        self._terminal, self._remote = terminal, RemoteSeat(connection, view.game, view.seat)
        self._stream = ViewStream(connection, view)
        self._told = self._answered = 0  # versions: last told, last answered
        self._waiting_line = ""  # the line that says whom we wait for
        self._lost = False

    def play(self) -> GameView:
        """Play until the game is over; raises Leave if the player leaves."""
        self._stream.start()
        try:
            self._tell()
            while self.view.phase != "over":
                self._answer_offers()
                if self.view.turn:
                    self._take_turn()
                elif self.view.phase != "over":
                    self._wait()
        finally:
            self._stream.close()
        self._draw()
        self._block(self.view.closing)
        return self.view

    def rematch(self, seed: str) -> str | None:
        """The id of the rematch once the other player agrees, or None."""
        if self.view.next is None and self._do({"do": "rematch", "seed": seed}) and self.view.next is None:
            self._terminal.say("Waiting for the other player to agree.")
        while self.view.next is None and "rematch" in self.view.offered:
            time.sleep(_REMATCH_POLL)
            self._look()
        return self.view.next

    # Commands and views

    def _send(self, command: Mapping[str, object]) -> str:
        """Send a command, which runs once however often it is sent; return the reason if it is refused."""
        sent = self._remote.send(command, self.view.version)
        if sent.outdated:
            self._look()
        elif sent.version:
            self._catch_up(sent.version)
        return sent.reason

    def _catch_up(self, version: int) -> None:
        """Wait until the stream brings a version; if it does not, fetch the view."""
        while self.view.version < version:
            if self._stream.open and self._receive(_STREAM_WAIT):
                continue
            self._look()
            if self.view.version < version:
                raise Problem("the server accepted a command but does not show its result. Try again later.")

    def _do(self, command: Mapping[str, object]) -> bool:
        """Send a command and tell the player if it is refused; whether it ran."""
        if reason := self._send(command):
            self._terminal.say(reason)
        return not reason

    def _look(self) -> None:
        """Fetch the view."""
        self._update(self._remote.look(self.view, self._told))

    def _update(self, view: GameView) -> None:
        if view.version >= self.view.version:
            self.view = view
            self._tell()

    def _tell(self) -> None:
        """Print the news."""
        told, self._told = self._told, max(self._told, self.view.version)
        for news in self.view.news:
            if news.version > told and news.text:
                self._terminal.say(news.text)

    def _receive(self, seconds: float) -> bool:
        """Whether the stream brought something in time."""
        try:
            received = self._stream.received.get(timeout=seconds)
        except Empty:
            return False
        if isinstance(received, ConnectionLost):
            if self._stream.received.empty():  # else the stream has already resumed
                if not self._lost:
                    self._terminal.say("Reconnecting ...")
                self._lost = True
        elif isinstance(received, GameView):
            if self._lost:
                self._terminal.say("Connected again.")
            self._lost = False
            self._update(received)
        else:
            raise Problem(str(received)) from received
        return True

    def _wait(self) -> None:
        """Wait for the other player, and say so once."""
        if self.view.headline != self._waiting_line and self.view.headline:
            self._terminal.say(self.view.headline)
        self._waiting_line = self.view.headline
        if self._receive(_WAIT_POLL):
            return
        self._look()
        question = "Your opponent has been away for a long time. Do you want to claim the game? (yes/no): "
        if self.view.claimable and self._terminal.interactive and confirm(self._terminal, question):
            self._do({"do": "claim"})

    def _answer_offers(self) -> None:
        """Ask the player about each offer once; a script is not asked."""
        if self._answered >= self.view.version or not self._terminal.interactive:
            return
        self._answered = self.view.version
        for offer in self.view.offers:
            question = OFFER_QUESTIONS[offer.what].format(offer.minutes)
            if confirm(self._terminal, f"{question} (yes/no): "):
                self._do(accepting(offer))
            else:
                self._do({"do": "decline", "what": offer.what})

    # This player's turn

    def _take_turn(self) -> None:
        self._waiting_line = ""
        self._draw()
        self._terminal.say(self.view.headline)
        try:
            while reason := self._in_turn({"do": "move", "move": ask_move(self._terminal, self).move}):
                self._terminal.say(reason)
        except TurnOver:
            return

    def _in_turn(self, command: Mapping[str, object]) -> str:
        """Send a command; raise TurnOver if the game has changed, otherwise return why it is refused."""
        version = self.view.version
        reason = self._send(command)
        if self.view.version == version:
            return reason
        if reason:
            self._terminal.say(reason)
        raise TurnOver

    @property
    def questions(self) -> Sequence[Question[Choice]]:
        return self.view.questions

    @property
    def legal(self) -> tuple[Choice, ...]:
        return self.view.choices

    def notation(self, move: Choice) -> str:
        return move.move

    def board(self) -> str:
        assert self.view.scene is not None  # a game in which somebody is asked has begun
        return board(self.view.scene, self.view.names)

    def counts(self) -> str:
        assert self.view.scene is not None  # a game in which somebody is asked has begun
        return counts(self.view.scene)

    def hint(self) -> Sequence[str]:
        return self._remote.hint()

    def why(self) -> Sequence[str]:
        return (NO_REVIEW_YET,)

    def undo(self) -> str:
        return self._in_turn({"do": "takeback"})

    def save(self) -> str:
        return "Saved. The server saves every move as you make it."

    def resign(self) -> str:
        return self._in_turn({"do": "resign"})

    def other_answer(self, typed: str, answers: Sequence[str]) -> Choice:
        question, moves = self.questions[len(answers)], self.legal
        for earlier, answer in zip(self.questions, answers, strict=False):
            moves = fit(earlier, moves, answer).moves
        for choice in moves if not answers else ():
            if choice.move == typed.lower():
                return choice
        one_word = typed.isdigit() or typed.isalpha()
        if not typed or question.secret or (one_word and len(answers) + 1 < len(self.questions)):
            raise Refused(not_understood(question, moves, typed))
        # The server knows every way to type a move.
        raise Refused(self._in_turn({"do": "move", "text": " ".join([*answers, typed])[:100]}))

    # Printing

    def _draw(self) -> None:
        if self.view.scene is not None:
            self._block(self.board())

    def _block(self, text: str) -> None:
        if text:
            self._terminal.say(f"\n{text}")
