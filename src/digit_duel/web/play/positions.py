"""Digests of positions, for recognising an analysis that would help in a game in progress."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

from digit_duel.core.game import public
from digit_duel.core.session import half_chosen
from digit_duel.web.play.events import canonical
from digit_duel.web.play.online_game import OnlineGame

FEWEST_MOVES = 2  # shorter openings occur in many games at once, and anybody can memorise them


def digests(variant: str, settings: Mapping[str, str], moves: Sequence[str], shortest: int = 0) -> list[str]:
    """The digests of the positions after each move from the shortest length on; short openings have none.

    Each covers the rules and the moves so far. A running hash makes them all in one pass.
    """
    running = sha256(canonical({"variant": variant, "settings": dict(settings)}).encode())
    found = []
    for length, move in enumerate(moves, 1):
        running.update(f"{len(move)}:{move}".encode())
        if length >= max(FEWEST_MOVES, shortest):
            found.append(running.hexdigest()[:32])
    return found


def public_moves(game: OnlineGame) -> list[str] | None:
    """The public moves of a game in progress between two people; None for all other games.

    Hidden moves must not count: a refused analysis would tell the caller that they guessed right.
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
    """The digest of a game's current position; None if analysing it would help nobody."""
    moves = public_moves(game)
    if moves is None or len(moves) < FEWEST_MOVES:
        return None
    return digests(game.variant.id, game.variant.settings, moves, len(moves))[-1]
