"""A game on this computer: whose turn it is and who may look; every change is saved before it is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from digit_duel.cli.app.state.choice import Choice, LocalChoice, asked, landed
from digit_duel.cli.app.state.effects import captions, effects
from digit_duel.cli.app.state.score import score
from digit_duel.cli.app.state.table import MoveLine, Phase, TableView, covered, move_lines, verdict
from digit_duel.cli.errors import Problem
from digit_duel.cli.play import advice, messages
from digit_duel.cli.play.hidden import Secrecy
from digit_duel.cli.play.plan import Plan
from digit_duel.cli.play.sessions import computer_move, seed_of
from digit_duel.cli.records.autosave import AutoSave
from digit_duel.cli.records.save_file import InUse, Save, Unreadable
from digit_duel.core.game import Seat
from digit_duel.core.record import Record
from digit_duel.core.script import AnyStep, Scene
from digit_duel.core.session import AnySession, half_chosen
from digit_duel.core.take_back import last_move, take_back_question
from digit_duel.core.variant import AnyVariant

_TOGETHER = -1  # the reader of a screen that both players see, as a key beside the two seats


class LocalTable:
    """A session with people and computers in the seats; every change is saved before it is shown."""

    def __init__(
        self,
        plan: Plan,
        session: AnySession,
        save: Save,
        resumed: Record | None = None,
        tally: Counter[str] | None = None,  # games won so far at this table, by name
    ) -> None:
        self.plan, self.session = plan, session
        self.script = session.variant.voice
        self.people = tuple(seat for seat in Seat if plan.levels[seat] is None)
        self.phase, self.seat = Phase.TURN, self.people[0]
        self.choice: Choice | None = None
        self.coach: tuple[str, ...] = ()
        self.notes: list[str] = []  # what to tell the player, such as that the disk is full
        self.tally: Counter[str] = Counter() if tally is None else tally
        self._save, self._resumed = save, resumed
        self._autosave = AutoSave(self.notes.append, save, plan.record_file, resumed)
        self._lock, self._closed = ExitStack(), False
        self._private = False
        self._at_keyboard: Seat | None = None
        self._told = dict.fromkeys((*Seat, _TOGETHER), self._last_move() if resumed else len(session.steps))
        self._news = ""
        self._revealed = len(session.steps)  # steps whose reveal was seen, or that had none
        self._secrecy = Secrecy(session)

    def open(self) -> None:
        """Lock and save the game, and enter its first phase; raises Problem if somebody else plays it."""
        try:
            self._lock.enter_context(self._save.lock())
            if self._resumed is not None and self._save.read() != self._resumed:
                raise Problem("another program has continued this game in the meantime. Resume it again.")
        except Unreadable as why:
            raise Problem(f"this game {why}.") from why
        except InUse as holder:
            raise Problem(
                f"this game is being played by {holder}; only one can play it at a time."
            ) from holder
        self._autosave.save(self.session)
        self._go_on()

    def close(self) -> None:
        """Add the game to its record file, if it has one, and unlock it; without a move, forget it."""
        if self._closed:  # the app closes once more what is still on its screens
            return
        self._closed = True
        with self._lock:
            self._autosave.discard_if_empty(self.session)
            self._autosave.add_record(self.session)

    @property
    def variant(self) -> AnyVariant:
        """The game that is played."""
        return self.session.variant

    @property
    def status(self) -> str:
        """Whether the game is saved, for a player who leaves."""
        return self._autosave.status

    @property
    def hot_seat(self) -> bool:
        """Whether two people share this screen."""
        return len(self.people) == 2

    @property
    def reader(self) -> Seat | None:
        """Who may look at the screen; None is both."""
        if not self.hot_seat:
            return self.people[0]
        return self._at_keyboard if self._private else None

    # What people do.

    def go_on(self) -> None:
        """Continue after a hand-over, a cover or a reveal."""
        if self.phase is Phase.HAND_OVER:
            self.phase, self._news = Phase.COVER, ""
        elif self.phase is Phase.COVER:
            self._at_keyboard = self.seat
            self._start_turn(self.seat)
        elif self.phase is Phase.REVEAL:
            self._revealed += 1
            if self._private:
                self._at_keyboard = None  # both have looked: whoever is next must be alone again
            self._go_on()

    def play(self, move: Any) -> None:
        """Make the move of the person or computer whose turn it is."""
        self.session.play(self.seat, move)
        self._changed()

    def think(self) -> Any:
        """The computer's move; it may take a while, and changes nothing."""
        level = self.plan.levels[self.seat]
        assert level is not None
        return computer_move(self.session, self.seat, level, seed_of(self.plan))

    def may_take_back(self, notation: bool = False) -> str:
        """The question that the other player must agree to, empty if nobody has to; raises Refused."""
        if not self.hot_seat:
            self.session.branch().take_back(self.seat)
            return ""
        steps, names = self.session.steps, self.session.names
        step = steps[last_move(self.session.game, steps)]
        return take_back_question(self.session.variant.voice, step, names, notation)

    def take_back(self) -> None:
        """Take back the last choice, or between two people the last move."""
        if self.hot_seat:
            self.session.take_back_last_move()
        else:
            self.session.take_back(self.seat)
        steps = len(self.session.steps)
        self._told = {key: min(told, steps) for key, told in self._told.items()}
        self._revealed = min(self._revealed, steps)
        self._secrecy.forget_undone_steps()
        self._changed()
        self._news = "The last move is taken back." if self.hot_seat else "Your last choice is taken back."

    def resign(self) -> None:
        """Give the game up for the person whose turn it is."""
        self.session.resign(self.seat)
        self._changed()

    def hint(self) -> Sequence[str]:
        """A good move and the reason; it may take a while."""
        return advice.hint(self.session, self.seat)

    def why(self) -> Sequence[str]:
        """What was good or bad about the last moves; it may take a while."""
        return advice.why(self.session, self.seat)

    def save_now(self) -> str:
        """Save the game at the player's request; return what happened."""
        return self._autosave.save_now(self.session)

    def next_plan(self) -> Plan | None:
        """The next game of a match, or a rematch; None once a match is decided."""
        outcome = self.session.outcome
        if self.plan.match is None:
            return replace(self.plan.with_seats_swapped(), draws=())
        assert outcome is not None
        found = self.plan.next_game(outcome.winner)
        return None if found.match is None or found.match.decided else found

    # What happens next.

    def _changed(self) -> None:
        self._autosave.save(self.session)
        self.coach = ()
        outcome = self.session.outcome
        if outcome is not None and outcome.winner is not None:
            self.tally[self.session.names[outcome.winner]] += 1
        self._go_on()

    def _go_on(self) -> None:
        """Find out what the table waits for now."""
        if self.hot_seat and self._secrecy.needed():
            self._private = True
        self.choice = None
        if self._reveal() is not None:
            self._enter(Phase.REVEAL, self.seat)
        elif self.session.outcome is not None:
            self._enter(Phase.OVER, self.seat)
        else:
            self._next_turn()

    def _next_turn(self) -> None:
        # A computer seals its secret before the person's is read.
        acting = self.session.acting
        seat = next((seat for seat in acting if self.plan.levels[seat] is not None), acting[0])
        if self.plan.levels[seat] is not None:
            self._enter(Phase.THINKING, seat)
            return
        secret = any(q.secret for q in self.script.questions(self.session.view(seat), seat))
        if not self.hot_seat or seat is self._at_keyboard or not (self._private or secret):
            self._at_keyboard = seat if self.hot_seat else None
            self._start_turn(seat)
        elif self._private and self._at_keyboard is not None:
            self._enter(Phase.HAND_OVER, seat)
        else:
            self._at_keyboard = None
            self.phase, self.seat, self._news = Phase.COVER, seat, ""

    def _start_turn(self, seat: Seat) -> None:
        self._enter(Phase.TURN, seat)
        self.choice = LocalChoice(self.script, self.session.state, seat)

    def _enter(self, phase: Phase, seat: Seat) -> None:
        """Start a phase, and tell its reader what they have not been told."""
        self.phase, self.seat = phase, seat
        reader, key = self.reader, _TOGETHER if self.reader is None else int(self.reader)
        new = self.session.steps[self._told[key] :]
        if reader is None and phase is Phase.REVEAL:
            new = new[-1:]
        self._told[key] = len(self.session.steps)
        told = [self.script.brief(step, reader, self.session.names) for step in new]
        self._news = " ".join([text for text in told if text][-2:]) or self._news
        if phase is Phase.OVER:
            self._news = self._last_blow()

    def _last_blow(self) -> str:
        """The move that ended the game, told to all who look, without what the board or the verdict says."""
        if self.session.resigned is not None:
            return ""
        last, names = self.session.steps[-1], self.session.names
        if self.script.round_result(last, names):
            return ""
        told = self.script.brief(last, None if self.hot_seat else self.people[0], names)
        return told.removesuffix(f" {self._verdict().partition(': ')[2]}")

    def _last_move(self) -> int:
        """The index of the last move of a player, which a resumed game tells again."""
        moved = [at for at, step in enumerate(self.session.steps) if step.seat is not None]
        return moved[-1] if moved else len(self.session.steps)

    def _reveal(self) -> int | None:
        """The next step to show until somebody continues: it ended a round, or revealed two secrets."""
        game, steps = self.session.game, self.session.steps
        while self._revealed < len(steps):
            step = steps[self._revealed]
            over = self.session.resigned is not None or game.outcome(step.after) is not None
            ended = bool(self.script.round_result(step, self.session.names))
            if not over and (ended or half_chosen(game, steps[: self._revealed])):
                return self._revealed
            self._revealed += 1
        return None

    # What it looks like.

    def view(self, notation: bool = False) -> TableView:
        """The table as seen by whoever may look at it now."""
        session, plan = self.session, self.plan
        labels = tuple(f"{level} computer" if level else "" for level in plan.levels)
        base = TableView(
            title=session.variant.id.capitalize(),
            phase=self.phase,
            scene=self._shown_scene(),
            names=session.names,
            below=self._below(),
            alone=not self.hot_seat,
            labels=(labels[0], labels[1]),
            news="" if self.phase is Phase.COVER else self._news,
            message=self._message(),
            score=score(self.plan, self.session, self.tally),
            coach=self.coach,
        )
        if self.phase is Phase.COVER:
            return base
        return self._with_moves(base, notation)

    def _with_moves(self, base: TableView, notation: bool) -> TableView:
        """Add what only the reader may see, and what can be chosen."""
        steps, reader = self.session.steps, self.reader
        last = next((step for step in reversed(steps) if step.seat is not None), None)
        view = replace(base, moves=self._move_lines(reader, notation), mover=last.seat if last else None)
        if self.phase is Phase.REVEAL:
            return replace(view, numbers=self._revealed_numbers(), winner=self._round_winner())
        if self.phase is Phase.OVER:
            outcome = self.session.outcome
            assert outcome is not None
            return replace(view, winner=outcome.winner)
        view = replace(view, turn=self.seat, marked=landed(self.script, steps))
        if self.phase is Phase.HAND_OVER:
            return replace(view, turn=None)
        if self.choice is None:
            return view
        masked = self.choice.secret and self.hot_seat
        told = effects(self.choice, view.scene, self.seat, view.names, view.alone)
        return replace(
            view,
            offers=self.choice.offers,
            picked=self.choice.picked,
            masked=masked,
            effects=told,
            captions=captions(self.choice, self.script, view.names[self.seat.other], told),
        )

    def _move_lines(self, reader: Seat | None, notation: bool) -> tuple[MoveLine, ...]:
        steps, names = self.session.steps, self.session.names
        if self.phase in (Phase.REVEAL, Phase.OVER) and self._private:
            reader = None  # both players look
        if notation:
            seen = [self.session.game.seen([(s.before, s.move) for s in steps], seat) for seat in Seat]
            texts = [a if a == b else "?" for a, b in zip(*seen, strict=True)]
            texts = texts if reader is None else list(seen[reader])
        else:
            texts = [self.script.brief(step, reader, names) for step in steps]
        return move_lines(steps, texts)

    def _below(self) -> Seat:
        if not self.hot_seat:
            return self.people[0]
        return self._at_keyboard if self._private and self._at_keyboard is not None else Seat.FIRST

    def _scene(self, state: object, seat: Seat) -> Scene:
        return self.script.scene(self.session.game.view(state, seat))

    def _shown_scene(self) -> Scene:
        if (at := self._reveal()) is not None and self.phase is Phase.REVEAL:
            return self._scene(self.session.steps[at].after, self._below())
        scene = self._scene(self.session.state, self._below())
        nobody = self.phase is Phase.COVER or (self.phase is Phase.OVER and self.session.resigned is not None)
        return covered(scene) if self.hot_seat and self._private and nobody else scene

    def _message(self) -> str:
        names = self.session.names
        name = names[self.seat]
        match self.phase:
            case Phase.TURN:
                assert self.choice is not None
                who = f"{name}: " if self.hot_seat else ""
                return who + asked(self.choice, self._shown_scene())
            case Phase.THINKING:
                return f"{name} is thinking …"
            case Phase.HAND_OVER:
                return f"Cover your hand, then pass the keyboard to {name}."
            case Phase.COVER:
                return f"{name}, press Enter when only you can see the screen."
            case Phase.OVER:
                return self._verdict()
        return ""

    def _verdict(self) -> str:
        """Who won and why, in one sentence."""
        outcome, names = self.session.outcome, self.session.names
        assert outcome is not None
        if self.session.resigned is not None:
            return messages.resigned(names, self.session.resigned)
        closing = self.script.closing(self.session.state, outcome, names)
        return verdict(closing, names, outcome.winner, outcome.reason, self._shown_scene())

    def _round_winner(self) -> Seat | None:
        """Who won the round just revealed, which shows on their side."""
        at = self._reveal()
        assert at is not None
        spot = self.script.lands(self.session.steps[at])
        return None if spot is None else spot.row

    def _revealed_numbers(self) -> tuple[str, str] | None:
        """The two secrets that were revealed, if the scene itself does not show them."""
        at = self._reveal()
        assert at is not None
        steps = self.session.steps
        rows = self._scene(steps[at].after, Seat.FIRST).rows
        if all(row.cells and all(cell.digit is not None for cell in row.cells) for row in rows):
            return None
        shown = {step.seat: self._digit(step) for step in steps[at - 1 : at + 1]}
        return shown.get(Seat.FIRST, ""), shown.get(Seat.SECOND, "")

    def _digit(self, step: AnyStep) -> str:
        game, seat = self.session.game, step.seat
        assert seat is not None
        spot = self.script.spot(game.view(step.before, seat), step.move)
        return game.text(step.move) if spot is None or spot.digit is None else str(spot.digit)
