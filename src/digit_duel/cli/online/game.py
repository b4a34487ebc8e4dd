"""One game on a server, played at this terminal: what is new is told, and what is typed is sent once."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from queue import Empty
from typing import Any

from digit_duel.cli.errors import Problem
from digit_duel.cli.online.connection import Link, Lost, Stream
from digit_duel.cli.online.view import Choice, Offer, Seen, field, read
from digit_duel.cli.play.prompt import TurnOver, ask_move, confirm
from digit_duel.cli.screen.picture import board
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.answers import fit, not_understood
from digit_duel.core.game import Refused
from digit_duel.core.script import Question, Scene
from digit_duel.web.replies import Code, Refusal

_AGREED = 1.0  # seconds between looks whether the other wants another game
_LOOK_AGAIN = 60.0  # seconds of waiting after which the table is looked at, for the other may be away


class OnlineTable:
    """A seat at a server's table."""

    def __init__(self, terminal: Terminal, link: Link, rules: str, seen: Seen) -> None:
        assert seen.seat is not None
        self.seen, self.seat = seen, seen.seat
        self._terminal, self._link, self.rules = terminal, link, rules
        self._stream = Stream(link, seen)
        self._told = self._answered = 0  # versions up to which news were told and offers were answered
        self._waiting = ""  # what was said about it
        self._scene: Scene | None = None
        self._away = False

    def play(self) -> Seen:
        """Play until the game is over; Leave if the person does."""
        self._stream.start()
        try:
            self._tell()
            while self.seen.phase != "over":
                self._answer_offers()
                if self.seen.turn:
                    self._turn()
                elif self.seen.phase != "over":
                    self._wait()
        finally:
            self._stream.close()
        self._draw(turn=False)
        self._block(self.seen.closing)
        return self.seen

    def send(self, wanted: dict[str, Any]) -> str:
        """Send a command until the server has it, to be run once; why it was refused, if it was."""
        seat, id = int(self.seat), secrets.token_hex(8)
        body = {"id": id, "version": self.seen.version, "seat": seat, **wanted}
        try:
            reply = self._link.ask("POST", f"/api/games/{self.seen.game}/commands", body)
        except Refusal as refusal:
            if refusal.code is Code.FORBIDDEN:
                raise Problem(refusal.message) from refusal
            told = "" if refusal.code is Code.STALE_VERSION else refusal.message
            if isinstance(refusal.more.get("view"), dict):
                self._see(read(refusal.more["view"], self.seen))
            return told
        self._see(read(field(reply, "view", dict), self.seen))
        return ""

    def do(self, wanted: dict[str, Any]) -> bool:
        """Send a command, and tell the player if it was refused; whether it was run."""
        if told := self.send(wanted):
            self._terminal.say(told)
        return not told

    def rematch(self, seed: str) -> str | None:
        """The next game, once the other agrees; None if not."""
        if self.seen.next is None and self.do({"do": "rematch", "seed": seed}) and self.seen.next is None:
            self._terminal.say("Waiting for the other player to agree.")
        while self.seen.next is None and "rematch" in self.seen.waiting_for:
            time.sleep(_AGREED)
            self.look()
        return self.seen.next

    def look(self) -> None:
        """See the table as it is now."""
        path = f"/api/games/{self.seen.game}?seat={int(self.seat)}&after={self._told}"
        self._see(read(self._link.ask("GET", path), self.seen))

    # Seeing and hearing

    def _see(self, seen: Seen) -> None:
        if seen.version >= self.seen.version:
            self.seen = seen
            self._tell()

    def _tell(self) -> None:
        """Say what is new."""
        for version, text in self.seen.news:
            if version > self._told and text:
                self._terminal.say(text)
        self._told = max(self._told, self.seen.version)

    def _hear(self, seconds: float) -> bool:
        """Whether the stream brought something before the time was up."""
        try:
            heard = self._stream.heard.get(timeout=seconds)
        except Empty:
            return False
        if isinstance(heard, Lost):
            if self._stream.heard.empty():  # else it has found its way back already
                if not self._away:
                    self._terminal.say("Reconnecting ...")
                self._away = True
        elif isinstance(heard, Seen):
            if self._away:
                self._terminal.say("Connected again.")
            self._away = False
            self._see(heard)
        else:
            raise Problem(str(heard)) from heard
        return True

    def _wait(self) -> None:
        """Wait for the other, and say so once."""
        if self.seen.headline != self._waiting and self.seen.headline:
            self._terminal.say(self.seen.headline)
        self._waiting = self.seen.headline
        if self._hear(_LOOK_AGAIN):
            return
        self.look()
        question = "The other player has been away for long. Do you claim the game? (yes/no): "
        if self.seen.claimable and self._terminal.interactive and confirm(self._terminal, question):
            self.do({"do": "claim"})

    def _answer_offers(self) -> None:
        """Put the other's offers to the person, each once; a script is not asked."""
        if self._answered >= self.seen.version or not self._terminal.interactive:
            return
        self._answered = self.seen.version
        for offer in self.seen.offers:
            if confirm(self._terminal, f"{_ASKED[offer.what].format(offer.minutes)} (yes/no): "):
                self.do(_accepted(offer))
            else:
                self.do({"do": "decline", "what": offer.what})

    # This player's turn

    def _turn(self) -> None:
        self._waiting = ""
        self._draw(turn=True)
        self._terminal.say(self.seen.headline)
        try:
            while told := self._in_turn({"do": "move", "move": ask_move(self._terminal, self).move}):
                self._terminal.say(told)
        except TurnOver:
            return

    def _in_turn(self, wanted: dict[str, Any]) -> str:
        """Send a command; TurnOver if the game has changed, else why it was refused."""
        version = self.seen.version
        told = self.send(wanted)
        if self.seen.version == version:
            return told
        if told:
            self._terminal.say(told)
        raise TurnOver

    @property
    def questions(self) -> Sequence[Question[Choice]]:
        return self.seen.questions

    @property
    def legal(self) -> tuple[Choice, ...]:
        return self.seen.choices

    def notation(self, move: Choice) -> str:
        return move.move

    def board(self) -> str:
        seen = self.seen
        assert seen.scene is not None  # a game in which somebody is asked has begun
        return board(self._terminal, seen.scene, seen.names, self.seat)

    def hint(self) -> Sequence[str]:
        try:
            found = self._link.ask("GET", f"/api/games/{self.seen.game}/hint?seat={int(self.seat)}")
        except Refusal as refusal:
            return (refusal.message,)
        words, move, reason = (field(found, name, str) for name in ("words", "move", "reason"))
        return (f"Hint: {words} ({move}).", reason)

    def why(self) -> Sequence[str]:
        return ("Ask again after the game: play with --record FILE, then run digit-duel review FILE.",)

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

    # Showing

    def _draw(self, turn: bool) -> None:
        seen, mover = self.seen, self.seat if turn else None
        if seen.scene is not None:
            self._block(board(self._terminal, seen.scene, seen.names, mover, self._scene))
            self._scene = seen.scene

    def _block(self, text: str) -> None:
        if text:
            self._terminal.say(f"\n{text}")


_ASKED = {
    "takeback": "Do you let the other take a choice back?",
    "clock": "Do you want a clock, {} minutes for each?",
    "rematch": "Do you want to play again?",
}


def _accepted(offer: Offer) -> dict[str, Any]:
    if offer.what == "clock":
        return {"do": "clock", "minutes": offer.minutes}
    return {"do": offer.what}
