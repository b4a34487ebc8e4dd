"""Variants: a game with its name, script, rules text and tips, as the catalogue lists it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeAlias, TypeVar

from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.core.options import customise, settings
from digit_duel.core.script import Script

G = TypeVar("G", bound=Game[Any, Any, Any])


def no_tips(game: object, view: object, seat: Seat, move: object) -> int:
    """The tips of a game that has none: all moves look equally good."""
    return 0


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules in words, with an example game."""

    text: str
    example: str  # a record


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Variant(Generic[S, M, V]):
    """An entry of the catalogue."""

    id: str
    title: str
    summary: str  # the rule in one line
    game: Game[S, M, V]
    # Scripts and tips take the game's own class; no type variable can be bound to Game[S, M, V].
    script: Callable[[Any], Script[S, M, V]]
    rules: Rules
    tips: Callable[[Any, V, Seat, M], int] = no_tips  # how good a move looks; higher is better
    _standard: Game[S, M, V] | None = field(default=None, repr=False, compare=False)

    def customised(self, wanted: Mapping[str, str]) -> Variant[S, M, V]:
        """The variant with some options set, or BadOption."""
        return replace(self, game=customise(self.game, wanted), _standard=self.standard)

    @property
    def standard(self) -> Game[S, M, V]:
        """The game as in the rulebook, before options were set."""
        return self.game if self._standard is None else self._standard

    def game_as(self, family: type[G]) -> G:
        """The game as an object of a class, for code about one family of games, or TypeError."""
        if not isinstance(self.game, family):
            raise TypeError(f"the game of {self.id} is not a {family.__name__}.")
        return self.game

    @property
    def settings(self) -> dict[str, str]:
        """The options that differ from the rulebook, as text."""
        return settings(self.game, self.standard)

    @property
    def voice(self) -> Script[S, M, V]:
        """The script of this variant's game."""
        return self.script(self.game)


# For code that takes any game of the catalogue.
AnyVariant: TypeAlias = Variant[Any, Any, Any]
AnyGame: TypeAlias = Game[Any, Any, Any]
AnyScript: TypeAlias = Script[Any, Any, Any]
