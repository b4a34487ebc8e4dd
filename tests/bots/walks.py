"""Positions to try computers on: from random games, under the rulebook's rules and others."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from digit_duel import games
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant

IDS = ("classic", "reverse", "sabotage", "cards", "battle")

CUSTOMISED: tuple[tuple[str, dict[str, str]], ...] = (
    ("classic", {"places": "2", "pool": "1-3x2", "tie": "draw"}),
    ("sabotage", {"places": "2", "pool": "0-4", "goal": "high"}),
    ("battle", {"start_life": "5", "max_life": "6", "pool": "1-4"}),
    ("battle", {"start_life": "1", "pool": "1,2", "standoff_limit": "none"}),
    ("cards", {"facing_full": "must_keep"}),
    ("cards", {"facing_full": "cap:2"}),
    ("cards", {"facing_full": "cap:12"}),
    ("cards", {"full_turn": "alternate"}),
    ("cards", {"deck": "persistent", "next_starter": "loser"}),
    ("cards", {"visibility": "open"}),
    ("cards", {"hand_size": "2", "pool": "0-2x2"}),
    ("cards", {"hand_size": "4", "facing_full": "must_keep"}),
    ("cards", {"pool": "0-4x2", "deck": "persistent", "facing_full": "cap:1"}),
)


def variants() -> list[AnyVariant]:
    """The five games, and a few with other rules."""
    return [games.variant(id) for id in IDS] + [games.variant(id).customised(set) for id, set in CUSTOMISED]


def named(variant: AnyVariant) -> str:
    """A variant in the name of a test."""
    return "-".join([variant.id, *(f"{key}={value}" for key, value in variant.settings.items())])


def random_walk(variant: AnyVariant, rng: Random, longest: int = 200) -> Iterator[tuple[Any, Seat]]:
    """The states of a random game at which somebody chooses, and who."""
    game = variant.game
    state = game.start()
    for _ in range(longest):
        if game.outcome(state):
            return
        if draws := game.chance(state):
            moves, weights = zip(*draws, strict=True)
            state = game.play(state, rng.choices(moves, weights)[0])
            continue
        seat = rng.choice(game.acting(state))
        yield state, seat
        state = game.play(state, rng.choice(game.legal(state, seat)))


def positions(variant: AnyVariant, many: int, seed: int = 1) -> Iterator[tuple[Any, Seat]]:
    """So many choices from random games."""
    rng = Random(seed)
    while True:
        for position in random_walk(variant, rng):
            if many == 0:
                return
            many -= 1
            yield position
