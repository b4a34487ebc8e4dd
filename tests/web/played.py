"""Whole games as the server's log would tell them, played at random and sealed with hashlib alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from hmac import new as hmac
from random import Random
from typing import Any

from digit_duel.core.game import Seat
from digit_duel.core.session import half_chosen
from digit_duel.web.play.online_game import Table, happen
from digit_duel.web.store import Event

KEY = b"a key that only the server has, 32"
GAME = "k3_Zq-9w"


def seed_of(game: str) -> str:
    """The server's seed of a game, computed by its definition."""
    return hmac(KEY, f"seed/{game}".encode(), sha256).hexdigest()


def opened(
    variant: str, settings: Mapping[str, str] | None = None, opponent: str = "friend", **more: Any
) -> Table:
    """A game that nobody has joined."""
    seal = sha256(f"{seed_of(GAME)}/{GAME}".encode()).hexdigest()
    body = {"kind": "open", "variant": variant, "settings": dict(settings or {}), "opponent": opponent}
    return add(Table(GAME), None, {**body, "seat": 0, "owner": "anna", "match": {}, "seal": seal, **more})


def seated(table: Table, seeds: tuple[str, str] = ("aa11", ""), level: str | None = None) -> Table:
    """The game with both players there; the second is a computer if it has a level."""
    table = add(table, 0, {"kind": "sit", "name": "Anna", "seed": seeds[0]})
    return add(table, 1, {"kind": "sit", "name": "Ben", "seed": seeds[1], "level": level})


def add(table: Table, seat: int | None, body: Mapping[str, Any]) -> Table:
    """The table after one more event."""
    event = Event(table.version + 1, seat, None, json.dumps(body), "", 1_700_000_000_000 + table.version)
    return happen(table, seed_of(table.id), event)


def move(table: Table, seat: Seat, text: str) -> Table:
    """The table after a seat's move, sealed where the two choose at once."""
    assert table.session is not None
    body = {"kind": "move", "move": text}
    if len(table.acting) == 2 or half_chosen(table.session.game, table.session.steps):
        version = table.version + 1
        salt = hmac(KEY, f"salt/{table.id}/{version}".encode(), sha256).hexdigest()[:32]
        body["seal"] = sha256(f"{salt}/{table.id}/{version}/{text}".encode()).hexdigest()
    return add(table, int(seat), body)


def play_on(table: Table, rng: Random, moves: int = 10_000) -> Table:
    """The table after random moves: so many, or up to the end."""
    assert table.session is not None
    for _ in range(moves):
        if table.over:
            break
        session = table.session
        assert session is not None
        seat = rng.choice(table.acting)
        table = move(table, seat, session.game.text(rng.choice(session.game.legal(session.state, seat))))
    return table


def finished(variant: str, rng: Random, settings: Mapping[str, str] | None = None) -> Table:
    """A game played to its end."""
    seeds = (rng.randbytes(8).hex(), rng.randbytes(rng.randrange(9)).hex())
    return play_on(seated(opened(variant, settings), seeds), rng)
