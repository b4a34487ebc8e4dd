"""A hash of an environment's behaviour; tests pin it for each version."""

from __future__ import annotations

from hashlib import blake2b
from random import Random

from digit_duel.adapters.interface.numbered_game import NumberedGame
from digit_duel.adapters.interface.state_text import as_text
from digit_duel.adapters.interface.version import interface
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant

GAMES = 20  # random games with fixed seeds


def dynamics(variant: AnyVariant, version: int) -> str:
    """Hash the states, masks, observations and results of seeded random games."""
    found = blake2b(digest_size=8)
    for seed in range(GAMES):
        rng = Random(seed)
        game = NumberedGame(interface(variant, version), rng)
        while True:
            found.update(as_text(game.state).encode())
            for seat in Seat:
                found.update(game.mask(seat).tobytes())
                found.update(game.observation(seat).astype("<i2").tobytes())
            if not game.acting:
                break
            seat = rng.choice(game.acting)
            # Sorted, because the order in which the rules list moves is not part of the dynamics.
            game.play(seat, rng.choice(sorted(game.legal(seat))))
        assert game.outcome is not None
        found.update(as_text(game.outcome).encode())
    return found.hexdigest()
