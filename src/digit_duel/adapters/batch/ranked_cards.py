"""The batch of cards in version 2: a hand is laid out by rank, or always as its highest number."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise, permutations
from operator import or_

import numpy as np

from digit_duel.adapters.batch.base import RUNNING
from digit_duel.adapters.batch.cards import CardsBatch, Tables
from digit_duel.adapters.batch.dice import fraction, pick
from digit_duel.adapters.batch.rows import (
    Array,
    Namespace,
    bits,
    choose,
    column,
    mask,
    nth,
    total,
    u8,
    u16,
    u32,
    wide,
)
from digit_duel.core.game import Seat
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Arrange

_KEEP_OR_GIVE = 2


class RankedCards(CardsBatch):
    """Many games of cards; after keep and give, a move is an order of the hand, the highest number first."""

    def __init__(self, game: Cards, xp: Namespace = np) -> None:
        super().__init__(game, xp)
        self._others = sum(not isinstance(move, Arrange) for move in game.moves(Seat.FIRST))
        self._ranked = tuple(permutations(range(game.hand_size)))
        self.moves = self._others + len(self._ranked)
        # A bit for each reason that makes a move illegal: no number is due; two neighbours in the sorted hand
        # are equal, because equal cards must stay in rank order; no card may be kept; no card may be given.
        pairs = range(1, game.hand_size)
        self._barred = [
            *(1 << game.hand_size + other for other in range(self._others)),
            *(
                1 + sum(1 << low for low in pairs if order.index(low - 1) > order.index(low))
                for order in self._ranked
            ),
        ]

    def legal_rows(self, state: Tables) -> Array:
        running = state.result == RUNNING
        waits = (state.drawn != 0) & running
        gives = waits & (self._must_keep(state) == 0)
        bars = bits([waits | ~running, *self._equal(state), ~waits, ~gives], u16)
        return (column(self._barred, bars, u16) & self._whole(state, bars)) == 0

    def random_move(self, state: Tables, word: Array) -> Array:
        part = fraction(word)
        waits = mask(state.drawn != 0)
        gives = (part >> u32(23)).astype(u8) & waits & ~self._must_keep(state)
        bars = bits([waits != 0, *self._equal(state)], u16)
        orders = ((column(self._barred[self._others :], bars, u16) & bars) == 0).view(u8)
        at, _ = pick(part, total(orders))
        return choose(waits, gives, nth(orders, at) + u8(self._others))

    def _equal(self, state: Tables) -> list[Array]:
        """Which neighbours are equal in the sorted hand of the seat that chooses a number next."""
        return [one == other for one, other in pairwise(self._descending(self._revealed_next(state)))]

    def _descending(self, hand: Array) -> list[Array]:
        return self._ascending(list(hand))[::-1]

    def _moved(self, state: Tables, ids: Array, again: bool) -> tuple[Tables, Array]:
        ids = ids.astype(u8)
        hand = self._descending(self._revealed_next(state))
        chosen = [mask(ids == u8(self._others + at)) for at in range(len(self._ranked))]
        cards = []
        for place in range(self.game.hand_size):
            parts = [
                reduce(
                    or_, [on for on, order in zip(chosen, self._ranked, strict=True) if order[place] == rank]
                )
                & card
                for rank, card in enumerate(hand)
            ]
            cards.append(reduce(or_, parts))
        waits = wide(mask(state.drawn != 0), u16)
        number = self._number(cards) + u16(_KEEP_OR_GIVE)
        return super()._moved(state, self._whole(state, choose(waits, ids.astype(u16), number)), again)


class HighestCards(RankedCards):
    """Many games of cards in which every hand is laid out as its highest number."""

    def __init__(self, game: Cards, xp: Namespace = np) -> None:
        super().__init__(game, xp)
        self.moves = self._others

    def legal_rows(self, state: Tables) -> Array:
        waits = state.result == RUNNING
        return self.xp.stack([waits, waits & (self._must_keep(state) == 0)])

    def random_move(self, state: Tables, word: Array) -> Array:
        return (word >> u32(31)).astype(u8) & ~self._must_keep(state)

    def _moved(self, state: Tables, ids: Array, again: bool) -> tuple[Tables, Array]:
        return CardsBatch._moved(self, state, ids, again)

    def _revealed(self, state: Tables, ids: Array, waits: Array) -> tuple[Tables, Array, Array]:
        size = u8(self.game.hand_size)
        full = mask(state.sizes[0] == size) & mask(state.sizes[1] == size)
        first, second = (self._number(self._descending(hand)) + u16(_KEEP_OR_GIVE) for hand in state.hands)
        return super()._revealed(state._replace(number=first & wide(full, u16)), second, ~full)
