"""Observations of version 1: a view as a row of integers, laid out by the types of its fields."""

from __future__ import annotations

from array import array
from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import Field, dataclass, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from digit_duel.adapters.interface.feature import LEAST, MOST, Feature, bounds
from digit_duel.adapters.interface.probe import probe
from digit_duel.core.game import OBSERVED_IF_USED, UNOBSERVED, Seat
from digit_duel.core.variant import AnyGame

Numbers = NDArray[np.int16]
Row = MutableSequence[int]
Value: TypeAlias = Any  # a part of a view, whose type is known only at run time
Hint: TypeAlias = object  # a type, a union or a generic alias
Write = Callable[[Value, Row, int], None]  # writes a value into a row, from an index on

_DIGITS = range(10)
_SUPPORTED = (
    "Supported are bool, int, enums, None, dataclasses of these, unions, tuples with a type for each item, "
    "and tuple[T, ...] of anything but dataclasses. Fields with metadata=UNOBSERVED are left out."
)


class NotObservable(TypeError):
    """A part of a view cannot be encoded as numbers; the message names it and lists what is supported."""


@dataclass(frozen=True)
class Part:
    """Consecutive features, and a function that writes a value into them; features left unwritten are 0."""

    features: tuple[Feature, ...]
    write: Write


class ObservationLayout:
    """The meaning of each number of a game's observations."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        views = probe(game).views
        kinds = set(map(type, views))
        kind = kinds.pop()
        if kinds or not is_dataclass(kind):
            raise NotObservable(f"The views of {type(game).__name__} must be objects of one dataclass.")
        whole = _record(kind, "", views)
        watching = (Feature("the seat that sees this: 0 first, 1 second"),)
        turns = tuple(Feature(f"{seat.name.lower()} may move") for seat in Seat)
        self.features = (*watching, *turns, *whole.features)
        self._write, self._zeros = whole.write, array("h", [0] * len(self.features))

    def numbers(self, view: object, seat: Seat, acting: tuple[Seat, ...]) -> Numbers:
        """The observation of a seat, as numbers."""
        numbers = self._zeros[:]
        numbers[0] = seat
        for mover in acting:
            numbers[1 + mover] = 1
        self._write(view, numbers, 3)
        return np.frombuffer(numbers, np.int16)

    def __reduce__(self) -> tuple[object, ...]:
        return layout, (self.game,)

    @property
    def bounds(self) -> tuple[Numbers, Numbers]:
        """The lowest and the highest value of every number."""
        return bounds(self.features, np.int16)


@lru_cache(maxsize=64)
def layout(game: AnyGame) -> ObservationLayout:
    """The layout of a game's observations; raises NotObservable."""
    return ObservationLayout(game)


def _part(hint: Hint, name: str, values: Sequence[Value]) -> Part:
    """The features for values of a type; `values` are those seen in the random games."""
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    if len(kinds) > 1:
        return _choice([kind for kind in kinds if kind is not NoneType], name, values)
    if get_origin(hint) is tuple:
        inner = get_args(hint)
        return _row(inner[0], name, values) if inner[1:] == (...,) else _fixed(inner, name, values)
    if hint is bool:
        return Part((Feature(name),), _write_number)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _one_of(hint, name)
    if hint is int:
        return Part((Feature(name, LEAST, MOST),), _write_number)
    if is_dataclass(hint) and isinstance(hint, type):
        return _record(hint, f"{name}.", values)
    raise _unsupported(name, hint)


def _unsupported(name: str, hint: Hint) -> NotObservable:
    return NotObservable(f"The field {name} of a view has the type {_written(hint)}. {_SUPPORTED}")


def _written(hint: Hint) -> str:
    return hint.__name__ if isinstance(hint, type) else str(hint)


def _write_number(value: Value, numbers: Row, at: int) -> None:
    numbers[at] = value


def _one_of(kind: type[Enum], name: str) -> Part:
    places = {id(member): place for place, member in enumerate(kind)}  # an enum's own hash is slow

    def write(value: Value, numbers: Row, at: int) -> None:
        numbers[at + places[id(value)]] = 1

    return Part(tuple(Feature(f"{name} is {member.name.lower()}") for member in kind), write)


def _choice(kinds: list[Hint], name: str, values: Sequence[Value]) -> Part:
    """A value of one of several types, or None; an int is a digit unless the random games show otherwise."""
    whole = [value for value in values if type(value) is int]
    parts: dict[type, tuple[Part, int]] = {}
    features: list[Feature] = []
    for kind in kinds:
        base = get_origin(kind) or kind
        if not isinstance(base, type):
            raise _unsupported(name, kind)
        if kind is int and all(value in _DIGITS for value in whole):
            part = _digit(name)
        else:
            part = _part(kind, name, [value for value in values if isinstance(value, base)])
            if not issubclass(base, Enum):
                part = _flagged(part, name)
        parts[base] = (part, len(features))
        features += part.features

    def write(value: Value, numbers: Row, at: int) -> None:
        if value is not None:
            part, offset = parts[type(value)]
            part.write(value, numbers, at + offset)

    return Part(tuple(features), write)


def _flagged(inner: Part, name: str) -> Part:
    """An optional part, preceded by a feature that tells whether it is there."""

    def write(value: Value, numbers: Row, at: int) -> None:
        numbers[at] = 1
        inner.write(value, numbers, at + 1)

    return Part((Feature(f"{name} is there"), *inner.features), write)


def _digit(name: str) -> Part:
    def write(value: Value, numbers: Row, at: int) -> None:
        if not 0 <= value <= 9:
            raise _no_digit(name, value)
        numbers[at + value] = 1

    return Part(tuple(Feature(f"{name} is {digit}") for digit in _DIGITS), write)


def _digit_counts(name: str) -> Part:
    def write(value: Value, numbers: Row, at: int) -> None:
        for digit in value:
            if not 0 <= digit <= 9:
                raise _no_digit(name, digit)
            numbers[at + digit] += 1

    return Part(tuple(Feature(f"{digit}s in {name}", 0, MOST) for digit in _DIGITS), write)


def _no_digit(name: str, number: int) -> NotObservable:
    return NotObservable(
        f"{name} holds {number}, but it held only digits in the games that the layout was made from."
    )


def _fixed(hints: tuple[Hint, ...], name: str, values: Sequence[Value]) -> Part:
    """A tuple of known length; a pair has a value for each seat."""
    labels = [seat.name.lower() for seat in Seat] if len(hints) == len(Seat) else range(1, len(hints) + 1)
    named = enumerate(zip(hints, labels, strict=True))
    parts = [_part(hint, f"{name}[{label}]", [value[at] for value in values]) for at, (hint, label) in named]
    return _together(parts, tuple)


def _record(kind: type, name: str, values: Sequence[Value]) -> Part:
    """A dataclass, field by field."""
    assert is_dataclass(kind)
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind) if _is_shown(field, values)]
    parts = [_part(hints[at], name + at, [getattr(value, at) for value in values]) for at in names]
    # With one name alone attrgetter returns the bare value.
    get = attrgetter(*names) if len(names) > 1 else lambda value: tuple(getattr(value, at) for at in names)
    return _together(parts, get)


def _is_shown(field: Field[Any], values: Sequence[Value]) -> bool:
    if field.metadata.items() >= OBSERVED_IF_USED.items():
        return any(getattr(value, field.name) is not None for value in values)
    return not field.metadata.items() >= UNOBSERVED.items()


def _row(hint: Hint, name: str, values: Sequence[Value]) -> Part:
    """A tuple of any length: digits are counted, other items are written one after the other."""
    if any(is_dataclass(kind) for kind in (get_args(hint) or (hint,))):
        raise _unsupported(name, f"tuple[{_written(hint)}, ...]")
    found = [item for value in values for item in value]
    if hint is int and all(item in _DIGITS for item in found):
        return _digit_counts(name)
    lengths = {len(value) for value in values}
    most = max(lengths, default=0)
    place = _part(hint, name, found)
    size, counted = len(place.features), len(lengths) > 1

    def write(value: Value, numbers: Row, at: int) -> None:
        if len(value) > most:
            raise NotObservable(f"{name} has {len(value)} items, but the layout has room for {most} at most.")
        if counted:
            numbers[at] = len(value)
            at += 1
        for item in value:
            place.write(item, numbers, at)
            at += size

    rows = [_part(hint, f"{name}[{number + 1}]", found).features for number in range(most)]
    length = (Feature(f"length of {name}", 0, MOST),) if counted else ()
    return Part((*length, *(feature for row in rows for feature in row)), write)


def _together(parts: Sequence[Part], get: Callable[[Value], tuple[Value, ...]]) -> Part:
    """Parts one after the other; `get` splits a value into one piece for each of them."""
    features: list[Feature] = []
    plain: list[tuple[int, int]] = []  # pieces that are single numbers: which piece, and its offset
    others: list[tuple[int, int, Write]] = []
    for at, part in enumerate(parts):
        if part.write is _write_number:
            plain.append((at, len(features)))
        else:
            others.append((at, len(features), part.write))
        features += part.features

    def write(value: Value, numbers: Row, start: int) -> None:
        pieces = get(value)
        for at, offset in plain:
            numbers[start + offset] = pieces[at]
        for at, offset, put in others:
            put(pieces[at], numbers, start + offset)

    return Part(tuple(features), write)
