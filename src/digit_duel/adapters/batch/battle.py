"""The batch of battle."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from digit_duel.adapters.batch.base import RUNNING, SEATED, Batch, bag, fitting, lanes, verdict
from digit_duel.adapters.batch.dice import fraction, pick
from digit_duel.adapters.batch.rows import (
    ONE,
    Array,
    Namespace,
    choose,
    column,
    digits_of,
    i8,
    i16,
    mask,
    nth,
    total,
    u8,
    u16,
    wide,
)
from digit_duel.core.game import Pair, Seat
from digit_duel.games._battle import Battle, Fight
from digit_duel.games._digits import distinct

_HIGHEST = 9  # the most that one move changes life points by


class Fights(NamedTuple):
    """The state of many battles; a mark is the rank of a secret digit plus one, and 0 is none."""

    life: Pair[Array]
    pool: Array  # [digits, games]: copies left
    left: Array  # digits in the pool
    to_move: Array
    pick: Array  # the first seat's mark, hidden until the second seat has chosen
    standoffs: Array
    last: Pair[Array]  # the marks of the latest reveal
    result: Array


class BattleBatch(Batch[Fights]):
    """Many battles, with any options."""

    def __init__(self, game: Battle, xp: Namespace = np) -> None:
        super().__init__(xp)
        self.game = game
        fitting("life points", game.max_life, np.iinfo(i16).max - _HIGHEST)
        fitting("stand-offs", game.standoff_limit or 0, np.iinfo(u16).max)
        fitting("digits in a pool", len(game.pool), 127)
        self._digits = distinct(game.pool)
        self._copies = [game.pool.count(digit) for digit in self._digits]
        self._points = i8 if game.max_life + _HIGHEST <= np.iinfo(i8).max else i16
        self._count = u8 if (game.standoff_limit or 0) <= np.iinfo(u8).max else u16
        self._ordinary = 2 * len(
            self._digits
        )  # lower ids are attacks and defences, higher ones secret digits
        self.moves = len(game.moves(Seat.FIRST))
        self.features = (
            *SEATED, "own life", "other's life",
            *(f"copies of {digit} in the pool" for digit in self._digits), "sudden death",
            "other's digit is sealed", "stand-offs", "own digit shown last", "other's digit shown last",
        )  # fmt: skip

    def begin(self, lane: Array, seed: int) -> Fights:
        none = (lane ^ lane).astype(u8)
        life = none.astype(self._points) + self._points(self.game.start_life)
        pool, left = none + column(self._copies, none), none + u8(len(self.game.pool))
        return Fights((life, life), pool, left, none, none, none.astype(self._count), (none, none), none)

    def mover(self, state: Fights) -> Array:
        return choose(self._sudden(state), (state.pick != 0).view(u8), state.to_move)

    def legal_rows(self, state: Fights) -> Array:
        running = state.result == RUNNING
        secret = (self._sudden(state) != 0) & running
        ordinary = [row for left in (state.pool != 0) & running for row in (left, left)]
        return self.xp.stack([*ordinary, *[secret] * len(self.game.sudden)])

    def observe_rows(self, state: Fights, seat: Array) -> Array:
        second = seat != 0
        last = [digits_of(mark, self.game.sudden) for mark in state.last]
        where = self.xp.where
        rows = [
            seat,
            seat == state.to_move,
            where(second, state.life[1], state.life[0]),
            where(second, state.life[0], state.life[1]),
            *state.pool,
            self._sudden(state) & ONE,
            second & (state.pick != 0),
            state.standoffs,
            where(second, last[1], last[0]),
            where(second, last[0], last[1]),
        ]
        return self.xp.stack([row.astype(i16) for row in rows])

    def random_move(self, state: Fights, word: Array) -> Array:
        sudden = self._sudden(state)
        left = (state.pool != 0).view(u8)
        digits = total(left)
        chosen, _ = pick(fraction(word), choose(sudden, u8(len(self.game.sudden)), digits + digits))
        ordinary = nth(list(left), chosen >> ONE) * u8(2) + (chosen & ONE)
        return choose(sudden, chosen + u8(self._ordinary), ordinary)

    def _moved(self, state: Fights, ids: Array, again: bool) -> tuple[Fights, Array]:
        ids = ids.astype(u8)
        sudden = mask(ids >= u8(self._ordinary))
        rank = ids >> ONE  # beyond the pool for a secret digit
        pool = state.pool - (column(range(len(self._digits)), rank) == rank).view(u8)
        left = state.left - (ONE & ~sudden)
        to_move = state.to_move ^ (ONE & ~sudden)

        secret = (ids - u8(self._ordinary - 1)) & sudden
        revealed = mask(state.pick != 0) & sudden
        gap = ((state.pick - secret) & revealed).view(i8)
        sealed = choose(sudden, secret & ~revealed, state.pick)
        last = [choose(revealed, new, old) for new, old in zip((state.pick, secret), state.last, strict=True)]
        life = self._lives(
            state, digits_of(rank + ONE, self._digits) & ~sudden.view(i8), mask((ids & ONE) != 0), gap
        )
        standoffs = state.standoffs
        if self.game.standoff_limit is not None:
            counted = (standoffs + self._count(1)) & wide(mask(gap == 0), self._count)
            standoffs = choose(wide(revealed, self._count), counted, standoffs)
        result = self._result(life, left, last[0], standoffs)
        if not again:
            after = Fights(
                (life[0], life[1]), pool, left, to_move, sealed, standoffs, (last[0], last[1]), result
            )
            return after, result

        over = mask(result != RUNNING)
        on = ~over
        fresh = wide(over, self._points)
        life = [choose(fresh, self._points(self.game.start_life), points) for points in life]
        pool = choose(over, column(self._copies, rank), pool)
        left = choose(over, u8(len(self.game.pool)), left)
        standoffs = standoffs & wide(on, self._count)
        after = Fights(
            (life[0], life[1]),
            pool,
            left,
            to_move & on,
            sealed,
            standoffs,
            (last[0] & on, last[1] & on),
            state.result,
        )
        return after, result

    def _lives(self, state: Fights, digit: Array, defends: Array, gap: Array) -> list[Array]:
        """The life points after an attack, a defence or a reveal (B1)."""
        second = mask(state.to_move != 0).view(i8)
        gain, loss = digit & defends.view(i8), digit & ~defends.view(i8)
        changes = ((gain & ~second) - (loss & second) + gap, (gain & second) - (loss & ~second) - gap)
        most = self._points(self.game.max_life)
        return [
            self.xp.minimum(life + change.astype(self._points), most)
            for life, change in zip(state.life, changes, strict=True)
        ]

    def _result(self, life: list[Array], left: Array, last: Array, standoffs: Array) -> Array:
        """The results (B2, B3)."""
        down = [mask(points <= self._points(0)) for points in life]
        ended = mask(left == 0) & ~(down[0] | down[1])
        sudden = mask(last != 0) | mask(life[0] == life[1])
        ahead = mask(life[0] > life[1])
        first = down[1] | (ended & ~sudden & ahead)
        second = down[0] | (ended & ~sudden & ~ahead)
        if self.game.standoff_limit is not None:
            second = second | (ended & sudden & mask(standoffs >= self._count(self.game.standoff_limit)))
        return verdict(first, second)

    def _sudden(self, state: Fights) -> Array:
        """A mask of the games in sudden death (B4)."""
        return mask(state.left == 0) & (mask(state.last[0] != 0) | mask(state.life[0] == state.life[1]))

    def plain(self, state: Fights) -> list[Fight]:
        secrets = (None, *self.game.sudden)
        rows = (*state.life, state.pool, state.to_move, state.pick, state.standoffs, *state.last)
        return [
            Fight(
                (first, second),
                bag(self._digits, pool),
                Seat(to_move),
                (secrets[sealed], None),
                standoffs,
                (self.game.sudden[mark - 1], self.game.sudden[other - 1]) if mark else None,
            )
            for first, second, pool, to_move, sealed, standoffs, mark, other in lanes(*rows)
        ]
