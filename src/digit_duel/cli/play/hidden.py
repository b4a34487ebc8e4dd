"""Whether a game hides something from one of its players."""

from __future__ import annotations

from digit_duel.core.game import Seat
from digit_duel.core.record import UNFINISHED, Record
from digit_duel.core.session import AnySession, half_chosen


def hides_something(session: AnySession, record: Record) -> bool:
    """Whether a game is unfinished and one seat may not see all of its record."""
    pending = half_chosen(session.game, session.steps)
    return record.result == UNFINISHED and (pending or session.variant.hides_hands)


class Secrecy:
    """Whether the two seats have seen different things in a game; if so, it stays private."""

    def __init__(self, session: AnySession) -> None:
        self._session = session
        self._compared, self._differed = 0, False  # how many steps were compared, and what was found

    def needed(self) -> bool:
        """Compare what the seats saw after each new step."""
        session = self._session
        scene, view = session.variant.voice.scene, session.game.view
        new = session.steps[self._compared :]
        self._compared = len(session.steps)
        self._differed = self._differed or any(
            scene(view(step.after, Seat.FIRST)) != scene(view(step.after, Seat.SECOND)) for step in new
        )
        return self._differed

    def forget_undone_steps(self) -> None:
        """Compare again what is played in their place."""
        self._compared = min(self._compared, len(self._session.steps))
