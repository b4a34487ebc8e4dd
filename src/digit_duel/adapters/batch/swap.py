"""The batch of a game with the pie rule, a wrapper around the batch of the underlying game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from digit_duel.adapters.batch.base import FIRST_WON, RUNNING, SECOND_WON, AnyBatch, Batch, each, lanes
from digit_duel.adapters.batch.dice import Seed
from digit_duel.adapters.batch.rows import ONE, Array, choose, mask, u8
from digit_duel.core.game import Seat
from digit_duel.core.swap import AnySwapGame, Seated, Stage

_STAGES = (Stage.LATER, Stage.NOW, Stage.NEVER)
_LATER, _NOW, _NEVER = map(u8, range(3))
_OFFERS = 2  # the number of offer answers, which have the last ids: swap, then keep


class SwapStates(NamedTuple):
    """The state of many games, and which seat plays which side."""

    inner: Any
    stage: Array  # an index of _STAGES
    swapped: Array  # a mask

    @property
    def result(self) -> Array:
        """The result of each game for the seats, or RUNNING."""
        return _for_seats(self.inner.result, self.swapped)


class SwapBatch(Batch[SwapStates]):
    """Many games with the pie rule."""

    def __init__(self, game: AnySwapGame, inner: AnyBatch) -> None:
        super().__init__(inner.xp)
        self.game, self._inner = game, inner
        own, other = game.game.moves(Seat.FIRST), game.game.moves(Seat.SECOND)
        either = list(game.moves(Seat.FIRST))
        self.moves = len(either) + _OFFERS
        # A swapped seat plays the other side's moves, which have other ids.
        self._crossed = np.full(self.moves, len(own))
        self._crossed[[either.index(move) for move in other]] = np.arange(len(other))
        self.numbers = inner.numbers
        self.features = (*inner.features, "swap offered", "seats swapped")

    def begin(self, lane: Array, seed: Seed) -> SwapStates:
        none = (lane ^ lane).astype(u8)
        return SwapStates(self._inner.begin(lane, seed), none, none)

    def mover(self, state: SwapStates) -> Array:
        return self._inner.mover(state.inner) ^ (state.swapped & ONE)

    def legal_rows(self, state: SwapStates) -> Array:
        inside = self._inner.legal_rows(state.inner)
        nothing = self.xp.zeros((self.moves - len(inside), *state.stage.shape), bool)
        straight = self.xp.concatenate([inside, nothing])
        offered = state.stage == _NOW
        inside = self.xp.where(state.swapped != 0, straight[self._crossed], straight) & ~offered
        return self.xp.concatenate([inside[:-_OFFERS], self.xp.stack([offered, offered])])

    def observed(self, state: SwapStates, seat: Array) -> list[Array]:
        _, *inside = self._inner.observed(state.inner, seat ^ (state.swapped & ONE))
        return [seat, *inside, state.stage == _NOW, state.swapped & ONE]

    def random_move(self, state: SwapStates, word: Array) -> Array:
        return self.sample(state, self.legal_rows(state), word)[0]

    def _moved(self, state: SwapStates, ids: Array, again: bool) -> tuple[SwapStates, Array]:
        offered = mask(state.stage == _NOW)
        inside = self.xp.where(state.swapped != 0, self.xp.asarray(self._crossed)[ids], ids)
        after, ended = self._inner._moved(state.inner, self.xp.where(offered != 0, 0, inside), again)
        inner = each(lambda old, new: self.xp.where(offered != 0, old, new), state.inner, after)
        over = mask(ended != RUNNING) & ~offered
        result = _for_seats(ended, state.swapped) & over
        swapped = choose(offered, mask(ids == self.moves - _OFFERS), state.swapped)
        opened = mask(state.stage == _LATER) & ~over
        stage = choose(opened, _NOW, _NEVER)
        if again:
            stage, swapped = stage & ~over, swapped & ~over
        inner = self._inner.held(inner, mask(stage == _NOW))  # no chance move before the offer is answered
        return SwapStates(self._inner.crossed(inner, swapped), stage, swapped), result

    def plain(self, state: SwapStates) -> list[Seated[Any]]:
        rows = zip(self._inner.plain(state.inner), lanes(state.stage, state.swapped), strict=True)
        return [Seated(inside, _STAGES[stage], bool(swapped)) for inside, (stage, swapped) in rows]

    def packed(self, states: Sequence[Seated[Any]], seed: Seed, first: int) -> SwapStates:
        inner = self._inner.packed([state.state for state in states], seed, first)
        stage = self.xp.asarray([_STAGES.index(state.stage) for state in states], u8)
        swapped = self.xp.asarray([-state.swapped & 0xFF for state in states], u8)
        return SwapStates(self._inner.crossed(inner, swapped), stage, swapped)


def _for_seats(result: Array, swapped: Array) -> Array:
    """Convert results of the sides into results of the seats that play them."""
    won = mask(result == FIRST_WON) | mask(result == SECOND_WON)
    return result ^ (won & swapped & (FIRST_WON ^ SECOND_WON))
