"""One game on this computer: whose turn it is, and who may read what."""

from __future__ import annotations

from digit_duel.cli.play import messages, prompt
from digit_duel.cli.play.hidden import Secrecy
from digit_duel.cli.play.local_turn import LocalTurn, Saver
from digit_duel.cli.play.prompt import TurnOver
from digit_duel.cli.play.sessions import computer_move
from digit_duel.cli.screen.scene_text import board
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.game import Pair, Seat
from digit_duel.core.script import AnyStep
from digit_duel.core.session import AnySession

_BOTH = 2  # the reader of a table open to both, as a key beside the two seats


class LocalGame:
    """Plays a session to its end, with people and computers in the seats."""

    def __init__(
        self,
        session: AnySession,
        terminal: Terminal,
        levels: Pair[str | None],  # None is a person
        saver: Saver,  # saves the game after every change, before the next prompt
        seed: str | None = None,
    ) -> None:
        self.session, self.terminal, self.levels = session, terminal, levels
        self.script = session.variant.voice
        self._saver, self._seed = saver, seed
        self.people = tuple(seat for seat in Seat if levels[seat] is None)
        self._private = False
        self._at_keyboard: Seat | None = None
        self._told: dict[int, int] = {}  # by reader: how many steps they have been told
        self._printed = False
        self._recall = False  # whether to say first how the game stands: after a resume or a cleared screen
        self.secrecy = Secrecy(session)

    def run(self) -> None:
        """Play until the game is over; raises Leave if somebody leaves."""
        self._told = {key: len(self.session.steps) for key in (*Seat, _BOTH)}
        self._recall = any(step.seat is not None for step in self.session.steps)
        if not self._recall:
            self._block(self.script.opening(self.session.view(self.people[0]), self.session.names))
        while self.session.outcome is None:
            if self.hot_seat and not self._private and self.secrecy.needed():
                self._private = True
                self.terminal.go_private()
            seat = self._next_seat()
            if self.levels[seat] is None:
                self._person(seat)
            else:
                self._computer(seat)
        self._close()

    @property
    def hot_seat(self) -> bool:
        """Whether two people share this terminal."""
        return len(self.people) == 2

    def _next_seat(self) -> Seat:
        # A computer seals its secret before the person's is read.
        acting = self.session.acting
        return next((seat for seat in acting if self.levels[seat] is not None), acting[0])

    def _person(self, seat: Seat) -> None:
        self._hand_over(seat)
        self._tell(seat)
        self._show_turn(seat)
        try:
            turn = LocalTurn(self.terminal, self.session, seat, self._saver, self.hot_seat)
            self.session.play(seat, prompt.ask_move(self.terminal, turn))
        except TurnOver:
            self._forget_undone_steps()
        self._saver.save(self.session)
        if self.session.resigned is None:
            self._tell(seat)

    def _computer(self, seat: Seat) -> None:
        level = self.levels[seat]
        assert level is not None
        with self.terminal.thinking():
            move = computer_move(self.session, seat, level, self._seed)
        self.session.play(seat, move)
        self._saver.save(self.session)
        self._tell(seat.other)

    def _forget_undone_steps(self) -> None:
        steps = len(self.session.steps)
        self._told = {key: min(told, steps) for key, told in self._told.items()}
        self.secrecy.forget_undone_steps()

    def _hand_over(self, seat: Seat) -> None:
        """Cover the screen between two people who hide something from each other."""
        questions = self.script.questions(self.session.view(seat), seat)
        secret = any(question.secret for question in questions)
        if not self.hot_seat or seat is self._at_keyboard or not (self._private or secret):
            return
        name = self.session.names[seat]
        if self._private and not self.terminal.screen:
            self._block(f"--- For {name}'s eyes only ---")
        elif self._private:
            if self._at_keyboard is not None:
                prompt.pause(self.terminal, "\nPress Enter to cover your hand. ")
            self.terminal.clear()
            prompt.pause(
                self.terminal,
                f"Pass the keyboard to {name}.\n\n{name}, press Enter when only you can see the screen. ",
            )
            self.terminal.clear()
            self._recall = True
        elif self.terminal.interactive:
            prompt.pause(self.terminal, f"\nPass the keyboard to {name}, and press Enter. ")
        self._at_keyboard = seat

    def _tell(self, seat: Seat) -> None:
        """Narrate the new steps: to one seat, or at an open table to both players."""
        reader = None if self.hot_seat and not self._private else seat
        key = _BOTH if reader is None else int(reader)
        while (at := self._told[key]) < len(self.session.steps):
            step = self.session.steps[at]
            self._told[key] += 1
            if self._private and self.terminal.screen and self._ended_round(step):
                self._told = {key: max(told, at + 1) for key, told in self._told.items()}
                self._show_round_result(step)
            elif news := self.script.narrate(step, reader, self.session.names):
                self._printed = True
                self.terminal.say(news)

    def _ended_round(self, step: AnyStep) -> bool:
        """Whether a step ended a round, but not the game."""
        over = self.session.game.outcome(step.after) is not None
        return not over and self.script.round_result(step, self.session.names) != ""

    def _show_round_result(self, step: AnyStep) -> None:
        """Show both players how a round ended, on a screen of its own, until somebody presses Enter."""
        self.terminal.clear()
        self._block(self.script.round_result(step, self.session.names))
        prompt.pause(self.terminal, "\nPress Enter for the next round. ")
        self.terminal.clear()
        self._at_keyboard = None  # both have looked: whoever is next must be alone again

    def _show_turn(self, seat: Seat) -> None:
        view, names = self.session.view(seat), self.session.names
        if self._recall:
            self._block(board(self.script.scene(view), names))
            self._recall = False
        self._block(self.script.turn(view, seat, names))

    def _close(self) -> None:
        outcome, names, resigned = self.session.outcome, self.session.names, self.session.resigned
        assert outcome is not None
        self.terminal.go_public()
        if self._private and self.terminal.screen and resigned is None:
            # The last reveal went with the private screen: both players may read it now.
            self.terminal.say(self.script.narrate(self.session.steps[-1], None, names))
        if resigned is not None:
            self._block(messages.resigned(names, resigned))
        else:
            self._block(self.script.closing(self.session.state, outcome, names))

    def _block(self, text: str) -> None:
        """Print a block of lines, after an empty line unless it is the first."""
        if text:
            self.terminal.say(f"\n{text}" if self._printed else text)
            self._printed = True
