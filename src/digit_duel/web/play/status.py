"""The status of a game after an event, for lists, limits and statistics."""

from __future__ import annotations

from collections.abc import Mapping

from digit_duel.web.play.ended.results import results
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.play.positions import position_digest
from digit_duel.web.store import Status


def status(before: OnlineGame, after: OnlineGame, people: Mapping[int, str], at: int) -> Status:
    """The status after an event, with the results if the event ends the game."""
    waiting = after.opening.opponent == "friend" and after.session is None and not after.over
    ends = after.over and not before.over
    return Status(after.over, waiting, position_digest(after), results(after, people, at) if ends else ())
