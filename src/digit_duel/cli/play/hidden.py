"""Whether an unfinished game hides something from one of its players."""

from __future__ import annotations

from digit_duel.core.game import Seat
from digit_duel.core.record import UNFINISHED, Record
from digit_duel.core.session import AnySession, half_chosen
from digit_duel.core.variant import AnyVariant


def hides_something(session: AnySession, record: Record) -> bool:
    """Whether a game is unfinished and one seat may not see all of its record."""
    pending = half_chosen(session.game, session.steps)
    return record.result == UNFINISHED and (pending or hides_hands(session.variant))


def hides_hands(variant: AnyVariant) -> bool:
    """Whether the seats of a game see different things after the first draw."""
    game = variant.game
    start = game.start()
    first = [game.play(start, draw) for draw, _ in game.chance(start)] or [start]
    return any(len({variant.voice.scene(game.view(state, seat)) for seat in Seat}) > 1 for state in first)
