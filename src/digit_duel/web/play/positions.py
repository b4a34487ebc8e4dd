"""Digests of positions, by which an analysis is recognised that would help in a game being played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

from digit_duel.core.game import public
from digit_duel.core.session import half_chosen
from digit_duel.web.play.events import canonical
from digit_duel.web.play.online_game import OnlineGame

FEWEST_MOVES = 2  # shorter ones are on many boards at once, and anybody can learn them by heart


def digest(variant: str, settings: Mapping[str, str], moves: Sequence[str]) -> str:
    """The digest of a position: its rules, and the moves that led to it."""
    text = canonical({"variant": variant, "settings": dict(settings), "moves": list(moves)})
    return sha256(text.encode()).hexdigest()[:32]


def public_moves(game: OnlineGame) -> list[str] | None:
    """The moves of a game between two people that is being played, as far as everybody knows them.

    None for all other games. What is hidden must not count: whoever is refused an analysis would learn that
    they have guessed it.
    """
    session = game.session
    if session is None or game.over or not game.people_apart:
        return None
    rules = session.game
    if not public(rules.view, rules.start()):
        return None
    steps = session.steps[:-1] if half_chosen(rules, session.steps) else session.steps
    return [rules.text(step.move) for step in steps]


def position_digest(game: OnlineGame) -> str | None:
    """The digest of a game's present position, if an analysis of it would help somebody."""
    moves = public_moves(game)
    if moves is None or len(moves) < FEWEST_MOVES:
        return None
    return digest(game.variant.id, game.variant.settings, moves)
