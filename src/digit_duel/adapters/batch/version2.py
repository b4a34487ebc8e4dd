"""Version 2 of any batch: the shared observation encoding, and optionally no forced moves."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from digit_duel.adapters.batch.base import RUNNING, AnyBatch, B, Batch, NoBatch, each
from digit_duel.adapters.batch.dice import Seed
from digit_duel.adapters.batch.rows import Array, u8
from digit_duel.adapters.interface.encoding import HALF_CHOSEN, Encoding


class Version2(Batch[B]):
    """A batch in version 2, whose observations reveal nothing about a pending simultaneous choice."""

    def __init__(self, inner: AnyBatch, encoding: Encoding, skips: bool) -> None:
        super().__init__(inner.xp)
        self.inner, self.encoding, self.skips = inner, encoding, skips
        self.game, self.moves = inner.game, inner.moves
        self.features = tuple(feature.name for feature in encoding.features)
        self.numbers = encoding.dtype
        if tuple(name for name in inner.features if name not in HALF_CHOSEN) != self.features:
            raise NoBatch(f"the batch of {type(inner.game).__name__} and its views have different features.")

    def begin(self, lane: Array, seed: Seed) -> B:
        state: B = self.inner.begin(lane, seed)
        return self._settled(state, state.result, again=False)[0] if self.skips else state

    def mover(self, state: B) -> Array:
        return self.inner.mover(state)

    def legal_rows(self, state: B) -> Array:
        return self.inner.legal_rows(state)

    def observed(self, state: B, seat: Array) -> list[Array]:
        parts = self.inner.observed(state, seat)
        ends = accumulate(len(part) if part.ndim > seat.ndim else 1 for part in parts)
        # Each omitted feature is a part of its own.
        return [
            part
            for part, end in zip(parts, ends, strict=True)
            if self.inner.features[end - 1] not in HALF_CHOSEN
        ]

    def one_hot(self, observations: Array) -> Array:
        """One-hot encode observations [games, features]: a flag for each value of each feature."""
        return self.encoding.flags_with(self.xp, observations)

    def random_move(self, state: B, word: Array) -> Array:
        return self.inner.random_move(state, word)

    def plain(self, state: B) -> Sequence[Hashable]:
        return self.inner.plain(state)

    def packed(self, states: Sequence[Any], seed: Seed, first: int) -> B:
        found: B = self.inner.packed(states, seed, first)
        return found

    def _moved(self, state: B, ids: Array, again: bool) -> tuple[B, Array]:
        after, result = self.inner._moved(state, ids, again)
        return self._settled(after, result, again) if self.skips else (after, result)

    def _settled(self, state: B, result: Array, again: bool) -> tuple[B, Array]:
        """Make forced moves until a decision is due; a game that ends on the way keeps its result."""

        def forced(now: tuple[B, Array]) -> Array:
            return self.inner.legal_rows(now[0]).sum(axis=0, dtype=u8) == u8(1)

        def moved(now: tuple[B, Array]) -> tuple[B, Array]:
            state, result = now
            lanes = forced(now)
            only = self.inner.legal_rows(state).argmax(axis=0)
            after, ended = self.inner._moved(state, only, again)
            kept: B = each(lambda old, new: self.xp.where(lanes, new, old), state, after)
            return kept, self.xp.where(lanes & (result == RUNNING), ended, result)

        now = (state, result)
        if self.xp is np:
            while forced(now).any():
                now = moved(now)
            return now
        from jax import lax

        done: tuple[B, Array] = lax.while_loop(lambda now: forced(now).any(), moved, now)
        return done
