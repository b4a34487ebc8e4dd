"""Save a game after every move, and add its record to a file if the player asked for one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from digit_duel.cli.errors import Problem
from digit_duel.cli.play.hidden import hides_something
from digit_duel.cli.records import record_file
from digit_duel.cli.records.save_file import Save
from digit_duel.cli.screen.terminal import printable
from digit_duel.core.match import Match
from digit_duel.core.record import Record
from digit_duel.core.session import AnySession

_NOTHING = "Nobody has moved yet, so there is nothing to save."


class AutoSave:
    """The save file and the record file of one game."""

    def __init__(
        self,
        tell: Callable[[str], None],  # tells the player what could not be saved
        file: Save,
        record_file: Path | None = None,
        resumed: Record | None = None,
    ) -> None:
        self._tell, self._file = tell, file
        self._record_file, self._resumed = record_file, resumed
        self._error: str | None = None
        self._discarded = False

    @property
    def status(self) -> str:
        """Whether the game is saved, for a player who leaves."""
        if self._error:
            return f"The last moves could not be saved: {self._error}."
        if self._discarded:
            return _NOTHING
        return "Your game is saved. To continue: digit-duel resume"

    def save(self, session: AnySession) -> None:
        """Save the game; report a failure once and try again after the next move."""
        try:
            self._file.write(record_file.with_file(session.record(), self._record_file))
        except OSError as error:
            if self._error is None:
                self._tell(f"(This game cannot be saved: {error.strerror}. Trying again after each move.)")
            self._error = str(error.strerror)
        else:
            self._error = None

    def save_now(self, session: AnySession) -> str:
        """Save the game at the player's request; return what happened."""
        self.save(session)
        if self._error:
            return self.status
        return _NOTHING if self._is_empty(session) else "Saved. Every move is saved as you make it."

    def discard_if_empty(self, session: AnySession) -> None:
        """Delete the save of a new game without a move; call this while the game is locked."""
        if self._error is not None or not self._is_empty(session):
            return
        with suppress(OSError):
            self._file.path.unlink()
            self._discarded = True

    def _is_empty(self, session: AnySession) -> bool:
        """Whether a game is new and without a move; the next game of a match is not new."""
        match = Match.from_headers(session.headers)
        goes_on = match is not None and match.number > 1
        moved = session.resigned is not None or any(step.seat is not None for step in session.steps)
        return not (moved or goes_on or self._resumed is not None)

    def add_record(self, session: AnySession) -> None:
        """Add the game to the record file, if there is one; not while the game hides something."""
        if self._record_file is None or self._discarded:
            return
        record = session.record()
        if hides_something(session, record):
            where = printable(str(self._record_file))
            self._tell(f"It has hidden information, so its record goes to {where} when it is over.")
            return
        kept = " The game is saved: digit-duel games lists it, and digit-duel export NUMBER prints it."
        add_record(self._record_file, record, self._resumed, "" if self._error else kept)


def add_record(path: Path, record: Record, left: Record | None = None, advice: str = "") -> None:
    """Add a record to the player's file; raises Problem, with some advice."""
    try:
        record_file.add(path, record, left)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        why = getattr(error, "strerror", None) or error
        shown = printable(str(path))
        raise Problem(f"the record could not be written to {shown}: {why}.{advice}") from error
