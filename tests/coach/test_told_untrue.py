"""Positions of cards in which people were once told something untrue, each worked out by hand."""

from __future__ import annotations

import pytest
from tests.coach.positions import NAMES, variant

from digit_duel.bots.cards.players import LEVEL_MODELS
from digit_duel.coach.advice import hint, why
from digit_duel.coach.families import coach_of
from digit_duel.coach.opponent import PERSON, Opponent
from digit_duel.coach.speech import Speech
from digit_duel.core.game import Seat
from digit_duel.core.record import follow
from digit_duel.games._cards import Cards
from digit_duel.solve.cards import odds as module
from digit_duel.solve.cards import player_model
from digit_duel.solve.cards.odds import Odds
from digit_duel.solve.errors import Unsolved


def told(moves: str, seat: Seat, **options: str) -> str:
    table = variant("cards", **options)
    state = follow(table.game, moves.split())[-1].after
    found = hint(table, table.game.view(state, seat), seat, table.game.legal(state, seat), NAMES, PERSON)
    assert found is not None
    return found.reason.sentence


def test_hints_say_why_the_cards_alone_do_not_tell() -> None:
    """By the cards 32 of 35 win, but Ann kept the last card, as a perfect player does with a 9 only."""
    assert told("d0 g d0 g d0 g d5 g d5 k d9", Seat.SECOND) == (
        "Either choice wins against 32 of the 35 cards Ann may hold. But Ann's choices so far make some of "
        "them likelier. If Ann errs on one choice in ten, both choices win the round in 36% of cases."
    )
    assert told("d8 g d1 k d5 k d5 g d8", Seat.FIRST).startswith(
        "Giving it away wins against 32 of the 36 cards Ben may hold; keeping the 8 loses to all of them, "
        "unless Ben errs. But Ben's choices so far make some of them likelier. If Ben errs on one choice in "
        "ten, giving it away wins the round in 30% of cases, keeping the 8 in 1%."
    )


def test_hints_say_so_too_if_it_matters_for_the_worse_choice_alone() -> None:
    """Ben holds 5, 8 and a card he kept; Ann holds an 8. With the 3 she makes 983, without it 998.

    Only with one of the four nines does Ben beat 983: 985. But a 9 is what he is likely to have kept.
    """
    assert told("d5 g d8 g d8 g d2 k d3", Seat.FIRST).startswith(
        "Throwing it away wins against all 36 cards Ben may hold; keeping the 3 wins against 32 of them. "
        "But Ben's choices so far make some of them likelier."
    )


def told_afterwards(moves: str, **options: str) -> str:
    table = variant("cards", **options)
    own, _ = why(table, follow(table.game, moves.split()), Seat.SECOND, NAMES)[::-1]
    return own


def test_odds_count_the_cards_alone_only_if_no_choice_tells_anything() -> None:
    """By the solution Ann keeps no first card, so keeping one tells nothing about it.

    Under must_keep she would have kept her 7. Off that path, too, she keeps high cards and gives low ones:
    the card that she then kept is likely to be high, and the odds take it into account.
    """
    never = "A perfect player would never have reached this position"
    assert f"{never}, so these odds count the cards alone." in told_afterwards("d9 k d5 g")
    assert told_afterwards("d7 g d0 g d9 k d6 g", facing_full="must_keep").endswith(f"{never}.")


def asked(moves: str, seat: Seat, opponent: Opponent = PERSON, **options: str) -> tuple[str, Odds]:
    table = variant("cards", **options)
    state = follow(table.game, moves.split())[-1].after
    view, legal = table.game.view(state, seat), table.game.legal(state, seat)
    found = hint(table, view, seat, legal, NAMES, opponent)
    assert found is not None
    player = LEVEL_MODELS.get(opponent.level, player_model.PERSON)
    return found.notation, module.odds(table.game_as(Cards), view, player)


def test_a_nine_that_wins_is_not_called_lost() -> None:
    """Ann holds 0, 5 and a card that Ben has not seen; Ben holds 0 and 0, and has drawn a 9.

    900 and more beats every hand of Ann's but 950: she would need one of the three other nines of 35 cards.
    """
    move, found = asked("d0 g d0 g d0 g d5 g d5 k d9", Seat.SECOND)
    assert move == "k"
    assert (found.keep.wins, found.keep.loses, found.hands) == (32, 3, 35)


def test_a_sure_win_is_not_thrown_away() -> None:
    """Ann holds 5 and two unseen cards; Ben has no card, drew a 2 and may pass everything.

    With the three highest cards left Ben has at least 998, Ann at most 995: throwing away wins against all
    703 pairs of the 38 unseen cards. Keeping the 2 leaves at best 992, and loses to the six pairs of nines.
    """
    move, found = asked("d9 k d5 g d9 k d2", Seat.SECOND)
    assert found.give is not None
    assert move == "g"
    assert (found.give.chance, found.give.wins, found.hands) == (1, 703, 703)
    assert (found.keep.wins, found.keep.loses, found.dominated) == (697, 6, True)


def test_giving_is_better_where_keeping_always_loses() -> None:
    """Ann holds 5; Ben holds 8, 5 and a card kept unseen; Ann has drawn an 8.

    Given the 8 Ben is full with 8, 8 or 5 and the unseen card: Ann completes 5 to 995 or 998, and loses only
    to a nine, four of 36 cards. Kept, Ann's hand is 85 and open, and Ben fills his hand first.
    """
    move, found = asked("d8 g d1 k d5 k d5 g d8", Seat.FIRST)
    assert found.give is not None
    assert move == "g"
    assert (found.give.wins, found.give.loses, found.hands) == (32, 4, 36)
    assert (found.keep.wins, found.keep.loses) == (0, 36)
    assert round(found.give.chance, 2) == 0.30
    assert found.give.perfect == found.keep.perfect == 0


def test_by_the_cards_alone_keeping_wins_under_must_keep() -> None:
    """RULINGS C3: against one who tosses coins, so that only the cards count, keeping wins 0.786."""
    random = Opponent("random")
    move, found = asked("d4 k d8 g d5 g d0 k d8", Seat.FIRST, random, facing_full="must_keep")
    assert move == "k"
    assert found.keep.chance > 0.78
    _, person = asked("d4 k d8 g d5 g d0 k d8", Seat.FIRST, facing_full="must_keep")
    assert person.give is not None
    assert person.keep.chance > person.give.chance > 0


def test_open_hands_where_only_one_card_is_to_come() -> None:
    """Ann holds 4 and 8, Ben 5 and 0; Ann has drawn an 8, and 35 cards are left.

    Kept it makes 884, and Ben must keep the next card: only one of the four nines makes more, 950. Given it
    makes Ben's 850: Ann wins with a 9, 8, 7, 6 or 5, which are 4 + 2 + 4 + 4 + 3 cards.
    """
    move, found = asked("d4 k d8 g d5 g d0 k d8", Seat.FIRST, facing_full="must_keep", visibility="open")
    assert found.give is not None
    assert move == "k"
    assert (found.keep.chance, found.keep.perfect) == pytest.approx((31 / 35, 31 / 35))
    assert (found.give.chance, found.give.perfect) == pytest.approx((17 / 35, 17 / 35))
    assert (found.hands, found.hidden, found.dominated, found.exact) == (0, 0, True, True)


def test_open_hands_against_one_who_hunts_badly() -> None:
    """Ann holds 5 and 5, Ben 8 and 1; Ann has drawn an 8, and 35 cards are left.

    Given it makes Ben's 881, and Ann can wait for a 9: 955 wins for certain. Kept it makes 855, and Ben wins
    with the best card. In one hunt of ten he keeps what comes: a 9, 8, 7 or 6 wins, 4 + 2 + 4 + 4 of 35.
    """
    move, found = asked("d8 g d1 k d5 k d5 g d8", Seat.FIRST, visibility="open")
    assert found.give is not None
    assert move == "g"
    assert (found.give.chance, found.give.perfect) == (1, 1)
    assert found.keep.chance == pytest.approx(0.1 * 21 / 35)
    assert found.keep.perfect == 0
    perfect = Opponent("perfect")
    assert asked("d8 g d1 k d5 k d5 g d8", Seat.FIRST, perfect, visibility="open")[1].keep.chance == 0


def test_a_hunter_with_open_hands_knows_what_to_beat() -> None:
    """Ann holds 9, 9 and 5, open to all; Ben has no card yet, and has drawn a 2.

    The best three cards in no hand are two nines and an 8: 998 beats 995, if he throws the 2 away. Kept it
    leaves 992 at best, which loses. With private hands he would not know.
    """
    move, found = asked("d9 k d5 g d9 k d2", Seat.SECOND, visibility="open")
    assert found.give is not None
    assert move == "g"
    assert (found.give.chance, found.keep.chance) == (1, 0)
    assert (found.give.perfect, found.keep.perfect) == (1, 0)


def test_a_hunter_with_open_hands_and_a_cap_counts_the_cards_that_win() -> None:
    """Ann holds 3 and 3, Ben 5, 5 and 4, open to all; Ann has drawn a 4 and may throw two cards away.

    Only a 6 or higher makes more than 554: 16 of the 34 cards that are left. Kept the 4 loses for certain.
    Thrown away it wins with the next card, or, after one that does not win, with the one after it.
    """
    moves = "d5 g d3 g d5 g d3 g d4 g d4"
    move, found = asked(moves, Seat.FIRST, visibility="open", facing_full="cap:2")
    assert found.give is not None
    assert move == "g"
    assert (found.keep.chance, found.keep.perfect) == (0, 0)
    wins = 16 / 34 + 18 / 34 * 16 / 33
    assert (found.give.chance, found.give.perfect) == pytest.approx((wins, wins))
    assert found.exact


def test_open_hands_with_more_discards_than_are_solved_say_what_is_known() -> None:
    with pytest.raises(Unsolved, match="caps up to 8"):
        asked("d5", Seat.FIRST, visibility="open", facing_full="cap:9")


def test_a_limited_hunt_is_not_called_sure_by_the_rule_without_a_limit() -> None:
    """Ann holds 2 and an unseen card; Ben holds 1 and has drawn a 7: given, it fills Ann's hand.

    Ann then has 972 at most. Whoever may throw away any card finds two nines, and 991 wins for certain; after
    twenty cards a hunter must keep whatever comes, and may have seen no nine.
    """
    moves = "d1 g d2 g d6 k d7"
    _, free = asked(moves, Seat.SECOND)
    _, limited = asked(moves, Seat.SECOND, facing_full="cap:20")
    assert free.give is not None
    assert limited.give is not None
    assert (free.give.chance, free.give.wins) == (1, free.hands)
    assert 0.9 < limited.give.chance < 1
    assert limited.give.wins == 0
    assert limited.give.perfect < 1
    assert not limited.dominated


def test_a_limited_hunt_that_no_card_can_change_is_told_for_certain() -> None:
    """Ben's 9, 7 and any card beat Ann's 943 at most; Ann's 900 at most loses to Ben's 9, 9 and any card."""
    _, won = asked("d7 g d4 g d9 g d3 g d8 k d9", Seat.SECOND, facing_full="cap:2")
    _, lost = asked("d0 k d0 g d9 g d5 k d9 g d7", Seat.FIRST, facing_full="cap:2")
    assert won.give is not None
    assert lost.give is not None
    assert (won.keep.chance, won.give.chance) == (1, 1)
    assert (lost.keep.chance, lost.give.chance) == (0, 0)


def test_against_one_who_lays_out_in_any_order_a_limited_hunt_can_win_with_little() -> None:
    """Ann holds 1 and 1 and has drawn a 2; Ben's 9, 0 and 0 make 900, 090 or 009, each in one case of three.

    Kept, 211 beats the latter two. Thrown away, any next card does, and one of the three nines among 34 cards
    beats 900, too.
    """
    random = Opponent("random")
    _, found = asked("d9 g d1 g d0 g d1 g d0 g d2", Seat.FIRST, random, facing_full="cap:1")
    assert found.give is not None
    assert found.keep.chance == pytest.approx(2 / 3)
    assert found.give.chance == pytest.approx(2 / 3 + 1 / 3 * 3 / 34)


def test_odds_by_a_solution_of_other_rules_are_about_right_and_not_over_99_percent() -> None:
    sentence = told("d1 g d2 g d6 k d7", Seat.SECOND, facing_full="cap:20")
    assert "giving it away wins the round in about 99% of cases" in sentence


def test_the_player_who_is_addressed_errs_in_the_second_person() -> None:
    """A review tells Ben about Ann's choice."""
    table = variant("cards")
    state = follow(table.game, ("d8", "g", "d1", "k", "d5", "k", "d5", "g", "d8"))[-1].after
    view, legal = table.game.view(state, Seat.FIRST), table.game.legal(state, Seat.FIRST)
    found = coach_of(table, PERSON).decision(view, Seat.FIRST, legal, Speech(NAMES, Seat.SECOND))
    assert found.explain(found.chosen()).sentence.startswith(
        "Giving it away wins against 32 of the 36 cards you may hold; keeping the 8 loses to all of them, "
        "unless you err. But your choices"
    )


def test_a_round_that_is_lost_whatever_comes_is_told_so_under_a_cap() -> None:
    """Ann holds 4 and 1 and has drawn a 2; Ben holds 6 and an unseen card. Kept, Ann's 421 loses to any 6."""
    moves = "d4 k d9 k d6 g d1 g d2"
    _, found = asked(moves, Seat.FIRST, facing_full="cap:3")
    assert (found.keep.chance, found.keep.most) == (0, 0)
    assert (found.keep.loses, found.hands) == (36, 36)
    assert "keeping the 2 in 0%" in told(moves, Seat.FIRST, facing_full="cap:3")


def test_a_limited_hunt_goes_on_after_the_deck_has_run_out() -> None:
    """Ann holds 2 and an unseen 0 or 1; Ben has no card, threw the 4 away and has drawn the 3.

    One card is left, and then the 4, the 3 and that card return. Whatever he does, he gets a 3 or a 4.
    """
    _, found = asked("d0 k d2 g d4 g d3", Seat.SECOND, pool="0-4", hand_size="2", facing_full="cap:9")
    assert found.give is not None
    assert (found.keep.chance, found.give.chance) == (1, 1)


def test_a_limited_hunt_may_pass_a_whole_deck() -> None:
    """Ben's hand is the 5. Thrown away, Ann's 9 returns after the 0 and the 1, and six discards are left."""
    _, found = asked("d5 g d9", Seat.FIRST, pool="0-1,5,9", hand_size="1", facing_full="cap:9")
    assert found.give is not None
    assert (found.keep.chance, found.give.chance) == (1, 1)


def test_a_tie_is_no_win_even_if_the_starter_wins_every_round() -> None:
    """Ben's hand is the 5, and Ann has drawn the other: she starts the replay and wins it, but not yet."""
    _, found = asked("d5 g d7 g d5", Seat.FIRST, pool="5x2,7,9", hand_size="1")
    assert found.keep.wins == found.keep.loses == 0
    assert 0 < found.keep.least <= found.keep.chance < 1


def test_a_choice_that_ties_is_not_told_as_a_win_alone() -> None:
    """Ben was given all his cards, so Ann knows them: with the 6 both hold 8, 7 and 6."""
    assert told("d8 g d8 g d7 g d7 g d6 g d6", Seat.FIRST).startswith(
        "Keeping the 6 makes both hands 876, and the round is replayed. If Ben errs on one choice in ten, "
        "throwing it away wins the round in 100% of cases, keeping the 6 in "
    )
    assert "replayed" not in told(
        "d8 g d8 g d7 g d7 g d6 k d6", Seat.SECOND
    )  # Ben has not seen the last card


def test_hands_of_one_digit_have_odds_against_every_level() -> None:
    """Given away, the 1 fills Ben's hand, and Ann waits for the 3. Kept, it fills hers, and Ben may wait."""
    for level in LEVEL_MODELS:
        _, found = asked("d1", Seat.FIRST, Opponent(level), pool="0-3", hand_size="1")
        assert found.give is not None
        assert found.give.chance == 1
        assert 0 <= found.keep.chance < 1


def test_a_tie_is_not_won_even_if_its_replay_would_be() -> None:
    """Ann holds 9 and 8; Ben has drawn a 9. The other cards are 7, 7 and 8, so he makes 98 at best.

    Then the round is replayed, and Ben starts again. With the cards that this round began with he would win
    every time, but the replay has other ones.
    """
    moves = "d7 k d9 k d8 k d7 k a87 b97 d9 g d8 k d9"
    rules = {"pool": "7-9x2", "hand_size": "2", "deck": "persistent"}
    for facing_full in ("discard", "cap:9"):
        _, found = asked(moves, Seat.SECOND, PERSON, facing_full=facing_full, **rules)
        assert 0 < found.keep.least <= found.keep.chance < 1


def test_what_is_certain_is_certain_against_a_player_who_never_errs() -> None:
    """There is one card of each digit: with the 9 Ben beats every hand of two."""
    _, found = asked("d1 k d9", Seat.SECOND, pool="0-9", hand_size="2", facing_full="cap:2")
    assert (found.keep.chance, found.keep.perfect) == (1, 1)


def test_a_number_that_is_known_exactly_is_not_called_the_least() -> None:
    """Ann holds 9 and 3 and has drawn a 0; Ben has no card, and three nines are left: 999 against 930."""
    sentence = told("d9 k d3 g d0", Seat.FIRST, visibility="open")
    assert sentence.endswith(
        "Keeping it would fill your hand with 930, and Ben could pick from all cards left: 999."
    )


def test_a_choice_that_is_sure_to_win_wins_against_every_hand_for_certain() -> None:
    """The deck holds a 1 and begins again with 1, 1, 0 and 0; Ben has drawn a 0 and gives it to Ann.

    If she keeps the 1, her 10 loses to his 11. If she gives it, he gives her a 0 and waits for another 1, or
    keeps a 1: 11 beats 00 and 10. So he need not rely on Ann, who plays at random.
    """
    random, rules = Opponent("random"), {"pool": "0-1x3", "hand_size": "2", "deck": "persistent"}
    _, found = asked("d0 g d1 g d1 k d0 k a11 b00 d0", Seat.SECOND, random, **rules)
    assert found.give is not None
    assert (found.give.chance, found.give.least, found.give.most) == (1, 1, 1)
