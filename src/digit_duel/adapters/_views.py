"""A view as whole numbers: its fields one after the other, laid out by their types."""

from __future__ import annotations

from array import array
from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from digit_duel.adapters._probe import acquaintance
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyGame

Numbers = NDArray[np.int16]
Whole = MutableSequence[int]
Get = Callable[[Any], tuple[Any, ...]]
Write = Callable[[Any, Whole, int], None]  # a value into the numbers, from an index on

_LEAST, _MOST = int(np.iinfo(np.int16).min), int(np.iinfo(np.int16).max)
_DIGITS = range(10)


@dataclass(frozen=True, slots=True)
class Entry:
    """One number of an observation: what it stands for, and how low and high it can be."""

    name: str
    low: int = 0
    high: int = 1


@dataclass(frozen=True)
class Part:
    """Some entries, and how a value is written into them; what was not there leaves zeros."""

    entries: tuple[Entry, ...]
    write: Write


class Layout:
    """The observations of one game."""

    def __init__(self, game: AnyGame) -> None:
        views = acquaintance(game).views
        whole = _record(type(views[0]), "", views) if is_dataclass(views[0]) else _nothing()
        watching = (Entry("the seat that sees this: 0 first, 1 second"),)
        turns = tuple(Entry(f"{seat.name.lower()} may move") for seat in Seat)
        self.game = game
        self.entries = (*watching, *turns, *whole.entries)
        self._write, self._zeros = whole.write, array("h", [0] * len(self.entries))

    def numbers(self, view: Any, seat: Seat, acting: tuple[Seat, ...]) -> Numbers:
        """What a seat sees, as numbers."""
        numbers = self._zeros[:]
        numbers[0] = seat
        for mover in acting:
            numbers[1 + mover] = 1
        self._write(view, numbers, 3)
        return np.frombuffer(numbers, np.int16)

    @property
    def bounds(self) -> tuple[Numbers, Numbers]:
        """The lowest and the highest numbers."""
        lows, highs = ([getattr(entry, end) for entry in self.entries] for end in ("low", "high"))
        return np.array(lows, np.int16), np.array(highs, np.int16)


@lru_cache(maxsize=64)
def layout(game: AnyGame) -> Layout:
    """The layout of a game's observations."""
    return Layout(game)


def _part(hint: Any, name: str, values: Sequence[Any]) -> Part:
    """The entries for values of a type; the values are those met in a few games."""
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    if len(kinds) > 1:
        return _choice([kind for kind in kinds if kind is not NoneType], name, values)
    if get_origin(hint) is tuple:
        inner = get_args(hint)
        return _row(inner[0], name, values) if inner[1:] == (...,) else _fixed(inner, name, values)
    if isinstance(hint, type) and issubclass(hint, bool):
        return Part((Entry(name),), _write_number)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _one_of(hint, name)
    if hint is int:
        return Part((Entry(name, _LEAST, _MOST),), _write_number)
    if is_dataclass(hint) and isinstance(hint, type):
        return _record(hint, f"{name}.", values)
    return _nothing()


def _write_number(value: Any, numbers: Whole, at: int) -> None:
    numbers[at] = value


def _nothing() -> Part:
    return Part((), lambda value, numbers, at: None)


def _one_of(kind: type[Enum], name: str) -> Part:
    places = {id(member): place for place, member in enumerate(kind)}  # an enum's own hash is slow

    def write(value: Any, numbers: Whole, at: int) -> None:
        numbers[at + places[id(value)]] = 1

    return Part(tuple(Entry(f"{name} is {member.name.lower()}") for member in kind), write)


def _choice(kinds: list[Any], name: str, values: Sequence[Any]) -> Part:
    """One of several types, or nothing; a whole number among them is a digit if it never was more."""
    whole = [value for value in values if type(value) is int]
    parts: dict[type, tuple[Part, int]] = {}
    entries: list[Entry] = []
    for kind in kinds:
        base = get_origin(kind) or kind
        if kind is int and all(value in _DIGITS for value in whole):
            part = _digit(name)
        else:
            inner = _part(kind, name, [value for value in values if isinstance(value, base)])
            flag = () if isinstance(base, type) and issubclass(base, Enum) else (Entry(f"{name} is there"),)
            part = _flagged(inner, flag)
        parts[base] = (part, len(entries))
        entries += part.entries

    def write(value: Any, numbers: Whole, at: int) -> None:
        if value is not None:
            part, offset = parts[type(value)]
            part.write(value, numbers, at + offset)

    return Part(tuple(entries), write)


def _flagged(inner: Part, flag: tuple[Entry, ...]) -> Part:
    if not flag:
        return inner

    def write(value: Any, numbers: Whole, at: int) -> None:
        numbers[at] = 1
        inner.write(value, numbers, at + 1)

    return Part((*flag, *inner.entries), write)


def _digit(name: str) -> Part:
    def write(value: Any, numbers: Whole, at: int) -> None:
        if 0 <= value <= 9:  # what looked like a digit in a few games might be more
            numbers[at + value] = 1

    return Part(tuple(Entry(f"{name} is {digit}") for digit in _DIGITS), write)


def _fixed(hints: tuple[Any, ...], name: str, values: Sequence[Any]) -> Part:
    """A tuple of known length; a pair has a value for each seat."""
    labels = [seat.name.lower() for seat in Seat] if len(hints) == len(Seat) else range(1, len(hints) + 1)
    named = enumerate(zip(hints, labels, strict=True))
    parts = [_part(hint, f"{name}[{label}]", [value[at] for value in values]) for at, (hint, label) in named]
    return _together(parts, tuple)


def _record(kind: type, name: str, values: Sequence[Any]) -> Part:
    """A dataclass, field by field."""
    assert is_dataclass(kind)
    hints = get_type_hints(kind)
    parts = {
        field.name: _part(
            hints[field.name], name + field.name, [getattr(value, field.name) for value in values]
        )
        for field in fields(kind)
    }
    shown = [field for field, part in parts.items() if part.entries]
    # With one name alone attrgetter gives the bare value.
    get = attrgetter(*shown) if len(shown) > 1 else lambda value: tuple(getattr(value, at) for at in shown)
    return _together([parts[field] for field in shown], get)


def _row(hint: Any, name: str, values: Sequence[Any]) -> Part:
    """A tuple of any length: digits are counted, places that can be empty are shown one by one."""
    if any(is_dataclass(kind) for kind in (get_args(hint) or (hint,))):
        return _nothing()  # events: what is remembered is for the information state
    found = [item for value in values for item in value]
    if hint is int and all(item in _DIGITS for item in found):
        return Part(tuple(Entry(f"{digit}s in {name}", 0, _MOST) for digit in _DIGITS), _write_counts)
    lengths = {len(value) for value in values}
    most = max(lengths, default=0)
    place = _part(hint, name, found)
    size, counted = len(place.entries), len(lengths) > 1

    def write(value: Any, numbers: Whole, at: int) -> None:
        if counted:
            numbers[at] = len(value)
            at += 1
        for item in value[:most]:
            place.write(item, numbers, at)
            at += size

    rows = [_part(hint, f"{name}[{number + 1}]", found).entries for number in range(most)]
    length = (Entry(f"length of {name}", 0, _MOST),) if counted else ()
    return Part((*length, *(entry for row in rows for entry in row)), write)


def _write_counts(value: Any, numbers: Whole, at: int) -> None:
    for digit in value:
        if 0 <= digit <= 9:
            numbers[at + digit] += 1


def _together(parts: Sequence[Part], get: Get) -> Part:
    """Parts one after the other; a value is taken to pieces, one for each of them."""
    entries: list[Entry] = []
    plain: list[
        tuple[int, int]
    ] = []  # numbers, which need no writing of their own: which piece, and where to
    others: list[tuple[int, int, Write]] = []
    for at, part in enumerate(parts):
        if part.write is _write_number:
            plain.append((at, len(entries)))
        else:
            others.append((at, len(entries), part.write))
        entries += part.entries

    def write(value: Any, numbers: Whole, start: int) -> None:
        pieces = get(value)
        for at, offset in plain:
            numbers[start + offset] = pieces[at]
        for at, offset, put in others:
            put(pieces[at], numbers, start + offset)

    return Part(tuple(entries), write)
