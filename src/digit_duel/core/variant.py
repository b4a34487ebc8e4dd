"""Variants: a game with its name, script, rules text, tips and tutorial, as the catalogue lists it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.core.options import SWAP, BadOption, Option, Swap, customise, options, settings
from digit_duel.core.script import Scene, Script, united
from digit_duel.core.swap import SwapGame, SwapScripts, SwapTips, can_swap
from digit_duel.core.teaching.tutorial import Tutorial

G = TypeVar("G", bound=Game[Any, Any, Any])

_SWAP = "swap"


def no_tips(game: object, view: object, seat: Seat, move: object) -> int:
    """The tips of a game without tips: all moves look equally good."""
    return 0


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules in words, with an example game."""

    text: str
    example: str  # a record


@dataclass(frozen=True, slots=True)
class Edition:
    """A named rule set: a rulebook with some options changed."""

    name: str  # one word
    change: str  # what changes and why, in one sentence
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    note: str = ""  # what to expect of the rulebook with this change, in one sentence

    @property
    def summary(self) -> str:
        """The change and the note, for whoever chooses what to play."""
        return f"{self.change} {self.note}".strip()


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
    tutorial: Tutorial | None = None  # of the game as in the rulebook
    editions: tuple[Edition, ...] = ()
    _standard: Game[S, M, V] | None = field(default=None, repr=False, compare=False)

    def customised(self, wanted: Mapping[str, str]) -> Variant[S, M, V]:
        """The variant with some options set; raises BadOption."""
        rest = dict(wanted)
        asked = SWAP.parse(rest.pop(_SWAP)) if _SWAP in rest else Swap.YES if self.swaps else Swap.NO
        known = self.options
        for name in wanted:
            if name not in known:
                raise BadOption(_unknown(name, known))
        game = customise(self.rules_game, rest)
        tutorial = self.tutorial if game == self.standard else None  # its positions need the rulebook's rules
        plain = replace(self.without_swap, game=game, tutorial=tutorial, _standard=self.standard)
        return plain.with_swap if asked is Swap.YES else plain

    def edition(self, name: str) -> Variant[S, M, V]:
        """The variant in one of its editions; raises BadOption."""
        for edition in self.editions:
            if edition.name == name:
                return self.customised(edition.options)
        known = ", ".join(edition.name for edition in self.editions) or "none"
        raise BadOption(f"{self.id} has no edition '{name[:20]}'; its editions are: {known}.")

    @property
    def standard(self) -> Game[S, M, V]:
        """The game as in the rulebook, before options were set."""
        return self.game if self._standard is None else self._standard

    @property
    def swaps(self) -> bool:
        """Whether the second player may swap seats."""
        return isinstance(self.game, SwapGame)

    @property
    def rules_game(self) -> Game[S, M, V]:
        """The game whose fields are the options, without the pie rule around it."""
        return self.game.game if isinstance(self.game, SwapGame) else self.game

    @property
    def with_swap(self) -> AnyVariant:
        """The variant in which the second player may swap seats."""
        plain: AnyVariant = self
        tips, script = SwapTips(self.tips), SwapScripts(self.script)
        swapped = replace(plain, game=SwapGame(self.game), script=script, tips=tips)
        return replace(swapped, tutorial=None, _standard=self.standard)

    @property
    def without_swap(self) -> AnyVariant:
        """The variant in which nobody may swap seats."""
        script: Any = self.script
        tips: Any = self.tips
        if not self.swaps:
            return self
        return replace(self, game=self.rules_game, script=script.inner, tips=tips.inner)

    @property
    def options(self) -> dict[str, Option]:
        """The options by name."""
        known = options(self.rules_game)
        return {**known, _SWAP: SWAP} if self.swaps or can_swap(self.rules_game) else known

    def setting(self, name: str) -> str:
        """The current value of an option, as text."""
        if name == _SWAP:
            return SWAP.show(Swap.YES if self.swaps else Swap.NO)
        return self.options[name].show(getattr(self.rules_game, name))

    def default(self, name: str) -> str:
        """The rulebook's value of an option, as text."""
        if name == _SWAP:
            return SWAP.show(Swap.NO)
        return self.options[name].show(getattr(self.standard, name))

    def game_as(self, family: type[G]) -> G:
        """The game, typed as one family of games, for code about that family; raises TypeError."""
        if not isinstance(self.game, family):
            raise TypeError(f"the game of {self.id} is not a {family.__name__}.")
        return self.game

    @property
    def settings(self) -> dict[str, str]:
        """The options that differ from the rulebook, as text."""
        found = settings(self.rules_game, self.standard)
        return {**found, _SWAP: self.setting(_SWAP)} if self.swaps else found

    @cached_property
    def edition_name(self) -> str:
        """The edition whose options these are, if it is one."""
        return next((each.name for each in self.editions if dict(each.options) == self.settings), "")

    @cached_property
    def changes(self) -> tuple[str, ...]:
        """What differs from the rulebook, in sentences: an edition's own, otherwise one for each option."""
        told = next((each.summary for each in self.editions if each.name == self.edition_name), None)
        if told is not None:
            return (told,)
        known = self.options
        return tuple(known[name].told(value, self.default(name)) for name, value in self.settings.items())

    def svg(self, state: S, theme: Literal["light", "dark"] | None = None) -> str:
        """A picture of a state with everything face up; without a theme, in the surrounding text's colour."""
        from digit_duel.core.pictures.svg import state_svg

        return state_svg(self, state, theme)

    def _repr_html_(self) -> str:
        """The game in a notebook: its rule in one line, its options, and how it starts."""
        from html import escape

        settings = ", ".join(f"{name}={text}" for name, text in self.settings.items())
        about = f"{self.summary} Changed rules: {settings}." if settings else self.summary
        return f"<div><p>{escape(about)}</p>{self.svg(self.game.start())}</div>"

    @property
    def voice(self) -> Script[S, M, V]:
        """The script of this variant's game."""
        return self.script(self.game)

    def scene(self, state: S, to: Seat | None) -> Scene:
        """What a seat sees of a state; None is a screen on which both hands are open."""
        if to is not None:
            return self.voice.scene(self.game.view(state, to))
        first, second = (self.voice.scene(self.game.view(state, seat)) for seat in Seat)
        return united(first, second)

    @cached_property
    def hides_hands(self) -> bool:
        """Whether the seats see different things for longer than one choice, such as hands of cards."""
        game, script, start = self.game, self.voice, self.game.start()
        first = [game.play(start, draw) for draw, _ in game.chance(start)] or [start]
        return any(len({script.scene(game.view(state, seat)) for seat in Seat}) > 1 for state in first)


def _unknown(name: str, known: Mapping[str, Option]) -> str:
    """Why an option cannot be set."""
    if name == _SWAP:
        return "swap is for games in which nothing is hidden."
    return f"unknown option '{name}'; the options are: {', '.join(known)}."


# For code that takes any game of the catalogue.
AnyVariant: TypeAlias = Variant[Any, Any, Any]
AnyGame: TypeAlias = Game[Any, Any, Any]
AnyScript: TypeAlias = Script[Any, Any, Any]
