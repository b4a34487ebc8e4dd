"""The base of all batches: many games of one kind on arrays, with the same rules as the plain game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from functools import reduce
from itertools import groupby
from math import isqrt
from operator import or_
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import DTypeLike

from digit_duel.adapters.batch.dice import POLICY, Dice, Seed, check_seed, dice, fraction, pick
from digit_duel.adapters.batch.rows import (
    Array,
    Namespace,
    OnArrays,
    i8,
    i16,
    i32,
    mask,
    nth,
    stacked,
    total,
    u8,
    u32,
)
from digit_duel.adapters.interface.arguments import whole_number
from digit_duel.core.game import Seat

SEATED = ("seat", "own turn")  # the first two features of every observation, 0 or 1 each

RUNNING, FIRST_WON, SECOND_WON, DRAWN = map(u8, range(4))  # the values of `result`

_LARGE = 24 << 20  # bytes
_FEW = 5  # masks with fewer blocks than this are searched in one step
_PARTS = 10  # XLA does not vectorize a concatenation of more parts than this on a GPU


class NoBatch(ValueError):
    """A game cannot be played in batches; the message says why."""


class BatchState(Protocol):
    """The state of many games: named arrays whose last axes index the games."""

    @property
    def result(self) -> Array:
        """The result of each game, or RUNNING."""


B = TypeVar("B", bound=BatchState)
T = TypeVar("T")


class BatchStep(NamedTuple, Generic[B]):
    """The result of a step with automatic reset."""

    state: B  # games that ended have been reset
    over: Array  # which games the move ended
    returns: Array  # [games, 2]: the score of each seat, +1, 0 or -1, in games that ended, else 0


class Transition(NamedTuple, Generic[B]):
    """A step with automatic reset that also has the states before the reset."""

    last: B  # the state after the move, terminal in games that ended
    state: B  # the same, but games that ended have been reset
    over: Array
    returns: Array


class Rollout(NamedTuple, Generic[B]):
    """The result of random play."""

    state: B
    dice: Dice
    finished: Array  # games ended, per lane
    balance: Array  # wins of the first seat minus wins of the second, per lane


class Batch(OnArrays, ABC, Generic[B]):
    """Many games at once: pure functions of arrays that trust their caller, as the plain game does.

    A move is its index in `game.moves(seat)`. Where both seats act at once, the first seat chooses
    first, and its choice stays hidden until the second seat has chosen.
    """

    game: Any  # the rules
    moves: int  # the number of move ids
    features: tuple[str, ...]  # the meaning of each number of an observation
    numbers: DTypeLike = i16  # the type of these numbers

    def __init__(self, xp: Namespace = np) -> None:
        self.xp = xp
        self._branching = False
        if xp is np:
            # malloc returns large blocks to the system until a larger one was freed (its mmap threshold
            # adapts); without this, page faults take a third of the time.
            np.empty(_LARGE, u8)
        else:
            import jax

            self._branching = jax.default_backend() == "cpu"

    @abstractmethod
    def begin(self, lane: Array, seed: Seed) -> B:
        """New games on numbered lanes (u32, any shape); chance depends only on seed and lane."""

    @abstractmethod
    def mover(self, state: B) -> Array:
        """The seat that chooses now, 0 or 1."""

    @abstractmethod
    def legal_rows(self, state: B) -> Array:
        """The legal moves of the mover: bool [moves, games], all false once a game is over."""

    @abstractmethod
    def observed(self, state: B, seat: Array) -> list[Array]:
        """The observation of the given seat of each game: rows, and arrays of several rows."""

    @abstractmethod
    def random_move(self, state: B, word: Array) -> Array:
        """A legal move for each random word, all equally likely."""

    @abstractmethod
    def plain(self, state: B) -> Sequence[Hashable]:
        """The states of the plain game, one per lane."""

    @abstractmethod
    def packed(self, states: Sequence[Any], seed: Seed, first: int) -> B:
        """The games of from_plain, which checks the states."""

    @abstractmethod
    def _moved(self, state: B, ids: Array, again: bool) -> tuple[B, Array]:
        """The games after a move, and their results; with `again`, games that ended start again."""

    def held(self, state: B, waits: Array) -> B:
        """The games with chance moves held back where the mask is set, and released elsewhere."""
        return state

    def crossed(self, state: B, second: Array) -> B:
        """The games with the second seat asked first in simultaneous choices where the mask is set."""
        return state

    def start(self, count: int, seed: Seed = 0, first: int = 0) -> B:
        """New games on the lanes first, first + 1, ... of a seed; raises TypeError or ValueError."""
        check_seed(seed)
        return self.begin(self._lanes(count, first), seed)

    def dice(self, count: int, seed: Seed = 0, first: int = 0) -> Dice:
        """Random words for moves on the same lanes, independent of those for chance."""
        return dice(self._lanes(count, first), seed, POLICY)

    def _lanes(self, count: int, first: int) -> Array:
        """The numbers of lanes; raises TypeError or ValueError."""
        begin = whole_number("first", first)
        return self.xp.arange(begin, begin + whole_number("count", count), dtype=u32)

    def from_plain(self, states: Sequence[Any], seed: Seed = 0, first: int = 0) -> B:
        """Games in the given plain states, on the lanes first, first + 1, ... of a seed.

        Raises ValueError for a state that no batch has: nature moves, or the second seat has made its
        simultaneous choice and the first has not.
        """
        found = self.packed(states, seed, first) if states else self.start(0, seed, first)
        for state, mover in zip(states, np.asarray(self.mover(found)).tolist(), strict=True):
            if self.game.outcome(state) is None and Seat(mover) not in self.game.acting(state):
                why = "nature moves there" if self.game.chance(state) else "the second seat has chosen first"
                raise ValueError(f"a batch has no such state, because {why}: {state}")
        return found

    def legal(self, state: B) -> Array:
        """The legal moves of the mover: bool [games, moves], all false once a game is over."""
        return self.xp.moveaxis(self.legal_rows(state), 0, -1)

    def observe(self, state: B, seat: Seat | None = None) -> Array:
        """The observation of the mover, or of a given seat: [games, features]; raises ValueError."""
        mover = self.mover(state)
        seats = mover if seat is None else self.xp.full_like(mover, int(Seat(seat)))
        return self.xp.moveaxis(self.observe_rows(state, seats), 0, -1)

    def observe_rows(self, state: B, seat: Array) -> Array:
        """The observation of the given seat of each game: [features, games]."""
        parts = self.observed(state, seat)
        most = 4 // np.dtype(self.numbers).itemsize if len(parts) > _PARTS else 1
        found = []
        for several, group in groupby(parts, lambda part: part.ndim > seat.ndim):
            rows = [part.astype(self.numbers) for part in group]
            found += rows if several else [stacked(rows[at : at + most]) for at in range(0, len(rows), most)]
        return self.xp.concatenate(found)

    def sample(self, state: B, legal: Array, word: Array) -> tuple[Array, Array]:
        """A random legal move for each word, by a mask [moves, games]; also returns the computed mask."""
        once: Array = self._whole(state, legal)
        rows = list(once.view(u8))
        at, _ = pick(fraction(word), total(once.view(u8)))
        at = self._whole(state, at)
        wide = isqrt(len(rows) - 1) + 1
        if wide < _FEW:
            return nth(rows, at), once
        # In two steps, by blocks: a compiler that recomputes every running sum takes quadratic time.
        blocks = [rows[begin : begin + wide] for begin in range(0, len(rows), wide)]
        sums = [sum(block[1:], start=block[0]) for block in blocks]
        block = self._whole(state, nth([*sums, sums[0]], at))
        here = [mask(block == u8(number)) for number in range(len(blocks))]
        passed = [sums[number] & mask(block > u8(number)) for number in range(len(blocks))]
        inside = [
            reduce(
                or_, [on & rows_[place] for on, rows_ in zip(here, blocks, strict=True) if place < len(rows_)]
            )
            for place in range(wide)
        ]
        rest, *found = self._whole(state, (at - sum(passed[1:], start=passed[0]), *inside))
        return block * u8(wide) + nth(found, rest), once

    def over(self, state: B) -> Array:
        """Which games are over."""
        return state.result != RUNNING

    def returns(self, state: B) -> Array:
        """The score of each seat, [games, 2]: +1, 0 or -1; 0 while a game runs."""
        return self._scores(state.result)

    def play(self, state: B, ids: Array) -> B:
        """The games after one move each; games that are over stay as they are."""
        after, _ = self._moved(state, self._array(ids), again=False)
        over = self.over(state)
        kept: B = each(lambda old, new: self.xp.where(over, old, new), state, after)
        return kept

    def step(self, state: B, ids: Array) -> BatchStep[B]:
        """One move in every game, none of which may be over; games that end start again."""
        after, result = self._moved(state, self._array(ids), again=True)
        return BatchStep(after, result != RUNNING, self._scores(result))

    def transition(self, state: B, ids: Array) -> Transition[B]:
        """A step that also returns the last state of games that end, for its observation."""
        ids = self._array(ids)
        last, _ = self._moved(state, ids, again=False)
        return Transition(last, *self.step(state, ids))

    def _array(self, ids: Array | Sequence[int]) -> Array:
        """Move ids as an array, if they are a list."""
        return self.xp.asarray(ids) if isinstance(ids, list | tuple) else ids

    def rollout(self, state: B, rolled: Dice, steps: int) -> Rollout[B]:
        """Play this many random moves in every game; games that end start again."""
        none = self.xp.zeros(state.result.shape, i32)
        run = Rollout(state, rolled, none, none)
        if self.xp is np:
            for _ in range(steps):
                run = self._rolled(run)
            return run
        from jax import lax

        done: Rollout[B] = lax.fori_loop(0, steps, lambda _, so_far: self._rolled(so_far), run)
        return done

    def _rolled(self, run: Rollout[B]) -> Rollout[B]:
        ids = self._whole(run.state, self.random_move(run.state, run.dice.word()))
        state, result = self._moved(run.state, ids, again=True)
        finished = run.finished + (result != RUNNING).astype(i32)
        return Rollout(state, run.dice.next(), finished, run.balance + _score(result).astype(i32))

    def _scores(self, result: Array) -> Array:
        return _score(result)[..., None] * np.array([1, -1], i8)

    def _whole(self, state: B, rows: T) -> T:
        """The same rows, materialized: on a CPU, XLA would otherwise recompute them for every use."""
        if not self._branching:
            return rows
        from jax import lax

        # XLA removes optimization barriers before it fuses operations, but not a branch on a value.
        always = state.result.reshape(-1)[0] <= DRAWN
        made: T = lax.cond(always, lambda same: same, lambda same: each(lambda row: ~row, same), rows)
        return made

    def _rarely(self, condition: Array, change: Callable[[Array], Array], rows: Array) -> Array:
        """Apply a change that few games need, and skip it when no game needs it."""
        if self.xp is np:
            return change(rows) if condition.any() else rows
        if not self._branching:
            return change(rows)
        from jax import lax

        return lax.cond(condition.any(), change, lambda same: same, rows)


AnyBatch: TypeAlias = Batch[Any]  # of a game known only at run time


def _score(result: Array) -> Array:
    """The first seat's score."""
    return (result == FIRST_WON).view(i8) - (result == SECOND_WON).view(i8)


def verdict(first: Array, second: Array, drawn: Array | None = None) -> Array:
    """A result from masks of games that the first seat won, that the second won, and that are drawn."""
    found = (first & FIRST_WON) | (second & SECOND_WON)
    return found if drawn is None else found | (drawn & DRAWN)


def fitting(what: str, number: int, most: int) -> None:
    """Raise NoBatch if a game is too large for the types of its arrays."""
    if number > most:
        raise NoBatch(f"a batch can have at most {most} {what}, but this game has {number}.")


def bag(digits: Sequence[int], counts: Sequence[int]) -> tuple[int, ...]:
    """A sorted tuple with the given number of copies of each digit, as in the plain games."""
    return tuple(digit for digit, count in zip(digits, counts, strict=True) for _ in range(count))


def counts(digits: Sequence[int], pools: Sequence[Sequence[int]]) -> list[list[int]]:
    """How many copies of each digit the pools have: [digits][games]."""
    return [[pool.count(digit) for pool in pools] for digit in digits]


def results(game: Any, states: Sequence[Any]) -> list[int]:
    """The results of plain states."""
    codes = {Seat.FIRST: FIRST_WON, Seat.SECOND: SECOND_WON, None: DRAWN}
    outcomes = [game.outcome(state) for state in states]
    return [int(codes[outcome.winner]) if outcome else int(RUNNING) for outcome in outcomes]


def lanes(*rows: Array) -> zip[Array]:
    """The values of the rows lane by lane, as Python numbers and lists of them."""
    return zip(*(np.asarray(row).T.tolist() for row in rows), strict=True)


def rerolled(state: Array, rolled: Dice) -> Array:
    """The same games with other random words for their chance moves, if they have any."""
    if hasattr(state, "inner"):
        return state._replace(inner=rerolled(state.inner, rolled))
    return state._replace(dice=rolled) if hasattr(state, "dice") else state


def each(function: Callable[..., Array], *states: Array) -> Array:
    """Apply a function to the corresponding arrays of states with the same structure."""
    if not isinstance(states[0], tuple):
        return function(*states)
    parts = [each(function, *same) for same in zip(*states, strict=True)]
    return type(states[0])(*parts) if hasattr(states[0], "_fields") else tuple(parts)
