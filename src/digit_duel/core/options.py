"""Options: the fields of a game's dataclass, as people read and set them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)
G = TypeVar("G", bound="DataclassInstance")

_VALUES = re.compile(": |, (?:such as|or same$|or none$)")  # where a help begins to list values


class BadOption(ValueError):
    """An option that does not exist, or settings that make no playable game; the message says why."""

    option: str | None = None  # the one whose own value is wrong, if any


@dataclass(frozen=True, slots=True)
class Option:
    """How a field is parsed and shown, what it means, and what screens offer."""

    parse: Callable[[str], Any]
    show: Callable[[Any], str]
    help: str
    usual: tuple[str, ...] = ()  # values to offer, though others can be typed
    repairs: tuple[str, ...] = ()  # values that may make a game fairer
    dial: tuple[int, int] | None = None  # a range of numbers; higher ones favour the second player

    @property
    def choices(self) -> tuple[str, ...]:
        """The values to offer: all of a few words, otherwise the usual ones."""
        return tuple(str(word) for word in self.parse.words) if isinstance(self.parse, OneOf) else self.usual

    @property
    def question(self) -> str:
        """The help without the values that it lists, for screens that offer them."""
        return _VALUES.split(self.help)[0]

    def told(self, value: str, usual: str) -> str:
        """Say how a rule differs: "Digits in a number: 4 (rulebook: 3)"."""
        plain = f"{self.question}: {value} (rulebook: {usual})".replace("_", " ")
        return plain[0].upper() + plain[1:]

    @property
    def bounds(self) -> tuple[int, int] | None:
        """The lowest and highest value, if the option is a number."""
        return (self.parse.low, self.parse.high) if isinstance(self.parse, Whole) else None


def option(
    default: T,
    parse: Callable[[str], T],
    help: str,
    show: Callable[[T], str] = str,
    usual: tuple[str, ...] = (),
    *,
    repairs: tuple[str, ...] = (),
    dial: tuple[int, int] | None = None,
) -> T:
    """A dataclass field that people can set with `--set`; screens offer the usual values."""
    spec: Any = field(default=default, metadata={"option": Option(parse, show, help, usual, repairs, dial)})
    return spec  # type: ignore[no-any-return]  # dataclasses type a field as its default


def options(game: DataclassInstance) -> dict[str, Option]:
    """The options of a game by name."""
    return {f.name: f.metadata["option"] for f in fields(game) if "option" in f.metadata}


def settings(game: DataclassInstance, standard: DataclassInstance) -> dict[str, str]:
    """The options that differ from the standard game, as text."""
    return {
        name: spec.show(getattr(game, name))
        for name, spec in options(game).items()
        if getattr(game, name) != getattr(standard, name)
    }


def command(start: str, chosen: Mapping[str, str]) -> str:
    """A command that sets options, such as `digit-duel play classic --set places=2`."""
    return " ".join([start, *(f"--set {name}={value}" for name, value in chosen.items())])


def customise(game: G, wanted: Mapping[str, str]) -> G:
    """The game with some of its options set; raises BadOption for a value that cannot be."""
    known = options(game)
    changes = {}
    for name, text in wanted.items():
        try:
            changes[name] = known[name].parse(text)
        except BadOption as wrong:
            wrong.option = name
            raise
    return replace(game, **changes)


@dataclass(frozen=True, slots=True)
class Whole:
    """A parser for whole numbers within bounds."""

    name: str
    low: int
    high: int

    def __call__(self, text: str) -> int:
        """Read a number, or raise BadOption."""
        # A4: str.isdigit() alone accepts digits of other scripts.
        if not (text.isascii() and text.isdigit() and len(text) <= 6 and self.low <= int(text) <= self.high):
            raise BadOption(f"{self.name} must be a whole number from {self.low} to {self.high}.")
        return int(text)


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class OneOf(Generic[E]):
    """A parser for one of a few words."""

    name: str
    words: type[E]

    def __call__(self, text: str) -> E:
        """Read a word, or raise BadOption."""
        try:
            return self.words(text.lower() if text.isascii() else text)  # A4: see answers.fit
        except ValueError:
            raise BadOption(f"{self.name} must be one of: {', '.join(self.words)}.") from None


def integer(name: str, low: int, high: int) -> Whole:
    """A parser for whole numbers within bounds."""
    return Whole(name, low, high)


def one_of(name: str, choices: type[E]) -> OneOf[E]:
    """A parser for one of a few words."""
    return OneOf(name, choices)


class Swap(StrEnum):
    """Whether the second player may swap seats after the first move."""

    NO = "no"
    YES = "yes"


# The one option that is not a field of a game: it wraps any game that hides nothing (core/swap.py).
SWAP = Option(
    one_of("swap", Swap), str, "may the second player swap seats after the first move: yes or no", ("yes",),
    repairs=("yes",),
)  # fmt: skip
