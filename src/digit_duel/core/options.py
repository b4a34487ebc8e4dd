"""Options: the fields of a game's dataclass, as people read and set them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)
G = TypeVar("G", bound="DataclassInstance")


class BadOption(ValueError):
    """A setting makes no playable game; the message says why."""


@dataclass(frozen=True, slots=True)
class Option:
    """How a field is parsed and shown, and what it means."""

    parse: Callable[[str], Any]
    show: Callable[[Any], str]
    help: str


def option(default: T, parse: Callable[[str], T], help: str, show: Callable[[T], str] = str) -> T:
    """A dataclass field that people can set with `--set`."""
    spec: Any = field(default=default, metadata={"option": Option(parse, show, help)})
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


def customise(game: G, wanted: Mapping[str, str]) -> G:
    """The game with some options set, or BadOption."""
    known = options(game)
    changes = {}
    for name, text in wanted.items():
        if name not in known:
            raise BadOption(f"unknown option '{name}'; the options are: {', '.join(known)}.")
        changes[name] = known[name].parse(text)
    return replace(game, **changes)


def integer(name: str, low: int, high: int) -> Callable[[str], int]:
    """A parser for whole numbers within bounds."""

    def parse(text: str) -> int:
        # A4: str.isdigit() alone accepts digits of other scripts.
        if not (text.isascii() and text.isdigit() and len(text) <= 6 and low <= int(text) <= high):
            raise BadOption(f"{name} must be a whole number from {low} to {high}.")
        return int(text)

    return parse


def one_of(name: str, choices: type[E]) -> Callable[[str], E]:
    """A parser for one of a few words."""

    def parse(text: str) -> E:
        try:
            return choices(text.lower() if text.isascii() else text)  # A4: see answers.fit
        except ValueError:
            raise BadOption(f"{name} must be one of: {', '.join(choices)}.") from None

    return parse
