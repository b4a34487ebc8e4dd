"""One game on a server, played at this terminal: what is new is told, and what is typed is sent once."""

from __future__ import annotations

import secrets
import time
from queue import Empty
from typing import Any

from digit_duel.cli.online.connection import Link, Lost, Stream
from digit_duel.cli.online.view import Choice, Offer, Seen, field, read
from digit_duel.cli.play import messages
from digit_duel.cli.play.prompt import Leave, confirm
from digit_duel.cli.play.sitting import Problem
from digit_duel.cli.screen.picture import draw, plain
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.answers import choices, fit
from digit_duel.core.game import excerpt
from digit_duel.core.script import Question, Scene
from digit_duel.web.replies import Code, Refusal

_AGREED = 1.0  # seconds between looks whether the other wants another game
_LOOK_AGAIN = 60.0  # seconds of waiting after which the table is looked at, for the other may be away
COMMANDS = {
    "help": "this list",
    "rules": "the rules of this game",
    "board": "show the table again",
    "moves": "every move you may make, in notation",
    "hint": "a good move, and the reason (against the computer)",
    "undo": "take your last choice back, if the other agrees",
    "resign": "give this game up",
    "quit": "leave; the game stays at the server",
}


class _MovedOn(Exception):
    """What was being asked is no longer the question."""


class OnlineTable:
    """A seat at a server's table."""

    def __init__(self, terminal: Terminal, link: Link, rules: str, seen: Seen) -> None:
        assert seen.seat is not None
        self.seen, self.seat = seen, seen.seat
        self._terminal, self._link, self._rules = terminal, link, rules
        self._stream = Stream(link, seen.game, int(self.seat), seen.version)
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

    def send(self, wanted: dict[str, Any]) -> bool:
        """Have something done, once, however often it must be sent; whether it was."""
        seat, id = int(self.seat), secrets.token_hex(8)
        body = {"id": id, "version": self.seen.version, "seat": seat, **wanted}
        try:
            reply = self._link.ask("POST", f"/api/games/{self.seen.game}/commands", body)
        except Refusal as refusal:
            if refusal.code is Code.FORBIDDEN:
                raise Problem(refusal.message) from refusal
            if refusal.code is not Code.STALE_VERSION:
                self._terminal.say(refusal.message)
            if isinstance(refusal.more.get("view"), dict):
                self._see(read(refusal.more["view"]))
            return False
        self._see(read(field(reply, "view", dict)))
        return True

    def rematch(self, seed: str) -> str | None:
        """The next game, once the other agrees; None if not."""
        if self.seen.next is None and self.send({"do": "rematch", "seed": seed}) and self.seen.next is None:
            self._terminal.say("Waiting for the other player to agree.")
        while self.seen.next is None and "rematch" in self.seen.waiting_for:
            time.sleep(_AGREED)
            self.look()
        return self.seen.next

    def look(self) -> None:
        """See the table as it is now."""
        path = f"/api/games/{self.seen.game}?seat={int(self.seat)}&after={self._told}"
        self._see(read(self._link.ask("GET", path)))

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
        if self.seen.claimable and self._terminal.typed and confirm(self._terminal, question):
            self.send({"do": "claim"})

    def _answer_offers(self) -> None:
        """Put the other's offers to the person, each once; a script is not asked."""
        if self._answered >= self.seen.version or not self._terminal.typed:
            return
        self._answered = self.seen.version
        for offer in self.seen.offers:
            if confirm(self._terminal, f"{_ASKED[offer.what].format(offer.minutes)} (yes/no): "):
                self.send(_accepted(offer))
            else:
                self.send({"do": "decline", "what": offer.what})

    # Choosing

    def _turn(self) -> None:
        self._waiting = ""
        self._draw(turn=True)
        self._terminal.say(self.seen.headline)
        asked = self.seen.version
        try:
            while not self.send({"do": "move", **self._chosen()}) and self.seen.version == asked:
                continue  # it was refused, with the reason
        except _MovedOn:
            return

    def _chosen(self) -> dict[str, str]:
        """The move a person chooses, in notation, or as they typed it where the server must make it out."""
        asked = self.seen
        questions, left, words = asked.questions, [asked.choices], list[str]()
        while len(left) <= len(questions):
            question, moves = questions[len(left) - 1], left[-1]
            typed = self._terminal.ask(question.prompt(moves[0]), question.secret).strip(" \t")
            word = typed.lower() if typed.isascii() else typed
            if word == "undo" and len(left) > 1:
                left.pop()  # back to the question before
                words.pop()
                continue
            if word in COMMANDS:
                self._command(word, question, moves)
                if self.seen.version != asked.version:
                    raise _MovedOn
                continue
            found = fit(question, moves, typed)
            if len(found.choices) == 1:
                left.append(found.moves)
                words.append(typed)
            elif found.choices:
                self._terminal.say(
                    f"{excerpt(typed)} could be {' or '.join(found.choices)}: please say which."
                )
            elif len(left) == 1 and word in {choice.move for choice in moves}:
                return {"move": word}
            elif question.secret or not typed:
                self._terminal.say(_right(question, moves, question.secret))
            elif len(left) == len(questions) or not (typed.isdigit() or typed.isalpha()):
                return {"text": " ".join([*words, typed])[:100]}  # the server knows every word for it
            else:
                self._terminal.say(f"{excerpt(typed)} is no answer here. {_right(question, moves, False)}")
        return {"move": left[-1][0].move}

    def _command(self, word: str, question: Question[Choice], moves: tuple[Choice, ...]) -> None:
        """Do what a person typed instead of an answer."""
        match word:
            case "help":
                lines = [f"You can answer: {', '.join(filter(None, choices(question, moves)))}"[:400]]
                lines += [f"  {word:<8}{meaning}" for word, meaning in COMMANDS.items()]
                self._terminal.say("\n".join(lines))
            case "rules":
                self._terminal.say(messages.paragraphs(self._rules, self._terminal.size[0]))
            case "board":
                self._draw(turn=True)
            case "moves":
                texts = [choice.move for choice in moves]
                self._terminal.say(messages.listed(texts, self._terminal.size[0]))
            case "hint":
                self._hint()
            case "undo":
                self.send({"do": "takeback"})
            case "resign":
                if confirm(self._terminal, "Do you want to resign? (yes/no): "):
                    self.send({"do": "resign"})
            case "quit":
                raise Leave(0)

    def _hint(self) -> None:
        try:
            found = self._link.ask("GET", f"/api/games/{self.seen.game}/hint?seat={int(self.seat)}")
        except Refusal as refusal:
            self._terminal.say(refusal.message)
            return
        words, move, reason = (field(found, name, str) for name in ("words", "move", "reason"))
        self._terminal.say(messages.coached((f"Hint: {words} ({move}).", reason), self._terminal.size[0]))

    # Showing

    def _draw(self, turn: bool) -> None:
        seen, terminal = self.seen, self._terminal
        if seen.scene is None:
            return
        if terminal.screen:
            mover = self.seat if turn else None
            lines = draw(seen.scene, seen.names, terminal.style, terminal.size, mover, self._scene)
        else:
            lines = plain(seen.scene, seen.names)
        self._block("\n".join(lines))
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


def _right(question: Question[Choice], moves: tuple[Choice, ...], secret: bool) -> str:
    options = " ".join(word for word in choices(question, moves) if word)
    right = f"Please type one of: {options}" if len(options) <= 60 else f"For example: {options.split()[0]}"
    return f"That cannot be chosen. {right}" if secret else right
