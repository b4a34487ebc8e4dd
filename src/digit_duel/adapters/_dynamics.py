"""A fingerprint of how an environment behaves: what is pinned for a version."""

from __future__ import annotations

from hashlib import blake2b
from random import Random

from digit_duel.adapters._table import Table
from digit_duel.adapters._values import line
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant

GAMES = 20  # at random, always the same ones


def dynamics(variant: AnyVariant) -> str:
    """A hash over states, masks, observations and results of some seeded games."""
    found = blake2b(digest_size=8)
    for seed in range(GAMES):
        rng = Random(seed)
        table = Table(variant, rng)
        while True:
            found.update(line(table.state).encode())
            for seat in Seat:
                found.update(table.mask(seat).tobytes())
                found.update(table.observation(seat).astype("<i2").tobytes())
            if not table.acting:
                break
            seat = rng.choice(table.acting)
            # Sorted: in which order the rules list the moves is no part of the dynamics.
            table.play(seat, rng.choice(sorted(table.legal(seat))))
        assert table.outcome is not None
        found.update(line(table.outcome).encode())
    return found.hexdigest()
