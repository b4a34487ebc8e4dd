"""Positions of cards in which people were once told something untrue, each worked out by hand."""

from __future__ import annotations

import pytest
from tests.coach.positions import NAMES, variant

from digit_duel.bots.cards.players import HABITS
from digit_duel.coach.advice import hint
from digit_duel.coach.other import PERSON, Other
from digit_duel.core.game import Seat
from digit_duel.core.record import follow
from digit_duel.games._cards import Cards
from digit_duel.solve.cards import odds as module
from digit_duel.solve.cards import player
from digit_duel.solve.cards.odds import Odds
from digit_duel.solve.errors import Unsolved


def told(moves: str, seat: Seat) -> str:
    table = variant("cards")
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


def asked(moves: str, seat: Seat, other: Other = PERSON, **options: str) -> tuple[str, Odds]:
    table = variant("cards", **options)
    state = follow(table.game, moves.split())[-1].after
    view, legal = table.game.view(state, seat), table.game.legal(state, seat)
    found = hint(table, view, seat, legal, NAMES, other)
    assert found is not None
    return found.notation, module.odds(table.game_as(Cards), view, HABITS.get(other.level, player.PERSON))


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
    random = Other("random")
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
    perfect = Other("perfect")
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
