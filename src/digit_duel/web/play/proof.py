"""Opening what was sealed: the proof of a finished game, as data and as headers of its record."""

from __future__ import annotations

from typing import Any

from digit_duel.web.play.deals import salt, server_seed
from digit_duel.web.play.events import Moved
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.play.verify import CHOICES, GAME, SEAL, SEATS, SEED
from digit_duel.web.replies import Code, Refusal


def proof(game: OnlineGame, key: bytes) -> dict[str, Any]:
    """All that was sealed in a finished game, opened."""
    session = _finished(game).session
    assert session is not None
    assert game.variant is not None
    return {
        "game": game.id,
        "variant": game.variant.id,
        "settings": game.variant.settings,
        "seal": game.opening.seal,
        "seed": server_seed(key, game.id),
        "client_seeds": [player.seed for player in game.players],
        "choices": [
            {
                "version": news.event.version,
                "seat": news.event.seat,
                "move": news.body.move,
                "salt": salt(key, game.id, news.event.version),
                "seal": news.body.seal,
            }
            for news in game.news
            if isinstance(news.body, Moved) and news.body.seal is not None
        ],
        "moves": [session.game.text(step.move) for step in session.steps],
        "draws": [
            {"ply": ply, "move": session.game.text(step.move), "among": _bag(session.game, step.before)}
            for ply, step in enumerate(session.steps)
            if step.seat is None
        ],
    }


def _bag(game: Any, state: Any) -> list[list[Any]]:
    """What was drawn from, for checkers who do not know the rules."""
    return [[game.text(move), weight] for move, weight in game.chance(state)]


def proven_headers(game: OnlineGame, key: bytes) -> dict[str, str]:
    """What the record of a finished game needs to be verified far from the server."""
    found = proof(game, key)
    return {
        GAME: found["game"],
        SEAL: found["seal"],
        SEED: found["seed"],
        SEATS[0]: found["client_seeds"][0],
        SEATS[1]: found["client_seeds"][1],
        CHOICES: " ".join("{version}:{salt}:{seal}".format(**choice) for choice in found["choices"]),
    }


def _finished(game: OnlineGame) -> OnlineGame:
    """The table, if nothing in it can still be a secret."""
    if not game.over or game.session is None:
        raise Refusal(Code.FORBIDDEN, "What is sealed is opened when the game is over.")
    return game
