"""Observations of version 2: named small integers with exact bounds, the seat's own before the other's.

Batches (`adapters.batch`) and the views encoded here give the same numbers in the same order. A digit that is
missing or hidden is -1. A pending simultaneous choice is left out, because what a view shows of it depends on
which seat is asked first.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from digit_duel.adapters.interface.feature import MOST, Feature, bounds
from digit_duel.adapters.interface.views import layout
from digit_duel.core.decisions import rules_of
from digit_duel.core.game import Seat
from digit_duel.core.options import BadOption
from digit_duel.core.swap import AnySwapGame, Seated, Stage, SwapGame
from digit_duel.core.variant import AnyGame
from digit_duel.games._battle import Battle, Fight
from digit_duel.games._cards import Cards, FullTurn
from digit_duel.games._cards_table import Sight
from digit_duel.games._digits import distinct
from digit_duel.games._placement import Pick, Placement, Position

Write: TypeAlias = Callable[
    [Any, Seat, tuple[Seat, ...]], Sequence[int]
]  # from a view, the seat that sees it, and the seats that may move

# Features that, in a simultaneous choice, only the seat asked second would see.
HALF_CHOSEN = frozenset({"own number is laid out", "other's number is laid out", "other's digit is sealed"})


@dataclass(frozen=True)
class Encoding:
    """The features of a game, and the encoding of a view as numbers or as one-hot flags."""

    game: AnyGame
    features: tuple[Feature, ...]
    write: Write
    one_hot: bool = False

    @cached_property
    def dtype(self) -> type[np.int8] | type[np.int16]:
        """The smallest type that holds every number."""
        limits = np.iinfo(np.int8)
        fits = all(limits.min <= feature.low and feature.high <= limits.max for feature in self.features)
        return np.int8 if fits else np.int16

    @property
    def size(self) -> int:
        """How many numbers an observation has."""
        return sum(feature.width for feature in self.features) if self.one_hot else len(self.features)

    @property
    def bounds(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The lowest and the highest value of every number."""
        if self.one_hot:
            return np.zeros(self.size, np.int8), np.ones(self.size, np.int8)
        return bounds(self.features, self.dtype)

    def numbers(self, view: Hashable, seat: Seat, acting: tuple[Seat, ...]) -> NDArray[Any]:
        """The observation of a seat, as numbers."""
        found = np.array(self.write(view, seat, acting), self.dtype)
        return self.flags(found) if self.one_hot else found

    def flags(self, numbers: NDArray[Any]) -> NDArray[np.int8]:
        """The one-hot encoding of observations, whose last axis is the features."""
        found: NDArray[np.int8] = self.flags_with(np, np.asarray(numbers))
        return found

    def flags_with(self, xp: Any, numbers: Any) -> Any:
        """The same on the arrays of a namespace, numpy or jax.numpy."""
        return (xp.take(numbers, self._of, axis=-1) == self._value).astype(np.int8)

    @cached_property
    def _of(self) -> NDArray[np.intp]:
        """The feature that each column of the one-hot encoding belongs to."""
        return np.repeat(np.arange(len(self.features)), [feature.width for feature in self.features])

    @cached_property
    def _value(self) -> NDArray[np.int16]:
        """The value that each column of the one-hot encoding stands for."""
        values = [
            [1] if feature.width == 1 else range(feature.low, feature.high + 1) for feature in self.features
        ]
        return np.array([value for row in values for value in row], np.int16)

    @property
    def columns(self) -> tuple[str, ...]:
        """The meaning of each number of an observation."""
        if not self.one_hot:
            return tuple(feature.name for feature in self.features)
        named = zip((self.features[at] for at in self._of), self._value.tolist(), strict=True)
        return tuple(
            feature.name if feature.width == 1 else f"{feature.name}: {value}" for feature, value in named
        )

    def __reduce__(self) -> tuple[object, ...]:
        return encoding, (self.game, self.one_hot)


@lru_cache(maxsize=128)
def encoding(game: AnyGame, one_hot: bool = False) -> Encoding:
    """The encoding of a game's views; for a game of an unknown family, from the types of its fields.

    Raises BadOption if numbers without bounds are to be flags.
    """
    rules = rules_of(game)
    match rules:
        case Placement():
            features, write = _placement(rules)
        case Battle():
            features, write = _battle(rules)
        case Cards():
            features, write = _cards(rules)
        case SwapGame(Placement() | Battle()):
            features, write = _swap(rules)
        case _:
            found = layout(rules)
            features = found.features
            if one_hot and (open := [feature.name for feature in features if feature.high == MOST]):
                raise BadOption(f"encoding=one_hot needs a bound for {open[0]}; use encoding=numbers.")
            write = lambda view, seat, acting: found.numbers(view, seat, acting).tolist()  # noqa: E731
    return Encoding(game, features, write, one_hot)


_SEATED = (Feature("seat"), Feature("own turn"))


def _counts(digits: Sequence[int], pool: Sequence[int], where: str) -> list[Feature]:
    return [Feature(f"copies of {digit} {where}", 0, pool.count(digit)) for digit in digits]


def _placement(game: Placement) -> tuple[tuple[Feature, ...], Write]:
    digits = distinct(game.pool)
    places = [
        Feature(f"{whose} place {place}", -1, max(digits))
        for whose in ("own", "other's")
        for place in range(1, game.places + 1)
    ]

    drawn = (Feature("digit drawn", -1, max(digits)),) if game.pick is Pick.DRAW else ()

    def write(view: Position, seat: Seat, acting: tuple[Seat, ...]) -> list[int]:
        count = view.pool.count
        boards = (*view.boards[seat], *view.boards[seat.other])
        return [
            int(seat), int(view.to_move is seat), *(count(digit) for digit in digits),
            *(-1 if digit is None else digit for digit in boards),
            *(-1 if view.drawn is None else view.drawn for _ in drawn),
        ]  # fmt: skip

    return (*_SEATED, *_counts(digits, game.pool, "in the pool"), *places, *drawn), write


def _swap(game: AnySwapGame) -> tuple[tuple[Feature, ...], Write]:
    inner = encoding(game.game)

    def write(view: Seated[Any], seat: Seat, acting: tuple[Seat, ...]) -> list[int]:
        sides = tuple(map(view.side, acting))
        _, *inside = inner.write(view.state, view.side(seat), sides)
        return [int(seat), *inside, int(view.stage is Stage.NOW), int(view.swapped)]

    return (*inner.features, Feature("swap offered"), Feature("seats swapped")), write


def _battle(game: Battle) -> tuple[tuple[Feature, ...], Write]:
    digits = distinct(game.pool)
    blow = max(*game.pool, game.sudden[-1] - game.sudden[0])
    shown = (
        Feature("own digit shown last", -1, max(game.sudden)),
        Feature("other's digit shown last", -1, max(game.sudden)),
    )
    features = (
        *_SEATED,
        Feature("own life", 1 - blow, game.max_life), Feature("other's life", 1 - blow, game.max_life),
        *_counts(digits, game.pool, "in the pool"), Feature("sudden death"),
        Feature("stand-offs", 0, game.standoff_limit or 0), *shown,
    )  # fmt: skip

    def write(view: Fight, seat: Seat, acting: tuple[Seat, ...]) -> list[int]:
        count, last = view.pool.count, (-1, -1) if view.last is None else view.last
        return [
            int(seat), int(view.to_move is seat), view.life[seat], view.life[seat.other],
            *(count(digit) for digit in digits), int(game.sudden_death(view)), view.standoffs,
            last[seat], last[seat.other],
        ]  # fmt: skip

    return features, write


def _cards(game: Cards) -> tuple[tuple[Feature, ...], Write]:
    digits, size, cards = distinct(game.pool), game.hand_size, len(game.pool)
    # C4: the discarding ends when the deck has run out twice during a hunt. With alternate turns the other
    # seat keeps drawing, one card for each that the hunter must still keep.
    run_outs = 2 if game.full_turn is FullTurn.SKIP else 2 + 2 * size
    thrown = 2 * (cards - size)
    if game.facing_full.most is not None:
        thrown = min(thrown, game.facing_full.most)
    hands = [
        Feature(f"{whose} card {place}", -1, max(digits))
        for whose in ("own", "other's")
        for place in range(1, size + 1)
    ]
    features = (
        *_SEATED, *hands, Feature("own cards", 0, size), Feature("other's cards", 0, size),
        Feature("card drawn", -1, max(digits)), Feature("a card waits"), Feature("own start"),
        Feature("cards in the deck", 0, cards), *_counts(digits, game.pool, "discarded"),
        Feature("own rounds won", 0, game.wins_needed), Feature("other's rounds won", 0, game.wins_needed),
        Feature("run-outs", 0, run_outs), Feature("cards thrown away", 0, thrown),
    )  # fmt: skip
    missing = [(-1,) * count for count in range(size + 1)]

    def write(view: Sight, seat: Seat, acting: tuple[Seat, ...]) -> list[int]:
        own, other = view.hands[seat], view.hands[seat.other]
        count = view.discards.count
        return [
            int(seat), int(view.to_move is seat),
            *(-1 if card is None else card for card in own), *missing[size - len(own)],
            *(-1 if card is None else card for card in other), *missing[size - len(other)],
            len(own), len(other), -1 if view.drawn is None else view.drawn, int(view.waiting),
            int(view.starter is seat), view.deck_size, *(count(digit) for digit in digits),
            view.wins[seat], view.wins[seat.other], view.run_outs, view.thrown,
        ]  # fmt: skip

    return features, write
