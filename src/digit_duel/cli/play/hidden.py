"""Whether an unfinished game hides something from one of its players."""

from __future__ import annotations

from digit_duel.core.record import UNFINISHED, Record
from digit_duel.core.session import AnySession, half_chosen


def hides_something(session: AnySession, record: Record) -> bool:
    """Whether a game is unfinished and one seat may not see all of its record."""
    pending = half_chosen(session.game, session.steps)
    return record.result == UNFINISHED and (pending or session.variant.hides_hands)
