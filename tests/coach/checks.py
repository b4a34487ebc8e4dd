"""A second opinion on every claim: plain minimax, plain enumeration, and nothing of the coach's own."""

from __future__ import annotations

from typing import Any

from tests.coach import checks_battle, checks_cards, checks_open, checks_placing
from tests.coach.minimax import Doubt

__all__ = ["Doubt", "check"]

_CHECKS = checks_open.CHECKS | checks_placing.CHECKS | checks_battle.CHECKS | checks_cards.CHECKS


def check(game: Any, view: Any, claim: Any) -> None:
    """Raise Doubt unless the claim is true of this view."""
    if not _CHECKS[type(claim)](game, view, claim):
        raise Doubt(f"{claim} of {view}")
