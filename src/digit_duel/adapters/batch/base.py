"""What a batch is: many games of one kind on arrays, by the same rules as the plain game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from digit_duel.adapters.batch.dice import POLICY, Dice, dice
from digit_duel.adapters.batch.rows import Array, Namespace, i8, i32, u8, u32
from digit_duel.core.game import Seat

SEATED = ("seat", "own turn")  # what every observation begins with: 0 or 1 each

RUNNING, FIRST_WON, SECOND_WON, DRAWN = map(u8, range(4))  # what `result` holds

_LARGER = 24 << 20  # bytes; never touched


class NoBatch(ValueError):
    """A sentence that says why a game cannot be played in batches."""


class Games(Protocol):
    """The state of a batch: named arrays whose last axes are the games."""

    @property
    def result(self) -> Array:
        """How each game has ended, or that it runs."""


B = TypeVar("B", bound=Games)
T = TypeVar("T")


class Step(NamedTuple, Generic[B]):
    """What a step with automatic reset leads to."""

    state: B  # what was over has started anew
    over: Array  # which games the move ended
    returns: Array  # [games, 2]: +1, 0 or -1 per seat where it ended one, else 0


class Rollout(NamedTuple, Generic[B]):
    """What random play leads to."""

    state: B
    dice: Dice
    finished: Array  # games ended, per lane
    balance: Array  # of these, wins of the first seat less those of the second


class Batch(ABC, Generic[B]):
    """Many games at once: pure functions of arrays, which trust their caller as the plain game does.

    A move is its index in `game.moves(seat)`. Where both seats act at once, the first one chooses
    first, and its choice is hidden until the second one has chosen.
    """

    moves: int  # how many ids there are
    features: tuple[str, ...]  # what an observation holds, by index

    def __init__(self, xp: Namespace = np) -> None:
        self.xp = xp
        self._branching = False
        if xp is np:
            # The C library returns the memory of every array to the system, and fetches it back page by page,
            # a third of all time, until it has seen a larger one freed.
            np.empty(_LARGER, u8)
        else:
            import jax

            self._branching = jax.default_backend() == "cpu"

    @abstractmethod
    def begin(self, lane: Array, seed: int) -> B:
        """New games on numbered lanes (u32, of any shape); chance depends on seed and lane alone."""

    @abstractmethod
    def mover(self, state: B) -> Array:
        """Whose choice it is now, 0 or 1."""

    @abstractmethod
    def legal_rows(self, state: B) -> Array:
        """Which ids the mover may play: bool [moves, games]; none once a game is over."""

    @abstractmethod
    def observe_rows(self, state: B, seat: Array) -> Array:
        """What a seat per game sees now: [features, games]."""

    @abstractmethod
    def random_move(self, state: B, word: Array) -> Array:
        """A legal id for a random word, each of them as likely."""

    @abstractmethod
    def plain(self, state: B) -> list[Any]:
        """The states as the plain game knows them, one per lane."""

    @abstractmethod
    def _moved(self, state: B, ids: Array, again: bool) -> tuple[B, Array]:
        """The games after a move, and their results; with `again`, what is over starts anew."""

    def start(self, count: int, seed: int = 0, first: int = 0) -> B:
        """New games on the lanes first, first + 1, ... of a seed."""
        return self.begin(self.xp.arange(first, first + count, dtype=u32), seed)

    def dice(self, count: int, seed: int = 0, first: int = 0) -> Dice:
        """Dice for random moves on the same lanes, independent of what chance brings."""
        return dice(self.xp.arange(first, first + count, dtype=u32), seed, POLICY)

    def legal(self, state: B) -> Array:
        """Which ids the mover may play: bool [games, moves]; none once a game is over."""
        return self.xp.moveaxis(self.legal_rows(state), 0, -1)

    def observe(self, state: B, seat: Seat | None = None) -> Array:
        """What the mover, or one seat, sees now: [games, features]."""
        mover = self.mover(state)
        seats = mover if seat is None else self.xp.full_like(mover, int(seat))
        return self.xp.moveaxis(self.observe_rows(state, seats), 0, -1)

    def over(self, state: B) -> Array:
        """Which games are over."""
        return state.result != RUNNING

    def returns(self, state: B) -> Array:
        """The score of each seat, [games, 2]: +1, 0 or -1, and 0 while a game runs."""
        return self._scores(state.result)

    def play(self, state: B, ids: Array) -> B:
        """The games after one move each; what is over stays as it is."""
        after, _ = self._moved(state, ids, again=False)
        over = self.over(state)
        kept: B = each(lambda old, new: self.xp.where(over, old, new), state, after)
        return kept

    def step(self, state: B, ids: Array) -> Step[B]:
        """One move in every game, none of which is over yet; those that it ends start anew."""
        after, result = self._moved(state, ids, again=True)
        return Step(after, result != RUNNING, self._scores(result))

    def rollout(self, state: B, rolled: Dice, steps: int) -> Rollout[B]:
        """So many random moves in every game, those that end starting anew."""
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
        first = _score(result)
        return self.xp.stack([first, -first], axis=-1)

    def _whole(self, state: B, rows: T) -> T:
        """The same rows, computed once: JAX on a CPU would do so again for every row that they go into."""
        if not self._branching:
            return rows
        from jax import lax

        # XLA drops its own barriers before it fuses; a branch stays, for it cannot know this one.
        always = state.result.reshape(-1)[0] <= DRAWN
        made: T = lax.cond(always, lambda same: same, lambda same: each(lambda row: ~row, same), rows)
        return made

    def _rarely(self, condition: Array, change: Callable[[Array], Array], rows: Array) -> Array:
        """Rows with a change that few games need, left out where no game does."""
        if self.xp is np:
            return change(rows) if condition.any() else rows
        if not self._branching:
            return change(rows)
        from jax import lax

        return lax.cond(condition.any(), change, lambda same: same, rows)


def _score(result: Array) -> Array:
    """The first seat's score."""
    return (result == FIRST_WON).view(i8) - (result == SECOND_WON).view(i8)


def verdict(first: Array, second: Array, drawn: Array | None = None) -> Array:
    """A result from masks of which one at most is set: the first seat has won, the second, it is a draw."""
    found = (first & FIRST_WON) | (second & SECOND_WON)
    return found if drawn is None else found | (drawn & DRAWN)


def fitting(what: str, number: int, most: int) -> None:
    """Refuse a game that is too large for its arrays."""
    if number > most:
        raise NoBatch(f"a batch holds at most {most} {what}, and this game has {number}.")


def bag(digits: Sequence[int], counts: Sequence[int]) -> tuple[int, ...]:
    """So many copies of each digit, as plain games hold them."""
    return tuple(digit for digit, count in zip(digits, counts, strict=True) for _ in range(count))


def lanes(*rows: Array) -> zip[Any]:
    """What rows hold for one lane after the other, as plain numbers and lists of them."""
    return zip(*(np.asarray(row).T.tolist() for row in rows), strict=True)


def each(function: Callable[..., Array], *states: Any) -> Any:
    """A function applied to the arrays of states of the same form."""
    if not isinstance(states[0], tuple):
        return function(*states)
    parts = [each(function, *same) for same in zip(*states, strict=True)]
    return type(states[0])(*parts) if hasattr(states[0], "_fields") else tuple(parts)
