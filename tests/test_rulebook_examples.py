"""The worked examples of the rulebooks, as records replayed to the printed results; then the rulings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from digit_duel.core.game import NotAMove, Seat
from digit_duel.core.record import read_record, replay, result_of
from digit_duel.core.variant import AnyGame
from digit_duel.games import catalogue, ids, variant
from digit_duel.games._battle import Attack, Defend, Secret
from digit_duel.games._cards_table import Arrange, Draw, Give, Keep
from digit_duel.games._placement import Place

FIRST, SECOND = Seat.FIRST, Seat.SECOND

CLASSIC = """\
[Game "classic"]
[First "Player 1"]
[Second "Player 2"]
[Result "1-0"]

1. 9a1 8b1 2. 2a3 7b2 3. 5a2 6b3 1-0
"""
REVERSE = """\
[Game "reverse"]
[First "Player 1"]
[Second "Player 2"]
[Result "0-1"]

1. 9a1 1b1 2. 8a2 2b3 3. 3a3 4b2 0-1
"""
# S1: the boards as drawn, which are legal where the text is not; then the digits of the final boards.
SABOTAGE = """\
[Game "sabotage"]
[First "Player 1"]
[Second "Player 2"]
[Result "1-0"]

1. 9b1 0a1 2. 1a2 8b3 3. 5a4 7a3 4. 6b4 2b2 1-0
"""
BATTLE = """\
[Game "battle"]
[First "Player 1"]
[Second "Player 2"]
[Result "1-0"]

1. x9 +8 2. x7 +6 3. x5 +4 4. x3 +2 5. x1 1-0
"""
CARDS = """\
[Game "cards"]
[First "Player 1"]
[Second "Player 2"]
[Result "*"]

1. d7 k 2. d2 g 3. d9 k 4. d5 k 5. d1 k 6. d8 k 7. a972 b851 8. d4 g 9. d6 k 10.
d9 k 11. d3 k 12. d0 k 13. d7 k 14. a643 b970 *
"""


def states(text: str) -> list[Any]:
    """The states of a record, the first one included."""
    record = read_record(text)
    steps = replay(variant(record.game).game, record)
    return [steps[0].before, *(step.after for step in steps)]


def after(id: str, moves: str, options: Mapping[str, str] | None = None) -> tuple[AnyGame, Any]:
    """The game, and the state after these moves."""
    game: AnyGame = variant(id).customised(options or {}).game
    state = game.start()
    for text in moves.split():
        found = [move for move, _ in game.chance(state)]
        found += [move for seat in game.acting(state) for move in game.legal(state, seat)]
        state = game.play(state, next(move for move in found if game.text(move) == text))
    return game, state


def result(game: AnyGame, state: Any) -> str:
    return result_of(game.outcome(state))


def texts(game: AnyGame, state: Any, seat: Seat) -> list[str]:
    return [game.text(move) for move in game.legal(state, seat)]


# The worked examples.


def test_the_example_of_classic_ends_952_to_876_and_the_first_player_wins() -> None:
    played = states(CLASSIC)
    assert played[-1].boards == ((9, 5, 2), (8, 7, 6))
    assert [state.pool for state in played] == [
        (1, 2, 3, 4, 5, 6, 7, 8, 9),
        (1, 2, 3, 4, 5, 6, 7, 8),
        (1, 2, 3, 4, 5, 6, 7),
        (1, 3, 4, 5, 6, 7),
        (1, 3, 4, 5, 6),
        (1, 3, 4, 6),
        (1, 3, 4),
    ]


def test_the_example_of_reverse_ends_983_to_142_and_the_second_player_wins() -> None:
    played = states(REVERSE)
    assert played[-1].boards == ((9, 8, 3), (1, 4, 2))
    assert played[4].boards == ((9, 8, None), (1, None, 2))
    assert [state.pool for state in played[4:]] == [(3, 4, 5, 6, 7), (4, 5, 6, 7), (5, 6, 7)]


def test_the_example_of_sabotage_ends_0175_to_9286_and_the_first_player_wins() -> None:
    played = states(SABOTAGE)
    assert played[4].boards == ((0, 1, None, None), (9, None, 8, None))
    assert played[4].pool == (0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9)
    assert played[-1].boards == ((0, 1, 7, 5), (9, 2, 8, 6))


def test_the_example_of_battle_ends_10_to_5_and_the_first_player_wins() -> None:
    played = states(BATTLE)
    assert [state.life for state in played] == [
        (10, 10), (10, 1), (10, 9), (10, 2), (10, 8), (10, 3), (10, 7), (10, 4), (10, 6), (10, 5),
    ]  # fmt: skip
    assert played[-2].pool == (1,)
    assert played[-1].pool == ()


def test_the_example_of_cards_goes_972_to_851_and_then_643_to_970() -> None:
    played = states(CARDS)
    hands = [state.hands for state in played if state.drawn is None]
    assert hands[:7] == [
        ((), ()), ((7,), ()), ((7, 2), ()), ((7, 2, 9), ()), ((7, 2, 9), (5,)), ((7, 2, 9), (5, 1)),
        ((7, 2, 9), (5, 1, 8)),
    ]  # fmt: skip
    assert [state.wins for state in played[13:15]] == [(0, 0), (1, 0)]
    assert hands[8:] == [
        ((), ()), ((4,), ()), ((4, 6), ()), ((4, 6), (9,)), ((4, 6, 3), (9,)), ((4, 6, 3), (9, 0)),
        ((4, 6, 3), (9, 0, 7)), ((4, 6, 3), (9, 0, 7)), ((), ()),
    ]  # fmt: skip
    assert played[14].to_move is SECOND  # round 2 is started by player 2
    assert played[-1].wins == (1, 1)


def test_the_arrangements_of_729_are_the_six_that_the_example_lists() -> None:
    game, state = after("cards", "d7 k d2 g d9 k d5 k d1 k d8 k")
    assert texts(game, state, FIRST) == ["a972", "a927", "a792", "a729", "a297", "a279"]
    assert texts(game, state, SECOND) == ["b851", "b815", "b581", "b518", "b185", "b158"]


@pytest.mark.parametrize("id", ids())
def test_the_worked_example_in_the_rules_of_every_game_ends_as_it_says(id: str) -> None:
    record = read_record(catalogue()[id].rules.example)
    assert record.game == id
    assert record.result in ("1-0", "0-1")
    steps = replay(variant(id).game, record)  # which refuses a wrong result
    assert variant(id).game.outcome(steps[-1].after) is not None


# Notation, literally.


def test_9b1_is_a_nine_on_the_second_seats_leftmost_place() -> None:
    game, state = after("sabotage", "")
    assert game.parse(state, FIRST, "9b1") == Place(9, SECOND, 0)
    assert game.text(Place(9, SECOND, 0)) == "9b1"
    assert game.parse(state, FIRST, "9B1") == Place(9, SECOND, 0)


def test_x9_attacks_and_plus_8_defends() -> None:
    game, state = after("battle", "")
    assert game.parse(state, FIRST, "x9") == Attack(9)
    assert game.parse(state, FIRST, "+8") == Defend(8)
    assert (game.text(Attack(9)), game.text(Defend(8))) == ("x9", "+8")


def test_a5_is_the_first_seats_secret_five() -> None:
    game, state = after("battle", "+9 +8 +7 +6 +5 +4 +3 +2 +1")
    assert game.parse(state, FIRST, "a5") == Secret(FIRST, 5)
    assert game.parse(state, SECOND, "b5") == Secret(SECOND, 5)
    assert game.text(Secret(FIRST, 5)) == "a5"


def test_d7_draws_k_keeps_g_gives_and_a972_is_the_first_seats_number() -> None:
    game, state = after("cards", "d7")
    assert state.drawn == 7
    assert (game.parse(state, FIRST, "k"), game.parse(state, FIRST, "g")) == (Keep(), Give())
    game, state = after("cards", "d7 k d2 g d9 k d5 k d1 k d8 k")
    assert game.parse(state, FIRST, "a972") == Arrange(FIRST, (9, 7, 2))
    assert [game.text(move) for move in (Draw(7), Keep(), Give(), Arrange(FIRST, (9, 7, 2)))] == [
        "d7", "k", "g", "a972",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("id", "text"),
    [("classic", "0a1"), ("classic", "9a4"), ("classic", "9c1"), ("classic", ""), ("sabotage", "99b1"),
     ("battle", "9"), ("battle", "x0"), ("battle", "x10"), ("battle", "a6"), ("cards", "keep")],
)  # fmt: skip
def test_a_text_that_is_no_move_is_refused(id: str, text: str) -> None:
    game, state = after(id, "d7" if id == "cards" else "")
    with pytest.raises(NotAMove):
        game.parse(state, FIRST, text)


@pytest.mark.parametrize("nine", ["\uff19", "\u0669", "\u2079", "+9", " 9", "9_"])
def test_only_an_ascii_nine_is_a_nine(nine: str) -> None:  # A4
    game, state = after("classic", "")
    with pytest.raises(NotAMove):
        game.parse(state, FIRST, f"{nine}a1")
