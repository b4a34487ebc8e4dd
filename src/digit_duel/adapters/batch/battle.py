"""The batch of battle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from digit_duel.adapters.batch.base import (
    RUNNING,
    SEATED,
    Batch,
    bag,
    counts,
    each,
    fitting,
    lanes,
    results,
    verdict,
)
from digit_duel.adapters.batch.dice import Seed, fraction, pick
from digit_duel.adapters.batch.packing import Packing, Words
from digit_duel.adapters.batch.rows import (
    ONE,
    Array,
    Namespace,
    bits,
    choose,
    column,
    digits_of,
    i8,
    i16,
    mask,
    nth,
    sides,
    total,
    u8,
    u16,
    wide,
)
from digit_duel.core.game import Pair, Seat
from digit_duel.games._battle import Battle, Fight
from digit_duel.games._digits import distinct

_HIGHEST = 9  # the largest change of life points by one move
_CROSSED = u8(0x80)  # a bit of `pick`: the second seat is asked first


class Fights(NamedTuple):
    """The state of many battles; a mark is the rank of a secret digit plus one, or 0 for none."""

    life: Pair[Array]
    pool: Words  # the copies left of each digit
    left: Array  # digits in the pool
    to_move: Array
    pick: Array  # the mark of the seat that is asked first, hidden until the other has chosen; or _CROSSED
    standoffs: Array
    last: Pair[Array]  # the marks of the latest reveal
    result: Array


class BattleBatch(Batch[Fights]):
    """Many battles, with any options; set `swaps` if the second seat may have to be asked first."""

    def __init__(self, game: Battle, xp: Namespace = np, swaps: bool = False) -> None:
        super().__init__(xp)
        self.game = game
        self._swaps = swaps
        fitting("life points", game.max_life, np.iinfo(i16).max - _HIGHEST)
        fitting("stand-offs", game.standoff_limit or 0, np.iinfo(u16).max)
        fitting("digits in a pool", len(game.pool), 127)
        self._start = game.start().life
        self._digits = distinct(game.pool)
        copies = [game.pool.count(digit) for digit in self._digits]
        self._pools = Packing(xp, len(self._digits), max(copies))
        self._full_pool = self._pools.pack(copies)
        self._points = i8 if game.max_life + _HIGHEST <= np.iinfo(i8).max else i16
        self._count = u8 if (game.standoff_limit or 0) <= np.iinfo(u8).max else u16
        self._ordinary = 2 * len(
            self._digits
        )  # lower ids are attacks and defences, higher ones secret digits
        self.moves = len(game.moves(Seat.FIRST))
        self._needs = [
            *(0b01 | 0b100 << rank for rank in range(len(self._digits)) for _ in range(2)),
            *[0b11] * len(game.sudden),
        ]
        self.features = (
            *SEATED, "own life", "other's life",
            *(f"copies of {digit} in the pool" for digit in self._digits), "sudden death",
            "other's digit is sealed", "stand-offs", "own digit shown last", "other's digit shown last",
        )  # fmt: skip

    def begin(self, lane: Array, seed: Seed) -> Fights:
        none = (lane ^ lane).astype(u8)
        life = [none.astype(self._points) + self._points(points) for points in self._start]
        pool = each(lambda word: none + word, self._full_pool)
        left, standoffs = none + u8(len(self.game.pool)), none.astype(self._count)
        return Fights((life[0], life[1]), pool, left, none, none, standoffs, (none, none), none)

    def mover(self, state: Fights) -> Array:
        asked = (self._mark(state) != 0).view(u8) ^ self._asked_first(state)
        return choose(self._sudden(state), asked, state.to_move)

    def legal_rows(self, state: Fights) -> Array:
        # A move is legal if its digit is left, or in sudden death, and the game is not over.
        used = ~self._pools.present(state.pool)
        missing = bits([state.result != RUNNING, self._sudden(state) == 0, *used], u16)
        return (column(self._needs, missing, u16) & self._whole(state, missing)) == 0

    def observed(self, state: Fights, seat: Array) -> list[Array]:
        second = seat != 0
        last = [digits_of(mark, self.game.sudden) for mark in state.last]
        where = self.xp.where
        return [
            seat,
            seat == state.to_move,
            where(second, state.life[1], state.life[0]),
            where(second, state.life[0], state.life[1]),
            self._pools.unpack(state.pool),
            self._sudden(state) & ONE,
            (seat != self._asked_first(state)) & (self._mark(state) != 0),
            state.standoffs,
            where(second, last[1], last[0]),
            where(second, last[0], last[1]),
        ]

    def random_move(self, state: Fights, word: Array) -> Array:
        sudden = self._sudden(state)
        left = self._pools.present(state.pool).view(u8)
        digits = total(left)
        chosen, _ = pick(fraction(word), choose(sudden, u8(len(self.game.sudden)), digits + digits))
        ordinary = nth(list(left), chosen >> ONE) * u8(2) + (chosen & ONE)
        return choose(sudden, chosen + u8(self._ordinary), ordinary)

    def _moved(self, state: Fights, ids: Array, again: bool) -> tuple[Fights, Array]:
        ids = ids.astype(u8)
        sudden = mask(ids >= u8(self._ordinary))
        rank = ids >> ONE  # beyond the pool for a secret digit
        ordinary = wide(~sudden, self._pools.dtype)
        pool = each(lambda left, taken: left - (taken & ordinary), state.pool, self._pools.one(rank))
        left = state.left - (ONE & ~sudden)
        to_move = state.to_move ^ (ONE & ~sudden)

        secret = (ids - u8(self._ordinary - 1)) & sudden
        revealed = mask(self._mark(state) != 0) & sudden
        shown = (self._mark(state), secret)
        if self._swaps:
            shown = sides(mask(state.pick >= _CROSSED), shown)
        gap = ((shown[0] - shown[1]) & revealed).view(i8)
        sealed = choose(sudden, secret & ~revealed, state.pick)
        last = [choose(revealed, new, old) for new, old in zip(shown, state.last, strict=True)]
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
        life = [
            choose(fresh, self._points(begun), points)
            for begun, points in zip(self._start, life, strict=True)
        ]
        begun = wide(over, self._pools.dtype)
        pool = each(lambda full, used: choose(begun, full, used), self._full_pool, pool)
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

    def crossed(self, state: Fights, second: Array) -> Fights:
        return state._replace(pick=self._mark(state) | (_CROSSED & second))

    def _mark(self, state: Fights) -> Array:
        """The mark of the pending secret digit, or 0."""
        return state.pick & ~_CROSSED if self._swaps else state.pick

    def _asked_first(self, state: Fights) -> Array:
        """The seat that is asked first in simultaneous choices, 0 or 1."""
        return state.pick >> u8(7) if self._swaps else u8(0)

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
        if self.game.standoff_limit is None:
            return verdict(first, second)
        stood = ended & sudden & mask(standoffs >= self._count(self.game.standoff_limit))
        if self.game.standoff_winner is None:
            return verdict(first, second, stood)
        return verdict(first, second | stood)

    def _sudden(self, state: Fights) -> Array:
        """A mask of the games in sudden death (B4)."""
        return mask(state.left == 0) & (mask(state.last[0] != 0) | mask(state.life[0] == state.life[1]))

    def plain(self, state: Fights) -> list[Fight]:
        secrets = (None, *self.game.sudden)
        rows = (
            *state.life,
            self._pools.unpack(state.pool),
            state.to_move,
            state.pick,
            state.standoffs,
            *state.last,
        )
        return [
            Fight(
                (first, second),
                bag(self._digits, pool),
                Seat(to_move),
                (None, secrets[sealed - _CROSSED]) if sealed >= _CROSSED else (secrets[sealed], None),
                standoffs,
                (self.game.sudden[mark - 1], self.game.sudden[other - 1]) if mark else None,
            )
            for first, second, pool, to_move, sealed, standoffs, mark, other in lanes(*rows)
        ]

    def packed(self, states: Sequence[Fight], seed: Seed, first: int) -> Fights:
        row = self.xp.asarray
        marks: dict[Any, int] = {digit: rank for rank, digit in enumerate((None, *self.game.sudden))}
        life = [row([state.life[seat] for state in states], self._points) for seat in Seat]
        last = [
            row([marks[state.last[seat] if state.last else None] for state in states], u8) for seat in Seat
        ]
        return self.start(len(states), seed, first)._replace(
            life=(life[0], life[1]),
            pool=self._pools.pack(counts(self._digits, [state.pool for state in states])),
            left=row([len(state.pool) for state in states], u8),
            to_move=row([int(state.to_move) for state in states], u8),
            pick=row([max(marks[pick] for pick in state.picks) for state in states], u8),
            standoffs=row([state.standoffs for state in states], self._count),
            last=(last[0], last[1]),
            result=row(results(self.game, states), u8),
        )
