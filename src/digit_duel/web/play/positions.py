"""Digests of positions, by which an analysis is recognised that would help in a game being played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

from digit_duel.core.game import public
from digit_duel.core.session import half_chosen
from digit_duel.web.play.events import canonical
from digit_duel.web.play.online_game import OnlineGame

FEWEST_MOVES = 2  # shorter ones are on many boards at once, and anybody can learn them by heart


def digests(variant: str, settings: Mapping[str, str], moves: Sequence[str], shortest: int = 0) -> list[str]:
    """The digests of the positions after at least so many of the moves; short openings have none.

    Each is of the rules and of the moves so far, and follows from the one before: long games have many.
    """
    running = sha256(canonical({"variant": variant, "settings": dict(settings)}).encode())
    found = []
    for length, move in enumerate(moves, 1):
        running.update(f"{len(move)}:{move}".encode())
        if length >= max(FEWEST_MOVES, shortest):
            found.append(running.hexdigest()[:32])
    return found


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
    return digests(game.variant.id, game.variant.settings, moves, len(moves))[-1]
