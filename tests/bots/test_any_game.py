"""Computers for unfamiliar games: with secret choices, hidden hands, or too many states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from digit_duel import bots, games
from digit_duel.bots import LEVELS
from digit_duel.bots.look_ahead import LookAheadBot
from digit_duel.bots.tips import TipsBot
from digit_duel.core.game import Game, Outcome, Pair, Seat, put
from digit_duel.core.variant import AnyVariant, Rules, Variant
from digit_duel.games._battle import Fight, Secret
from digit_duel.solve import families
from digit_duel.solve.effort import Effort


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIGIT_DUEL_HOME", str(tmp_path_factory.getbasetemp() / "home"))


class Toy(Game[Any, Any, Any]):
    """What the toys below have in common."""

    def text(self, move: Any) -> str:
        return str(move)

    def why_not(self, view: Any, seat: Seat, move: Any) -> str:
        return "no"

    @property
    def bound(self) -> int:
        return 10


def variant(game: Toy) -> AnyVariant:
    return Variant("toy", "Toy", "", game, lambda game: game, Rules("", ""))


# Secret choices.


@dataclass(frozen=True)
class Pennies(Toy):
    """Both show 0 or 1; the first seat wins with equal ones, and a pair of ones counts by itself."""

    wins_with_ones: bool = True

    def start(self) -> Pair[int | None]:
        return (None, None)

    def outcome(self, state: Pair[int | None]) -> Outcome | None:
        if None in state:
            return None
        won = state[0] == state[1] and (self.wins_with_ones or state[0] == 0)
        return Outcome(Seat.FIRST if won else Seat.SECOND, "shown")

    def acting(self, state: Pair[Any]) -> tuple[Seat, ...]:
        return tuple(seat for seat in Seat if state[seat] is None)

    def legal(self, state: Pair[Any], seat: Seat) -> Sequence[tuple[Seat, int]]:
        return [(seat, 0), (seat, 1)] if state[seat] is None else []

    def play(self, state: Pair[Any], move: tuple[Seat, int]) -> Pair[Any]:
        return put(state, *move)

    def view(self, state: Pair[Any], seat: Seat) -> Pair[Any]:
        return state if state[seat.other] is None else put(state, seat.other, None)

    def moves(self, seat: Seat) -> Sequence[tuple[Seat, int]]:
        return [(seat, 0), (seat, 1)]


def shown(game: Pennies, seat: Seat, level: str = "perfect") -> Counter[int]:
    toy = variant(game)
    found: Counter[int] = Counter()
    for seed in range(1000):
        bot = LEVELS[level](toy, seat, Random(seed))
        found[bot.choose(game.start(), game.legal(game.start(), seat))[1]] += 1
    return found


def test_secret_choices_are_mixed_as_the_matrix_says() -> None:
    assert 430 < shown(Pennies(), Seat.FIRST)[0] < 570
    assert 430 < shown(Pennies(), Seat.SECOND)[0] < 570


def test_where_one_secret_choice_is_sure_it_is_made() -> None:
    game = Pennies(wins_with_ones=False)
    assert shown(game, Seat.SECOND) == {1: 1000}
    # Lost: only a 0 can still win, if the other seat errs.
    assert shown(game, Seat.FIRST) == {0: 1000}


def test_sudden_death_is_played_with_the_highest_digit_from_every_state() -> None:
    battle = games.variant("battle")
    game, waiting, seen = battle.game, [Fight((20, 20), (), Seat.SECOND)], set()
    while waiting:
        fight = game.essence(waiting.pop())
        if fight in seen or game.outcome(fight):
            continue
        seen.add(fight)
        for seat in Seat:
            bot = LEVELS["perfect"](battle, seat, Random(1))
            assert bot.choose(fight, game.legal(fight, seat)) == Secret(seat, 5)
        for first in game.legal(fight, Seat.FIRST):
            waiting += [
                game.play(game.play(fight, first), second) for second in game.legal(fight, Seat.SECOND)
            ]
    assert len(seen) > 2000


@pytest.mark.parametrize("level", LEVELS)
def test_a_sealed_choice_changes_nothing(level: str) -> None:
    battle = games.variant("battle")
    fight = Fight((7, 7), (), Seat.SECOND)
    sealed = battle.game.view(battle.game.play(fight, Secret(Seat.FIRST, 3)), Seat.SECOND)
    legal = battle.game.legal(fight, Seat.SECOND)
    for seed in range(20):
        choices = {
            LEVELS[level](battle, Seat.SECOND, Random(seed)).choose(view, legal) for view in (fight, sealed)
        }
        assert len(choices) == 1


# Hidden hands.


@dataclass(frozen=True)
class Table:
    """The truth: two cards, face down, and who bets."""

    cards: Pair[int]
    bet: bool | None = None


@dataclass(frozen=True)
class Hand:
    """What a seat of the hidden toy sees."""

    card: int


class Bluff(Toy):
    """The first seat sees its card and bets or passes; to play on a view would fail."""

    def start(self) -> Table:
        return Table((2, 1))

    def outcome(self, state: Table) -> Outcome | None:
        won = state.bet and state.cards[0] > state.cards[1]
        return None if state.bet is None else Outcome(Seat.FIRST if won else Seat.SECOND, "shown")

    def acting(self, state: Table) -> tuple[Seat, ...]:
        return (Seat.FIRST,) if state.bet is None else ()

    def legal(self, state: Table, seat: Seat) -> Sequence[bool]:
        return [True, False]

    def play(self, state: Table, move: bool) -> Table:
        return Table(state.cards, move)

    def view(self, state: Table, seat: Seat) -> Hand:
        return Hand(state.cards[seat])

    def moves(self, seat: Seat) -> Sequence[bool]:
        return [True, False]


def test_a_game_of_hidden_hands_is_played_by_its_tips() -> None:
    toy = variant(Bluff())
    for maker in LEVELS.values():
        assert maker(toy, Seat.FIRST, Random(1)).choose(Hand(2), [True, False]) in (True, False)
    assert isinstance(LEVELS["perfect"](toy, Seat.FIRST, Random(1)), TipsBot)
    assert bots.promise(toy) == "It follows the tips: no solver knows this game of hidden hands."


# Too many states.


@pytest.fixture
def unsolved(monkeypatch: pytest.MonkeyPatch) -> Iterator[AnyVariant]:
    """A battle that is too large to solve."""
    monkeypatch.setattr(families, "BRISK", Effort(states=1))
    yield games.variant("battle").customised({"start_life": "12"})
    families.quick_oracle.cache_clear()  # patience is back


def test_a_game_that_is_too_large_is_looked_ahead_in(unsolved: AnyVariant) -> None:
    game = unsolved.game
    assert families.quick_oracle(game) is None
    assert bots.promise(unsolved).endswith("this game is too large to solve.")
    bot = LEVELS["perfect"](unsolved, Seat.FIRST, Random(1))
    assert isinstance(bot, LookAheadBot)
    # Two moves from the end: 3 would be enough, but only a defence survives the answer.
    fight = Fight((2, 9), (1, 2, 3), Seat.FIRST)
    move = bot.choose(fight, game.legal(fight, Seat.FIRST))
    assert game.text(move) == "+3"
    for maker in LEVELS.values():
        start = game.start()
        legal = game.legal(start, Seat.FIRST)
        assert maker(unsolved, Seat.FIRST, Random(1)).choose(start, legal) in legal


def test_a_placing_game_that_does_not_fit_is_looked_ahead_in() -> None:
    huge = games.variant("sabotage").customised({"places": "9", "pool": "0-9x9"})
    assert families.quick_oracle(huge.game) is None
    start = huge.game.start()
    legal = huge.game.legal(start, Seat.FIRST)
    assert huge.game.text(LEVELS["perfect"](huge, Seat.FIRST, Random(1)).choose(start, legal)) in {
        "0a1",
        "9b1",
    }
