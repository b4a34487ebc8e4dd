"""Whole games as event logs, played at random and sealed with hashlib alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from hmac import new as hmac
from random import Random
from typing import Any

from digit_duel.core.game import Seat
from digit_duel.core.session import half_chosen
from digit_duel.web.play.events import decode
from digit_duel.web.play.fold import apply_event
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.store import Event

KEY = b"a key that only the server has, 32"
GAME = "k3_Zq-9w"


def seed_of(game: str) -> str:
    """The server's seed of a game, computed by its definition."""
    return hmac(KEY, f"seed/{game}".encode(), sha256).hexdigest()


def opened(
    variant: str, settings: Mapping[str, str] | None = None, opponent: str = "friend", **more: Any
) -> OnlineGame:
    """A game that nobody has joined."""
    seal = sha256(f"{seed_of(GAME)}/{GAME}".encode()).hexdigest()
    body: dict[str, Any] = {
        "kind": "open",
        "variant": variant,
        "settings": dict(settings or {}),
        "level": None,
    }
    body |= {"opponent": opponent, "hints": False}
    return add(
        OnlineGame(GAME), None, {**body, "seat": 0, "owner": "anna", "match": {}, "seal": seal, **more}
    )


def seated(
    online_game: OnlineGame, seeds: tuple[str, str] = ("aa11", ""), level: str | None = None
) -> OnlineGame:
    """The game with both players there; the second is a computer if it has a level."""
    online_game = add(online_game, 0, {"kind": "sit", "name": "Anna", "seed": seeds[0]})
    return add(online_game, 1, {"kind": "sit", "name": "Ben", "seed": seeds[1], "level": level})


def add(online_game: OnlineGame, seat: int | None, body: Mapping[str, Any]) -> OnlineGame:
    """The table after one more event."""
    event = Event(
        online_game.version + 1, seat, None, json.dumps(body), "", 1_700_000_000_000 + online_game.version
    )
    return apply_event(online_game, seed_of(online_game.id), event, decode(event.body))


def move(online_game: OnlineGame, seat: Seat, text: str) -> OnlineGame:
    """The table after a seat's move, sealed where the two choose at once."""
    assert online_game.session is not None
    body = {"kind": "move", "move": text}
    if len(online_game.acting) == 2 or half_chosen(online_game.session.game, online_game.session.steps):
        version = online_game.version + 1
        salt = hmac(KEY, f"salt/{online_game.id}/{version}".encode(), sha256).hexdigest()[:32]
        body["seal"] = sha256(f"{salt}/{online_game.id}/{version}/{text}".encode()).hexdigest()
    return add(online_game, int(seat), body)


def play_on(online_game: OnlineGame, rng: Random, moves: int = 10_000) -> OnlineGame:
    """The table after random moves: so many, or up to the end."""
    assert online_game.session is not None
    for _ in range(moves):
        if online_game.over:
            break
        session = online_game.session
        assert session is not None
        seat = rng.choice(online_game.acting)
        online_game = move(
            online_game, seat, session.game.text(rng.choice(session.game.legal(session.state, seat)))
        )
    return online_game


def finished(variant: str, rng: Random, settings: Mapping[str, str] | None = None) -> OnlineGame:
    """A game played to its end."""
    seeds = (rng.randbytes(8).hex(), rng.randbytes(rng.randrange(9)).hex())
    return play_on(seated(opened(variant, settings), seeds), rng)
