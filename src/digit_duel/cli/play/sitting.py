"""A sitting at the terminal: a game or a match, saved as it goes, begun anew or gone on with."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from digit_duel.bots import LEVELS
from digit_duel.cli.errors import INPUT_ENDED, INTERRUPTED, Leave, Problem
from digit_duel.cli.play import messages
from digit_duel.cli.play.duel import Duel
from digit_duel.cli.play.hidden import hides_something
from digit_duel.cli.records import recording
from digit_duel.cli.records.saves import InUse, Save, Unreadable, new_save
from digit_duel.cli.screen.terminal import Terminal, printable
from digit_duel.core.game import Pair, Refused, Seat
from digit_duel.core.match import Match
from digit_duel.core.record import BadRecord, Record, replay, winner_of
from digit_duel.core.session import AnySession, Dealer, Session, dealer
from digit_duel.core.variant import AnyVariant


@dataclass(frozen=True, slots=True)
class Plan:
    """Who plays what; names and levels are in the order of the seats of the game at hand."""

    variant: AnyVariant
    names: Pair[str]
    levels: Pair[str | None] = (None, None)
    match: Match | None = None
    seed: str | None = None
    draws: tuple[str, ...] = ()  # the first cards, for lessons
    record: Path | None = None  # the file that games are added to

    def swapped(self, match: Match) -> Plan:
        """The plan for the next game: the players change seats."""
        names, levels = self.names, self.levels
        return replace(self, names=(names[1], names[0]), levels=(levels[1], levels[0]), match=match, draws=())

    def headers(self) -> dict[str, str]:
        """What a record must hold to go on with the game."""
        headers = {"Date": time.strftime("%Y-%m-%d", time.gmtime())}
        headers |= self.match.headers() if self.match else {}
        headers |= {"Seed": self.seed} if self.seed is not None else {}
        headers |= {"Draws": "".join(self.draws)} if self.draws else {}
        for seat, level in zip(Seat, self.levels, strict=True):
            headers |= {f"Computer{seat.name.capitalize()}": level} if level else {}
        return headers

    @staticmethod
    def from_record(variant: AnyVariant, record: Record) -> Plan:
        """The plan that a saved game was part of."""
        headers = dict(record.headers)
        first, second = (headers.get(f"Computer{seat.name.capitalize()}") for seat in Seat)
        if {first, second} - {None, *LEVELS} or (first and second):
            raise Problem("this game was saved with a computer level that is not known here.")
        match, seed = Match.from_headers(headers), headers.get("Seed")
        return Plan(variant, record.names, (first, second), match, seed, record=recording.asked(record))


def play(terminal: Terminal, plan: Plan) -> None:
    """Play a game, or a match to its end."""
    while True:
        save = new_save()
        try:
            session = Session(plan.variant, plan.names, _dealer(plan), plan.headers())
        except Refused as refused:
            raise Problem(str(refused)) from refused
        next_plan = _sit_down(terminal, plan, session, save)
        if next_plan is None:
            return
        plan = next_plan


def resume(terminal: Terminal, variant: AnyVariant, record: Record, save: Save) -> None:
    """Go on with a saved game, and with the match it belongs to."""
    plan = Plan.from_record(variant, record)
    if record.result != "*":
        assert plan.match is not None
        play(terminal, plan.swapped(plan.match.after(winner_of(record.result))))
        return
    try:
        dealt = sum(step.seat is None for step in replay(variant.game, record))
        plan = replace(plan, draws=tuple(record.headers.get("Draws", ""))[dealt:])
        session = Session.from_record(variant, recording.bare(record), _dealer(plan))
    except BadRecord as bad:
        raise Problem(f"this save does not follow the rules: {bad}") from bad
    next_plan = _sit_down(terminal, plan, session, save, record)
    if next_plan is not None:
        play(terminal, next_plan)


def _sit_down(
    terminal: Terminal, plan: Plan, session: AnySession, save: Save, found: Record | None = None
) -> Plan | None:
    """Play one game, or go on with what was found on disk; the plan for the next, if the match goes on."""
    saver = _DiskSaver(terminal, save, plan.record, found)
    duel = Duel(session, terminal, plan.levels, saver, _seed_of(plan))
    if duel.hot_seat and terminal.shared and not terminal.screen and duel.hides():
        raise Problem(
            "plain text cannot hide one player's hand from the other on a shared screen. Play without "
            "--plain on a terminal that can clear its screen, against the computer (--vs computer), "
            "or with open hands (--open)."
        )
    if plan.match is not None and not (plan.match.best_of == 1 and plan.match.number == 1):
        terminal.say(messages.game_heading(plan.match, plan.names) + "\n")
    try:
        with save.lock(), terminal.restored():
            if found is not None and save.read() != found:
                raise Problem("this game was played on elsewhere in the meantime; please resume it again.")
            if found is not None and plan.record is not None:
                terminal.say(f"(The record of this game goes to {printable(str(plan.record))})\n")
            saver.save(session)
            _run(duel, saver)
            saver.add_record(session)
    except Unreadable as why:
        raise Problem(f"this game {why}.") from why
    except InUse as holder:
        raise Problem(f"this game is being played by {holder}; only one can play it at a time.") from holder
    return _after_game(terminal, plan, session)


def _run(duel: Duel, saver: _DiskSaver) -> None:
    try:
        duel.run()
    except Leave as leave:
        _part(duel, saver, leave.code)
    except KeyboardInterrupt:
        _part(duel, saver, INTERRUPTED)
    except EOFError:
        _part(duel, saver, INPUT_ENDED)
    except Refused as refused:  # a card that was to be dealt is not there
        raise Problem(str(refused)) from refused


def _part(duel: Duel, saver: _DiskSaver, code: int) -> None:
    """Say goodbye; a second Ctrl-C does not get in between."""
    duel.terminal.go_public()
    why = {INTERRUPTED: "Interrupted. ", INPUT_ENDED: "The input has ended. "}.get(code, "")
    duel.terminal.say(f"\n{why}{saver.state}")
    saver.add_record(duel.session)
    raise Leave(code)


def _after_game(terminal: Terminal, plan: Plan, session: AnySession) -> Plan | None:
    if plan.match is None:
        return None
    outcome = session.outcome
    assert outcome is not None
    next_plan = plan.swapped(plan.match.after(outcome.winner))
    assert next_plan.match is not None
    if next_plan.match.decided:
        terminal.say("\n" + messages.match_result(next_plan.match, next_plan.names))
        return None
    terminal.say()
    return next_plan


class _DiskSaver:
    """Keeps a game on disk, and says so when it cannot."""

    def __init__(
        self, terminal: Terminal, save: Save, record: Path | None = None, found: Record | None = None
    ) -> None:
        self.terminal, self._file = terminal, save
        self._record, self._found = record, found  # where the record goes; the game as it was left before
        self._trouble: str | None = None

    @property
    def state(self) -> str:
        """Where the game stands, for one who leaves."""
        if self._trouble:
            return f"The last moves could not be saved: {self._trouble}."
        return "Your game is saved. To go on with it: digit-duel resume"

    def save_now(self, session: AnySession) -> str:
        """Save, and say how it went."""
        self.save(session)
        return self.state if self._trouble else "Saved. Every move is saved as you make it."

    def save(self, session: AnySession) -> None:
        """Save, or say once what is in the way; the game goes on either way."""
        try:
            self._file.write(recording.noted(session.record(), self._record))
        except OSError as error:
            if self._trouble is None:
                self.terminal.say(
                    f"(This game cannot be saved: {error.strerror}. I try again after each move.)"
                )
            self._trouble = str(error.strerror)
        else:
            self._trouble = None

    def add_record(self, session: AnySession) -> None:
        """Add the game to the file that the person named, if they did."""
        if self._record is None:
            return
        record = session.record()
        if hides_something(session.variant, session, record):
            # As with digit-duel export: what is hidden is not for reading before the end.
            where = printable(str(self._record))
            self.terminal.say(f"It hides something, so its record goes to {where} when it is over.")
        else:
            kept = " The game is saved: digit-duel games lists it, and digit-duel export NUMBER prints it."
            add_record(self._record, record, self._found, "" if self._trouble else kept)


def _seed_of(plan: Plan) -> str | None:
    return None if plan.seed is None else f"{plan.seed}/{plan.match.number if plan.match else 1}"


def _dealer(plan: Plan) -> Dealer:
    by_chance = dealer(_seed_of(plan))
    waiting = list(plan.draws)

    def deal(draws: Sequence[tuple[Any, int]], ply: int) -> Any:
        if not waiting:
            return by_chance(draws, ply)
        wanted = waiting.pop(0)
        for move, _ in draws:
            if plan.variant.game.text(move).endswith(wanted):
                return move
        raise Refused(f"--draws asks for a {wanted}, but there is none left to draw.")

    return deal


def add_record(path: Path, record: Record, left: Record | None = None, otherwise: str = "") -> None:
    """Add a game to the file that the person named, or Problem with what can be done otherwise."""
    try:
        recording.add(path, record, left)
    except (OSError, ValueError) as error:  # ValueError: no file can have this name
        why = getattr(error, "strerror", None) or error
        shown = printable(str(path))
        raise Problem(f"the record could not be written to {shown}: {why}.{otherwise}") from error
