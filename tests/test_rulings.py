"""Every ruling on the rulebooks, as positions with the literal outcome."""

from __future__ import annotations

import pytest
from tests.test_rulebook_examples import after, result, texts

from digit_duel.core.answers import one_line
from digit_duel.core.game import IllegalMove, NotAMove, Seat
from digit_duel.games import variant
from digit_duel.games._cards_table import Give, Keep

FIRST, SECOND = Seat.FIRST, Seat.SECOND

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


def test_a_full_board_is_refused_as_a_whole() -> None:
    game, state = after("sabotage", "9a1 8a2 7a3 6a4")
    with pytest.raises(IllegalMove, match="Your board is full"):
        game.parse(state, FIRST, "5a1")
    game, state = after("sabotage", "9a1 8a2 7a3 6a4 5b1")
    with pytest.raises(IllegalMove, match="Your opponent's board is full"):
        game.parse(state, SECOND, "5a1")


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


@pytest.mark.parametrize(
    ("game", "settings", "hides"),
    [
        ("classic", {}, False),
        ("classic", {"pick": "draw", "swap": "yes"}, False),
        ("sabotage", {}, False),
        ("battle", {}, False),  # secret digits are shown as soon as both are chosen
        ("cards", {}, True),
        ("cards", {"visibility": "open"}, False),
    ],
)
def test_only_private_hands_are_hidden_for_longer_than_a_choice(
    game: str, settings: dict[str, str], hides: bool
) -> None:
    """C1"""
    assert variant(game).customised(settings).hides_hands is hides
