"""A few positions of a random game, for the miniature of its table."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from digit_duel.core.game import Seat
from digit_duel.core.script import Scene
from digit_duel.core.session import Session, dealer
from digit_duel.core.variant import AnyVariant

_NAMES = ("Player 1", "Player 2")
_MOST = 10  # positions


def demo(variant: AnyVariant) -> list[Scene]:
    """Positions of a fixed random game, as its first player sees them, without the final one."""
    session, rng = Session(variant, _NAMES, dealer(variant.id)), Random(variant.id)
    scenes: list[Scene] = []
    while session.outcome is None and len(scenes) < _MOST:
        scenes.append(_scene(session))
        seat = session.acting[0]
        session.play(seat, rng.choice(session.game.legal(session.state, seat)))
    return scenes


def _scene(session: Session[object, object, object]) -> Scene:
    # A miniature has no room for these, and they would take time to load.
    return replace(
        session.variant.script(session.game).scene(session.view(Seat.FIRST)), facts=(), heading="", goal=""
    )
