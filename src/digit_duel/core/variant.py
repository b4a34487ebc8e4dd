"""A game with its name, its voice and its rules of thumb: all that the catalogue holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeAlias, TypeVar

from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.core.options import customise, settings
from digit_duel.core.script import Script

G = TypeVar("G", bound=Game[Any, Any, Any])


def no_tips(game: object, view: object, seat: Seat, move: object) -> int:
    """The rule of thumb of a game that has none: every move looks alike."""
    return 0


@dataclass(frozen=True, slots=True)
class Rules:
    """A rulebook in our own words, with a worked example that can be replayed."""

    text: str
    example: str  # a record


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Variant(Generic[S, M, V]):
    """One entry of the catalogue."""

    id: str
    title: str
    summary: str  # the rule in one line
    game: Game[S, M, V]
    # Scripts and tips take the game's own class; no type variable can be bound to Game[S, M, V].
    script: Callable[[Any], Script[S, M, V]]
    rules: Rules
    tips: Callable[[Any, V, Seat, M], int] = no_tips  # how good a move looks to one who knows the tips
    _standard: Game[S, M, V] | None = field(default=None, repr=False, compare=False)

    def customised(self, wanted: Mapping[str, str]) -> Variant[S, M, V]:
        """The same variant with other rule parameters, or BadOption."""
        return replace(self, game=customise(self.game, wanted), _standard=self.standard)

    @property
    def standard(self) -> Game[S, M, V]:
        """The game with the rulebook's parameters."""
        return self.game if self._standard is None else self._standard

    def game_as(self, family: type[G]) -> G:
        """The game as an object of its own class, for code that knows one family of games, or TypeError."""
        if not isinstance(self.game, family):
            raise TypeError(f"{self.id} is not a game of the class {family.__name__}.")
        return self.game

    @property
    def settings(self) -> dict[str, str]:
        """What was set otherwise than in the rulebook."""
        return settings(self.game, self.standard)

    @property
    def voice(self) -> Script[S, M, V]:
        """The script of this variant's game."""
        return self.script(self.game)


AnyVariant: TypeAlias = Variant[Any, Any, Any]
AnyGame: TypeAlias = Game[Any, Any, Any]
AnyScript: TypeAlias = Script[Any, Any, Any]
