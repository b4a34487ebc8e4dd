"""A game reduced to its decisions: forced moves are made automatically, simultaneous choices stay hidden.

A policy sees no difference: views and moves are those of the rules. Only who is asked, and when, may differ.
Between two simultaneous choices both seats still see the state before the first, so it makes no difference
whether they are asked together or one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias

from digit_duel.core.game import Game, M, Outcome, S, Seat, V

# From the legal moves, the one to make without asking the seat, or None to ask it.
Convention: TypeAlias = Callable[[Sequence[Any]], Hashable | None]
Path: TypeAlias = tuple[tuple[S, M], ...]


def only_move(legal: Sequence[M]) -> M | None:
    """The convention that makes a move without asking if it is the only one."""
    return legal[0] if len(legal) == 1 else None


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Pending(Generic[S, M]):
    """A state in which one seat has made its simultaneous choice and the other has not."""

    state: S
    seat: Seat
    move: M


@dataclass(frozen=True, eq=True)
class Decisions(Game[Hashable, M, V], Generic[S, M, V]):
    """A game in which a seat is asked only if no convention makes the move."""

    rules: Game[S, M, V]
    conventions: tuple[Convention, ...] = ()

    def start(self) -> Hashable:
        return self.started()[0]

    def started(self) -> tuple[Hashable, Path[S, M]]:
        """The first state in which nature moves or a seat is asked, and the steps of the rules to it."""
        return self._settled(self.rules.start())

    def outcome(self, state: Hashable) -> Outcome | None:
        return None if isinstance(state, Pending) else self.rules.outcome(state_of(state))

    def essence(self, state: Hashable) -> Hashable:
        if isinstance(state, Pending):
            return Pending(self.rules.essence(state.state), state.seat, state.move)
        return self.rules.essence(state_of(state))

    def margin(self, state: Hashable) -> int:
        return self.rules.margin(state_of(state))

    def chance(self, state: Hashable) -> Sequence[tuple[M, int]]:
        return () if isinstance(state, Pending) else self.rules.chance(state_of(state))

    def acting(self, state: Hashable) -> tuple[Seat, ...]:
        return (state.seat.other,) if isinstance(state, Pending) else self.rules.acting(state_of(state))

    def legal(self, state: Hashable, seat: Seat) -> Sequence[M]:
        if isinstance(state, Pending):
            return self.rules.legal(state.state, seat) if seat is not state.seat else ()
        return self.rules.legal(state_of(state), seat)

    def play(self, state: Hashable, move: M) -> Hashable:
        return self.played(state, move)[0]

    def played(self, state: Hashable, move: M) -> tuple[Hashable, Path[S, M]]:
        """The state after a move and the automatic moves that follow, and the steps of the rules to it."""
        if isinstance(state, Pending):
            return self._both(
                state.state, *((state.move, move) if state.seat is Seat.FIRST else (move, state.move))
            )
        plain: S = state_of(state)
        if len(self.rules.acting(plain)) < 2:
            return self._settled(self.rules.play(plain, move), ((plain, move),))
        seat = Seat.FIRST if move in self.rules.legal(plain, Seat.FIRST) else Seat.SECOND
        answer = self._by_convention(plain, seat.other)
        if answer is None:
            return Pending(plain, seat, move), ()
        return self._both(plain, *((move, answer) if seat is Seat.FIRST else (answer, move)))

    def view(self, state: Hashable, seat: Seat) -> V:
        return self.rules.view(state_of(state), seat)

    def text(self, move: M) -> str:
        return self.rules.text(move)

    def moves(self, seat: Seat) -> Sequence[M]:
        return self.rules.moves(seat)

    def draws(self) -> Sequence[M]:
        return self.rules.draws()

    def why_not(self, view: V, seat: Seat, move: M) -> str:
        return self.rules.why_not(view, seat, move)

    @property
    def bound(self) -> int | None:
        return self.rules.bound

    def seen(self, path: Sequence[tuple[Hashable, M]], seat: Seat) -> Sequence[str]:
        """The moves as far as the seat knows them, with automatic ones and its own pending choice."""
        state, steps = self.started()
        for before, move in path:
            state, more = self.played(before, move)
            steps += more
        return self.seen_steps(steps, state, seat)

    def seen_steps(self, steps: Path[S, M], state: Hashable, seat: Seat) -> Sequence[str]:
        """What `seen` returns, from the steps of the rules and the state that they led to."""
        known = self.rules.seen(steps, seat)
        if isinstance(state, Pending) and state.seat is seat:
            return [*known, self.rules.text(state.move)]
        return known

    def _both(self, state: S, first: M, second: M) -> tuple[Hashable, Path[S, M]]:
        half = self.rules.play(state, first)
        return self._settled(self.rules.play(half, second), ((state, first), (half, second)))

    def _settled(self, state: S, steps: Path[S, M] = ()) -> tuple[Hashable, Path[S, M]]:
        """Make automatic moves until a seat is asked, nature moves or the game ends."""
        while self.conventions and (acting := self.rules.acting(state)):
            answers = [self._by_convention(state, seat) for seat in acting]
            made = [
                (seat, answer) for seat, answer in zip(acting, answers, strict=True) if answer is not None
            ]
            if not made:
                break
            if len(made) < len(acting):
                return Pending(state, *made[0]), steps
            for _, answer in made:
                steps, state = (*steps, (state, answer)), self.rules.play(state, answer)
        return state, steps

    def _by_convention(self, state: S, seat: Seat) -> M | None:
        legal = self.rules.legal(state, seat)
        for convention in self.conventions:
            answer: Any = convention(legal)
            if answer is not None:
                found: M = answer
                return found
        return None


def state_of(state: Hashable) -> Any:
    """The state of the underlying rules; while a choice is pending, the state before it."""
    return state.state if isinstance(state, Pending) else state


def rules_of(game: Game[Any, M, V]) -> Game[Any, M, V]:
    """The underlying rules of a game that may be wrapped in Decisions."""
    return game.rules if isinstance(game, Decisions) else game
