"""Versions of the environments: which decisions are asked for, action numbers and observations."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from digit_duel.adapters.interface.alphabet import Alphabet, alphabet, highest_number, ranked_alphabet
from digit_duel.adapters.interface.encoding import encoding
from digit_duel.adapters.interface.names import VERSIONS
from digit_duel.adapters.interface.views import layout
from digit_duel.core.decisions import Convention, Decisions, only_move
from digit_duel.core.game import Seat
from digit_duel.core.options import BadOption, one_of
from digit_duel.core.swap import SwapGame
from digit_duel.core.variant import AnyGame, AnyVariant
from digit_duel.games._cards import Cards


class Layout(StrEnum):
    """How the number of a full hand is laid out."""

    ASK = "ask"  # the seat is asked
    HIGHEST = "highest"  # automatically, as the highest number


class Forced(StrEnum):
    """What happens when a seat has only one legal move."""

    ASK = "ask"  # the seat is asked
    SKIP = "skip"  # the move is made automatically


class Numbers(StrEnum):
    """How observations are encoded."""

    NUMBERS = "numbers"  # small integers
    ONE_HOT = "one_hot"  # a flag for each value of each number


class Observations(Protocol):
    """An encoding of views as numbers."""

    @property
    def bounds(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The lowest and the highest value of every number."""

    def numbers(self, view: Hashable, seat: Seat, acting: tuple[Seat, ...]) -> NDArray[Any]:
        """The observation of a seat, as numbers."""


@dataclass(frozen=True)
class VersionSettings:
    """The options of version 2 that do not change the rules."""

    layout: Layout = Layout.ASK
    forced: Forced = Forced.ASK
    encoding: Numbers = Numbers.NUMBERS


OPTIONS = {
    "layout": "who lays out a full hand: ask the seat, or always the highest number",
    "forced": "where a seat has one legal move: ask, or skip and make it",
    "encoding": "observations as numbers, or one_hot",
}


@dataclass(frozen=True)
class Interface:
    """A variant in one version of the environments."""

    version: int
    variant: AnyVariant  # with its original rules
    game: AnyGame  # as the environment plays it: the original game, or its decisions only
    alphabet: Alphabet
    observations: Observations

    def __reduce__(self) -> tuple[object, ...]:
        settings = VersionSettings() if self.version == 1 else self.settings
        return interface, (self.variant, self.version, settings)

    @property
    def settings(self) -> VersionSettings:
        """The settings that the interface was made with."""
        conventions = self.game.conventions if isinstance(self.game, Decisions) else ()
        return VersionSettings(
            Layout.HIGHEST if highest_number in conventions else Layout.ASK,
            Forced.SKIP if only_move in conventions else Forced.ASK,
            Numbers.ONE_HOT if getattr(self.observations, "one_hot", False) else Numbers.NUMBERS,
        )


@lru_cache(maxsize=128)
def interface(variant: AnyVariant, version: int, settings: VersionSettings = VersionSettings()) -> Interface:
    """A variant in a version; raises BadOption."""
    if version not in VERSIONS:
        raise BadOption(f"version must be one of: {', '.join(map(str, VERSIONS))}; not {version!r}.")
    if version == 1:
        if settings != VersionSettings():
            raise BadOption(f"version 1 does not have the options {', '.join(OPTIONS)}; use version 2.")
        if isinstance(variant.game, SwapGame):
            raise BadOption("version 1 has no observations for swap=yes; use version 2.")
        return Interface(1, variant, variant.game, alphabet(variant.game), layout(variant.game))
    game = decisions(variant.game, settings)
    one_hot = settings.encoding is Numbers.ONE_HOT
    return Interface(version, variant, game, ranked_alphabet(game), encoding(game, one_hot))


def decisions(game: AnyGame, settings: VersionSettings) -> AnyGame:
    """A game as version 2 plays it; raises BadOption."""
    conventions: list[Convention] = []
    if settings.layout is Layout.HIGHEST:
        if not isinstance(game, Cards):
            raise BadOption("layout is only for games in which a hand is laid out; leave it out here.")
        conventions.append(highest_number)
    if settings.forced is Forced.SKIP:
        conventions.append(only_move)
    return Decisions(game, tuple(conventions))


def customised(variant: AnyVariant, version: int, options: Mapping[str, object]) -> Interface:
    """A variant with options of its rules and of the version; raises BadOption."""
    texts = {name: option_text(name, value) for name, value in options.items()}
    settings = VersionSettings()
    if version != 1:
        settings = VersionSettings(
            one_of("layout", Layout)(texts.pop("layout", settings.layout)),
            one_of("forced", Forced)(texts.pop("forced", settings.forced)),
            one_of("encoding", Numbers)(texts.pop("encoding", settings.encoding)),
        )
    return interface(variant.customised(texts), version, settings)


def option_text(name: str, value: object) -> str:
    """An option as text; raises BadOption for anything but a string, an integer or None."""
    if value is None:
        return "none"
    if isinstance(value, bool | np.bool_) or not isinstance(value, str | int | np.integer):
        raise BadOption(f"{name} must be a string or an integer, not {type(value).__name__}.")
    return str(value)
