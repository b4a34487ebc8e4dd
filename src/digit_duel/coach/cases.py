"""A position put to the coach: what the asking seat sees, and what the solver knows about it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar

from digit_duel.core.game import M, Outcome, Seat, V
from digit_duel.core.variant import AnyGame
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.families import quick_oracle, solver
from digit_duel.solve.oracle import Oracle, ValuedMove, options
from digit_duel.solve.value import Score, Value

G = TypeVar("G", bound=AnyGame)
Path: TypeAlias = tuple[Hashable, ...]  # moves played from the position asked about, seat after seat


class Impossible(ValueError):
    """A path with an illegal move, or one to a state where not exactly one seat moves."""


class Case(Generic[G, V, M]):
    """A position, and every later one, each addressed by the moves that lead there."""

    def __init__(self, game: G, view: V) -> None:
        self.game = game
        self.state: V = solver(game).before_choices(view)
        self._states: dict[Path, V] = {(): self.state}
        self._options: dict[Path, list[ValuedMove[M]]] = {}

    @cached_property
    def oracle(self) -> Oracle[V]:
        """The solver's values; raises Unsolved if there are none."""
        found = quick_oracle(self.game)  # the perfect computer's own, so that both agree
        if found is None:
            raise Unsolved("no solver here can solve this game quickly enough for a hint.")
        return found

    @property
    def at_once(self) -> bool:
        """Whether both seats choose at once."""
        return len(self.game.acting(self.state)) == 2

    def after(self, path: Path) -> V:
        """The state that the path leads to; raises Impossible if one of its moves is illegal."""
        if path not in self._states:
            before, move = self.after(path[:-1]), path[-1]
            if not any(move in self.game.legal(before, seat) for seat in self.game.acting(before)):
                raise Impossible(f"{move} cannot be played")
            self._states[path] = self.game.play(before, move)
        return self._states[path]

    def outcome(self, path: Path) -> Outcome | None:
        """How the game has ended there, if it has."""
        return self.game.outcome(self.after(path))

    def mover(self, path: Path = ()) -> Seat:
        """The only seat that moves there; raises Impossible if there is none."""
        acting = self.game.acting(self.after(path))
        if len(acting) != 1:
            raise Impossible("not exactly one seat moves here")
        return acting[0]

    def moves(self, path: Path = ()) -> Sequence[M]:
        """The legal moves of the only seat that moves there."""
        return self.game.legal(self.after(path), self.mover(path))

    def value(self, path: Path = ()) -> Value:
        """The value of the state for the first seat."""
        return self.oracle.value(self.after(path))

    def score(self, path: Path, seat: Seat) -> Score:
        """The result that best play leads to, from one seat's side."""
        return self.value(path).score_for(seat)

    def options(self, path: Path = ()) -> list[ValuedMove[M]]:
        """Every move there with its value for the mover, best first."""
        if path not in self._options:
            self._options[path] = options(self.game, self.oracle, self.after(path), self.mover(path))
        return self._options[path]

    def option(self, path: Path, move: Hashable) -> ValuedMove[M]:
        """One move there with its value for the mover."""
        for found in self.options(path):
            if found.move == move:
                return found
        raise Impossible(f"{move} cannot be played")


AnyCase: TypeAlias = Case[Any, Any, Any]
