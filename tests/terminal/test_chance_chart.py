"""The chart of a review in line mode, in games of chance."""

from __future__ import annotations

from dataclasses import replace

from digit_duel.cli.records.replay import heading
from digit_duel.cli.screen.chart_axis import numbered_axis
from digit_duel.cli.screen.review_chart import ASCII, UNICODE, chance_chart
from digit_duel.coach.review import Review, review
from digit_duel.core.game import Seat
from digit_duel.core.record import read_record
from digit_duel.games import variant

# Ann keeps a 0 and gives a 9 away: both choices are mistakes.
WRONG = """\
[Game "cards"]
[First "Ann"]
[Second "Ben"]
[Result "*"]

1. d0 k 2. d3 g 3. d9 g 4. d2 g *
"""
# The chance of the first seat as from -1 to 1: at the start, then after each card and move.
HISTORY = (0.0, 0.0, -0.5, -0.5, -0.5, 0.5, -1.0, -1.0, -1.0)


def reviewed() -> Review:
    found = review(variant("cards"), read_record(WRONG), Seat.FIRST)
    return replace(found, history=HISTORY)


def test_a_chart_of_chances_has_the_numbers_of_the_moves_and_the_mistakes() -> None:
    assert chance_chart(reviewed(), UNICODE, 80) == [
        "Ann's chance to win the round (● mistake):",
        "100%",
        "               •",
        " 50% • •",
        "         • • •",
        "  0%             • • •",
        "move ────1●──────3●────",
    ]


def test_every_mistake_is_marked_not_just_the_turning_points() -> None:
    # Without the 2 Ben is sure to win, with it he is nearly sure.
    record = read_record(WRONG.replace("1. d0 k 2. d3 g 3. d9 g 4. d2 g", "1. d9 k 2. d5 g 3. d8 k 4. d2 k"))
    found = review(variant("cards"), record, Seat.SECOND)
    assert not found.turning_points
    assert chance_chart(found, UNICODE, 80)[-1] == "move ────────2───────4●"


def test_a_narrow_chart_of_chances_continues_below_and_knows_ascii() -> None:
    assert chance_chart(reviewed(), ASCII, 12) == [
        "Ann's chance",
        "to win the",
        "round (!",
        "mistake):",
        "100%",
        "          *",
        " 50% **",
        "       ***",
        "  0%",
        "move --!---",
        "100%",
        "",
        " 50%",
        "",
        "  0% ***",
        "move !--",
    ]


def test_an_axis_leaves_out_the_numbers_that_would_touch() -> None:
    numbers = ["", "9", "10", "11", "12"]
    assert "".join(numbered_axis(numbers, [3], 2)) == "──9───●─12"


def test_cards_that_are_drawn_are_not_counted_as_moves() -> None:
    record = read_record(WRONG)
    assert heading(variant("cards"), record) == "Digit Duel: Cards: Ann - Ben, 4 moves, not over"
