"""The worked examples of the rulebooks, as records replayed to the printed results; then the rulings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from digit_duel.core.answers import one_line
from digit_duel.core.game import IllegalMove, NotAMove, Seat
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


# Rulings on the placing games.


def test_the_illegal_moves_of_the_sabotage_example_are_refused() -> None:  # S1
    game, state = after("sabotage", "9b1")
    with pytest.raises(IllegalMove, match="already filled"):
        game.parse(state, SECOND, "0b1")  # "their own thousands place", where the 9 lies
    game, state = after("sabotage", "9b1 0a1 1a2")
    with pytest.raises(IllegalMove, match="already filled"):
        game.parse(state, SECOND, "8a2")  # "Player 1's hundreds place", where the 1 lies


def test_a_bare_t_is_the_one_of_thousands_and_tens_that_is_empty() -> None:  # S2
    game, state = after("sabotage", "9b1")
    assert game.text(one_line(variant("sabotage").voice, state, SECOND, "0 1 T")) == "0b3"
    with pytest.raises(NotAMove, match="thousands or tens"):
        one_line(variant("sabotage").voice, state, SECOND, "0 2 T")


@pytest.mark.parametrize(("second", "winner"), [("0174", "0-1"), ("0175", "0-1"), ("0176", "1-0")])
def test_leading_zeros_count_and_the_second_player_wins_a_tie_of_sabotage(second: str, winner: str) -> None:
    moves = [f"{digit}{seat}{place}" for place, pair in enumerate(zip("0175", second, strict=True), 1)
             for seat, digit in zip("ab", pair, strict=True)]  # fmt: skip
    assert result(*after("sabotage", " ".join(moves))) == winner  # S3, S4


@pytest.mark.parametrize(("tie", "winner"), [("second", "0-1"), ("first", "1-0"), ("draw", "1/2-1/2")])
@pytest.mark.parametrize("id", ["classic", "reverse"])
def test_copies_in_the_pool_make_ties_possible_which_the_second_player_wins(
    id: str, tie: str, winner: str
) -> None:
    moves = "1a1 1b1 2a2 2b2 3a3 3b3"
    assert result(*after(id, moves, {"pool": "1-9x2", "tie": tie})) == winner
    assert result(*after(id, moves, {"pool": "1-9x2"})) == "0-1"  # P1


def test_a_digit_is_used_once_and_a_place_filled_once() -> None:
    game, state = after("classic", "9a1 8b1")
    with pytest.raises(IllegalMove, match="9 is no longer in the pool"):
        game.parse(state, FIRST, "9a2")
    with pytest.raises(IllegalMove, match="already filled"):
        game.parse(state, FIRST, "7a1")
    with pytest.raises(IllegalMove, match="not your turn"):
        game.parse(state, SECOND, "7b2")


# Rulings on battle.

TIED_AT_20 = "+9 +8 +7 +6 +5 +4 +3 +2 +1"


def test_life_never_exceeds_20_by_defending_or_in_sudden_death() -> None:  # B1
    game, state = after("battle", "+9 +8 +7")
    assert state.life == (20, 18)
    game, state = after("battle", f"{TIED_AT_20} a5 b1")
    assert state.life == (20, 16)
    assert result(game, state) == "*"


def test_an_attack_can_take_life_below_zero_and_ends_the_game_at_once() -> None:  # B2
    game, state = after("battle", "x9 +1 x8")
    assert (state.life, result(game, state)) == ((10, -6), "1-0")
    assert game.acting(state) == ()
    assert state.pool == (2, 3, 4, 5, 6, 7)


def test_exactly_zero_loses() -> None:  # B2
    game, state = after("battle", "x9 x8 x1")
    assert (state.life, result(game, state)) == ((2, 0), "1-0")


def test_sudden_death_starts_from_the_tied_totals_and_both_choose_before_either_is_shown() -> None:  # B3, B4
    game, state = after("battle", TIED_AT_20)
    assert (state.life, game.acting(state)) == ((20, 20), (FIRST, SECOND))
    game, state = after("battle", f"{TIED_AT_20} b4")
    assert (state.life, game.acting(state)) == ((20, 20), (FIRST,))
    assert game.view(state, FIRST) == game.view(after("battle", f"{TIED_AT_20} b1")[1], FIRST)


def test_sudden_death_goes_on_until_a_total_is_zero_or_below() -> None:  # B4
    moves = f"{TIED_AT_20}" + " a5 b1" * 4
    game, state = after("battle", moves)
    assert (state.life, result(game, state)) == ((20, 4), "*")
    game, state = after("battle", f"{moves} b1 a5")
    assert (state.life, result(game, state)) == ((20, 0), "1-0")


def test_the_second_player_wins_after_ten_equal_reveals_in_a_row() -> None:  # B3
    assert result(*after("battle", TIED_AT_20 + " a5 b5" * 9)) == "*"
    assert result(*after("battle", TIED_AT_20 + " a5 b5" * 10)) == "0-1"
    assert result(*after("battle", TIED_AT_20 + " a5 b5" * 9 + " a5 b4" + " a1 b1" * 9)) == "*"
    assert result(*after("battle", TIED_AT_20 + " a5 b5" * 30, {"standoff_limit": "none"})) == "*"
    assert result(*after("battle", TIED_AT_20 + " a2 b2" * 2, {"standoff_limit": "2"})) == "0-1"


# Rulings on cards.


def test_a_seat_sees_its_hand_what_it_gave_the_sizes_and_the_discards_but_no_more() -> None:  # C1
    game, state = after("cards", "d7 k d2 g d9 k d5 k d0 g d4")
    mine, theirs = game.view(state, FIRST), game.view(state, SECOND)
    assert mine.hands == ((7, 2, 9), (None,))
    assert theirs.hands == ((None, 2, None), (5,))
    assert (mine.drawn, theirs.drawn) == (None, 4)
    assert mine.discards == theirs.discards == (0,)


def test_an_open_table_shows_the_hands_but_not_a_number_laid_out_first() -> None:  # C1
    game, state = after("cards", "d7 k d2 g d9 k d5 k d1 k d8 k a972", {"visibility": "open"})
    view = game.view(state, SECOND)
    assert view.hands == ((7, 2, 9), (5, 1, 8))
    assert (view.numbers, view.arranged) == ((None, None), (True, False))


def test_a_full_hand_is_skipped_or_goes_on_drawing_by_option() -> None:  # C2
    moves = "d7 k d2 g d9 k d5 k"
    assert after("cards", moves)[1].to_move is SECOND
    game, state = after("cards", f"{moves} d0", {"full_turn": "alternate"})
    assert (state.to_move, texts(game, state, FIRST)) == (FIRST, ["k", "g"])
    thrown = game.play(state, Keep())
    assert (thrown.hands, thrown.discards) == (((7, 2, 9), (5,)), (0,))
    assert game.play(state, Give()).hands == ((7, 2, 9), (5, 0))


def test_giving_to_a_full_hand_discards() -> None:  # C3
    _, state = after("cards", "d7 k d2 g d9 k d0 g")
    assert (state.hands, state.discards, state.to_move) == (((7, 2, 9), ()), (0,), SECOND)


@pytest.mark.parametrize(
    ("facing_full", "discards"), [("must_keep", 0), ("cap:0", 0), ("cap:1", 1), ("cap:2", 2)]
)
def test_discards_on_a_full_hand_can_be_limited(facing_full: str, discards: int) -> None:  # C3
    moves = "d7 k d2 g d9 k" + " d0 g" * discards + " d1"
    game, state = after("cards", moves, {"facing_full": facing_full})
    assert texts(game, state, SECOND) == ["k"]
    with pytest.raises(IllegalMove, match="must keep"):
        game.parse(state, SECOND, "g")


TOY = {"pool": "0-2", "hand_size": "1", "wins_needed": "1"}


def test_the_deck_may_be_run_out_once_and_then_every_card_is_kept() -> None:  # C4
    game, state = after("cards", "d0 k d1 g d2 g d1", TOY)
    assert texts(game, state, SECOND) == ["k", "g"]
    game, state = after("cards", "d0 k d1 g d2 g d1 g d2 g d1", TOY)
    assert texts(game, state, SECOND) == ["k"]
    assert result(*after("cards", "d0 k d1 g d2 g d1 g d2 g d1 k a0 b1", TOY)) == "0-1"


def test_a_tie_is_replayed_by_the_same_starter_with_the_deck_as_it_stands() -> None:  # C5
    options = {"pool": "0-1x2", "hand_size": "1"}
    _, state = after("cards", "d1 k d1 k a1 b1", options)
    assert (state.deck, state.discards, state.wins, state.to_move) == ((0, 0), (1, 1), (0, 0), FIRST)
    _, state = after("cards", "d1 k d1 k a1 b1 d0 k d0 k a0 b0", options)
    assert (state.deck, state.discards, state.wins, state.to_move) == ((0, 0, 1, 1), (), (0, 0), FIRST)


def test_a_new_round_has_a_fresh_deck_or_goes_on_with_the_old_one_by_option() -> None:  # C5
    moves = "d7 k d2 g d9 k d5 k d1 k d8 k a972 b851"
    _, state = after("cards", moves)
    assert (len(state.deck), state.discards) == (40, ())
    _, state = after("cards", moves, {"deck": "persistent"})
    assert (len(state.deck), state.discards) == (34, (1, 2, 5, 7, 8, 9))


@pytest.mark.parametrize(
    ("next_starter", "if_first_wins", "if_second_wins"),
    [
        ("alternate", SECOND, SECOND),
        ("loser", SECOND, FIRST),
        ("winner", FIRST, SECOND),
        ("same", FIRST, FIRST),
    ],
)
def test_the_next_round_is_started_by_the_other_seat_or_by_option(
    next_starter: str, if_first_wins: Seat, if_second_wins: Seat
) -> None:  # C6
    options = {"next_starter": next_starter, "hand_size": "1"}
    assert after("cards", "d2 k d1 k a2 b1", options)[1].to_move is if_first_wins
    assert after("cards", "d1 k d2 k a1 b2", options)[1].to_move is if_second_wins


def test_a_number_is_any_order_of_the_hand_and_zero_may_lead() -> None:  # C7
    game, state = after("cards", "d0 k d0 g d5 k d1 k d1 k d1 k")
    assert texts(game, state, FIRST) == ["a500", "a050", "a005"]
    state = game.play(state, game.parse(state, FIRST, "a005"))
    state = game.play(state, game.parse(state, SECOND, "b111"))
    assert state.wins == (0, 1)
    with pytest.raises(IllegalMove, match="each digit"):
        game.parse(after("cards", "d0 k d0 g d5 k d1 k d1 k d1 k")[1], FIRST, "a555")


def test_a_gift_is_taken_and_the_round_ends_when_both_hands_are_full() -> None:  # C8
    game, state = after("cards", "d7 g d2 g d9 g d5 g d1 g")
    assert (state.hands, game.acting(state)) == (((2, 5), (7, 9, 1)), ())
    state = after("cards", "d7 g d2 g d9 g d5 g d1 g d3 k")[1]
    assert (state.hands, game.acting(state)) == (((2, 5, 3), (7, 9, 1)), (FIRST, SECOND))
