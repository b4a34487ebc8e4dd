"""Observations: every field of a view is written as numbers, or the game is refused with a reason."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import pytest
from tests.sixth_game import race

from digit_duel.adapters.interface.views import NotObservable, layout
from digit_duel.core.game import UNOBSERVED, Game, Outcome, Seat
from digit_duel.games._battle import Battle
from digit_duel.games._placement import Placement


class Colour(Enum):
    RED = 1
    BLUE = 2


@dataclass(frozen=True)
class Card:
    digit: int


@dataclass(frozen=True)
class Told(Game[int, str, object]):
    """One move ends the game; its view is whatever it is given."""

    shown: object

    def start(self) -> int:
        return 0

    def outcome(self, state: int) -> Outcome | None:
        return Outcome(Seat.FIRST, "moved") if state else None

    def acting(self, state: int) -> tuple[Seat, ...]:
        return () if state else (Seat.FIRST,)

    def legal(self, state: int, seat: Seat) -> list[str]:
        return ["go"] if seat in self.acting(state) else []

    def play(self, state: int, move: str) -> int:
        return 1

    def view(self, state: int, seat: Seat) -> object:
        return self.shown

    def text(self, move: str) -> str:
        return move

    def moves(self, seat: Seat) -> list[str]:
        return ["go"]

    def why_not(self, view: object, seat: Seat, move: str) -> str:
        return "The game is over."

    @property
    def bound(self) -> int:
        return 1


@dataclass(frozen=True)
class Everything:
    flag: bool = True
    count: int = 300
    colour: Colour = Colour.BLUE
    card: Card | None = Card(7)
    pair: tuple[bool, bool] = (False, True)
    pool: tuple[int, ...] = (2, 2)
    places: tuple[int | None, ...] = (None, 5)
    history: tuple[str, ...] = field(default=("a", "b"), metadata=UNOBSERVED)


@dataclass(frozen=True)
class WithText:
    name: str = "Ann"


@dataclass(frozen=True)
class WithEvents:
    events: tuple[Card, ...] = (Card(1),)


@dataclass(frozen=True)
class Within:
    inner: tuple[WithText, int] = (WithText(), 1)


def test_every_supported_type_has_its_entries() -> None:
    found = layout(Told(Everything()))
    numbers = found.numbers(Everything(), Seat.SECOND, (Seat.FIRST,)).tolist()
    assert {
        feature.name: number for feature, number in zip(found.features, numbers, strict=True) if number
    } == {
        "the seat that sees this: 0 first, 1 second": 1,
        "first may move": 1,
        "flag": 1,
        "count": 300,
        "colour is blue": 1,
        "card is there": 1,
        "card.digit": 7,
        "pair[second]": 1,
        "2s in pool": 2,
        "places[2] is 5": 1,
    }
    assert not any("history" in feature.name for feature in found.features)


@pytest.mark.parametrize(
    ("view", "reason"),
    [
        (WithText(), "The field name of a view has the type str."),
        (WithEvents(), r"The field events of a view has the type tuple\[Card, \.\.\.\]."),
        (Within(), r"The field inner\[first\].name of a view has the type str."),
        ((1, 2), "The views of Told must be objects of one dataclass."),
    ],
)
def test_a_field_that_cannot_be_observed_is_an_error_that_names_it(view: object, reason: str) -> None:
    with pytest.raises(NotObservable, match=reason) as refused:
        layout(Told(view))
    assert "dataclass" in str(refused.value)  # it says what is supported


def test_a_value_that_has_no_entry_is_an_error() -> None:
    start = Battle().start()
    strange: list[tuple[Any, Any, str]] = [
        (Battle(), replace(start, pool=(1, 10)), "pool holds 10"),
        (Battle(), replace(start, picks=(12, None)), r"picks\[first\] holds 12"),
        (Placement(), replace(Placement().start(), boards=((None,) * 4,) * 2), "has 4 items"),
    ]
    for game, view, reason in strange:
        with pytest.raises(NotObservable, match=reason):
            layout(game).numbers(view, Seat.FIRST, ())


def test_a_sixth_game_is_observed_too() -> None:
    names = [feature.name for feature in layout(race().game).features]
    assert names[3:8] == [
        "added[first]",
        "added[second]",
        "to_move is first",
        "to_move is second",
        "last is 0",
    ]
