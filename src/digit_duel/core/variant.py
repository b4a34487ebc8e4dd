"""A game with its name, its voice and its rules of thumb: all that the catalogue holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeAlias

from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.core.options import customise, settings
from digit_duel.core.script import Script


def no_tips(game: Any, view: Any, seat: Seat, move: Any) -> int:
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
    game: Any  # Game[S, M, V] that is also a dataclass: its fields are the options
    script: Callable[[Any], Script[S, M, V]]
    rules: Rules
    tips: Callable[[Any, V, Seat, M], int] = no_tips  # how good a move looks to one who knows the tips
    standard: Any = None

    def __post_init__(self) -> None:
        if self.standard is None:
            object.__setattr__(self, "standard", self.game)

    def customised(self, wanted: Mapping[str, str]) -> Variant[S, M, V]:
        """The same variant with other rule parameters, or BadOption."""
        return replace(self, game=customise(self.game, wanted))

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
