"""From a view to the state that can be played on in the head."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from digit_duel.core.variant import AnyGame
from digit_duel.games._battle import Fight


def before_secrets(view: Any) -> Any:
    """The state that a view shows, with no secret choice made yet."""
    # The other seat's choice may be sealed already; one has to choose as if it were still open.
    return replace(view, picks=(None, None)) if isinstance(view, Fight) else view


def is_state(game: AnyGame, view: Any) -> bool:
    """Whether a view can be played on like a state: it is over, or nature moves, or somebody acts."""
    return bool(game.outcome(view) or game.chance(view) or game.acting(view))
