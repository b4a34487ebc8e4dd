"""The end of a round of cards as data: the scene, the counts, and what would have changed the result."""

from __future__ import annotations

import pytest
from tests.worlds import CARDS, NAMES, played

from digit_duel.core.game import Seat
from digit_duel.core.script import Cell, Count, Scene, united
from digit_duel.games._cards_scene import missed
from digit_duel.games._cards_table import Reveal
from digit_duel.web.views.choices import offered
from digit_duel.web.views.scenes import common

ROUND = "d7 k d8 k d9 k d4 k d5 k d6 k"  # Ann 7 9 5, Ben 8 4 6


def scene(moves: str, seat: Seat, **settings: str) -> Scene:
    """What a seat sees after some moves."""
    session = played(CARDS.customised(settings), moves.split())
    return session.variant.voice.scene(session.view(seat))


def digits(found: Scene, seat: Seat) -> list[int | None]:
    return [cell.digit for cell in found.rows[seat].cells]


@pytest.mark.parametrize(
    ("first", "second", "of_first", "of_second"),
    [
        ("975", "864", "", ""),
        ("579", "864", "could have made 975 and won the round", ""),
        ("597", "648", "could have made 975 and won the round", ""),  # 864 would have changed nothing
        ("957", "864", "", ""),  # not the highest, but it wins all the same
        ("541", "145", "", "could have made 541 and tied"),
        ("145", "145", "could have made 541 and won the round", "could have made 541 and won the round"),
        ("005", "010", "could have made 500 and won the round", ""),
    ],
)
def test_a_higher_order_is_mentioned_where_it_would_have_changed_who_won(
    first: str, second: str, of_first: str, of_second: str
) -> None:
    reveal = Reveal((tuple(map(int, first)), tuple(map(int, second))))
    assert (missed(reveal, Seat.FIRST), missed(reveal, Seat.SECOND)) == (of_first, of_second)


@pytest.mark.parametrize("seat", Seat)
def test_after_a_round_both_hands_lie_open_until_the_next_card(seat: Seat) -> None:
    shown = scene(f"{ROUND} a579 b864", seat)
    assert shown.heading == "Round 1"
    assert (digits(shown, Seat.FIRST), digits(shown, Seat.SECOND)) == ([5, 7, 9], [8, 6, 4])
    assert [row.note for row in shown.rows] == ["could have made 975 and won the round", "won the round"]
    assert [row.meters[0].value for row in shown.rows] == [0, 1]
    assert (shown.drawn, shown.facts, shown.counts) == (None, (), ())
    after = scene(f"{ROUND} a579 b864 d3", seat)
    assert after.heading == "Round 2"
    assert digits(after, Seat.FIRST) == [None] * 3
    assert after.facts == ("39 in deck", "0 discarded")


def test_a_tie_says_that_the_round_is_played_again() -> None:
    shown = scene("d7 k d7 k d9 k d9 k d5 k d5 k a975 b975", Seat.FIRST)
    assert shown.heading == "Round 1"
    assert shown.facts == ("equal numbers: the round is played again",)
    assert [row.note for row in shown.rows] == ["", ""]


def test_the_last_hands_stay_when_the_game_is_over() -> None:
    shown = scene(f"{ROUND} a975 b864", Seat.SECOND, wins_needed="1")
    assert (digits(shown, Seat.FIRST), digits(shown, Seat.SECOND)) == ([9, 7, 5], [8, 6, 4])
    assert shown.heading == "Round 1"


def test_a_status_line_tells_what_was_missed_to_everybody() -> None:
    session = played(CARDS, f"{ROUND} a579 b864".split())
    told = (
        "You: 579, Ben: 864. Ben wins the round. You could have made 975 and won the round.",
        "Ann: 579, You: 864. You win the round. Ann could have made 975 and won the round.",
        "Ann: 579, Ben: 864. Ben wins the round. Ann could have made 975 and won the round.",
    )
    for to, text in zip((*Seat, None), told, strict=True):
        assert session.variant.voice.brief(session.steps[-1], to, NAMES) == text


def test_a_seat_counts_what_it_sees_and_no_more() -> None:
    # Ann keeps a 7, Ben gives her a 2, Ann gives him a 3, Ben gives her a 5: she is full. He throws a 0 away.
    moves = "d7 k d2 g d3 g d5 g d0 g d8"
    ann, ben = (
        {each.digit: each for each in scene(moves, seat).counts if (each.discarded, each.unseen) != (0, 4)}
        for seat in Seat
    )
    common_part = {0: Count(0, 1, 3, 4), 2: Count(2, 0, 3, 4), 3: Count(3, 0, 3, 4), 5: Count(5, 0, 3, 4)}
    assert ann == {**common_part, 7: Count(7, 0, 3, 4)}
    assert ben == {**common_part, 8: Count(8, 0, 3, 4)}


def test_the_unseen_cards_are_the_deck_and_what_is_face_down() -> None:
    for length in range(1, 11):
        moves = " ".join(f"{ROUND} a975".split()[:length])
        session = played(CARDS, moves.split())
        for seat in Seat:
            view = session.view(seat)
            hidden = sum(digit is None for digit in view.hands[seat.other])
            hidden += view.waiting and view.drawn is None
            assert sum(count.unseen for count in scene(moves, seat).counts) == view.deck_size + hidden


def test_strangers_get_no_counts_even_where_both_seats_have_the_same() -> None:
    both_hold_a_nine = "d9 k d9 k"
    scenes = [scene(both_hold_a_nine, seat) for seat in Seat]
    assert scenes[0].counts == scenes[1].counts
    assert common(*scenes).counts == ()


def test_two_scenes_united_show_both_hands() -> None:
    found = united(*(scene("d9 k d8 k d7", seat) for seat in Seat))
    assert found.rows[0].cells == (Cell(9), Cell(), Cell())
    assert found.rows[1].cells == (Cell(8), Cell(), Cell())
    assert found.drawn == Cell(7, label="drawn")


@pytest.mark.parametrize(
    ("moves", "settings", "labels"),
    [
        ("d7", {}, ["keep", "give"]),
        ("d1 g d1 k d1 g d1", {}, ["keep", "throw away"]),  # Ben has three
        ("d1 g d1 k d1 g d1", {"facing_full": "must_keep"}, ["keep"]),
        ("d1 g d1 k d1 g d5", {"full_turn": "alternate"}, ["throw away", "give"]),  # Ben, whose hand is full
    ],
)
def test_a_discard_is_called_throwing_away(moves: str, settings: dict[str, str], labels: list[str]) -> None:
    session = played(CARDS.customised(settings), moves.split())
    (seat,) = session.acting
    legal = {session.game.text(move): move for move in session.game.legal(session.state, seat)}
    found = offered(session.variant.voice, session.view(seat), seat, legal)
    assert [found.questions[0].labels.of[at] for at in range(len(labels))] == labels
