"""A position put to the coach: what the asker sees, and what the solver knows about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeAlias

from digit_duel.core.game import Outcome, Seat
from digit_duel.games._battle import Fight
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.oracle import Option, Oracle, options
from digit_duel.solve.value import Score, Value

Path: TypeAlias = tuple[Any, ...]  # moves played from the position asked about, seat after seat


class Impossible(ValueError):
    """A path on which the rules forbid a move, or to a state where nobody or more than one seat moves."""


class Case:
    """A position of an open game; everything in it is asked by the path that leads there."""

    def __init__(self, game: Any, view: Any) -> None:
        self.game, self.state = game, _unsealed(view)
        self._states: dict[Path, Any] = {(): self.state}
        self._options: dict[Path, list[Option[Any]]] = {}

    @cached_property
    def oracle(self) -> Oracle[Any]:
        """The solver's answers, or Unsolved."""
        from digit_duel.solve.knowledge import knowledge

        found = knowledge(self.game)  # the perfect computer's own, so that both agree
        if found is None:
            raise Unsolved("no solver knows this game, or not in the time anyone would wait")
        return found

    def after(self, path: Path) -> Any:
        """The state that the path leads to, every move of it checked by the rules."""
        if path not in self._states:
            before, move = self.after(path[:-1]), path[-1]
            if not any(move in self.game.legal(before, seat) for seat in self.game.acting(before)):
                raise Impossible(f"{move} cannot be played")
            self._states[path] = self.game.play(before, move)
        return self._states[path]

    def outcome(self, path: Path) -> Outcome | None:
        """How the game has ended there, if it has."""
        found: Outcome | None = self.game.outcome(self.after(path))
        return found

    def mover(self, path: Path = ()) -> Seat:
        """The one seat that moves there."""
        acting: tuple[Seat, ...] = self.game.acting(self.after(path))
        if len(acting) != 1:
            raise Impossible("not one seat moves here")
        return acting[0]

    def moves(self, path: Path = ()) -> Sequence[Any]:
        """What the one seat that moves there may do."""
        found: Sequence[Any] = self.game.legal(self.after(path), self.mover(path))
        return found

    def value(self, path: Path = ()) -> Value:
        """What the state is worth to the first seat."""
        return self.oracle.value(self.after(path))

    def score(self, path: Path, seat: Seat) -> Score:
        """The result that best play leads to, from one seat's side."""
        return self.value(path).score_for(seat)

    def options(self, path: Path = ()) -> list[Option[Any]]:
        """Every move there with its value for the mover, best first."""
        if path not in self._options:
            self._options[path] = options(self.game, self.oracle, self.after(path), self.mover(path))
        return self._options[path]

    def option(self, path: Path, move: Any) -> Option[Any]:
        """One move there with its value for the mover."""
        for found in self.options(path):
            if found.move == move:
                return found
        raise Impossible(f"{move} cannot be played")


def _unsealed(view: Any) -> Any:
    """Both choose at once in sudden death (B3): whoever was quicker, the question is the same for both."""
    return replace(view, picks=(None, None)) if isinstance(view, Fight) else view
