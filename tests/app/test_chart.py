"""The chart of a review, and the list of moves beside the table."""

from __future__ import annotations

import pytest

from digit_duel import games
from digit_duel.cli.app.drawing.canvas import Canvas
from digit_duel.cli.app.drawing.chart import draw_chart
from digit_duel.cli.app.drawing.table import draw_table
from digit_duel.cli.app.state.look_back import LookBack
from digit_duel.cli.app.state.table import Chart
from digit_duel.coach.review import review
from digit_duel.core.record import read_record

# The first move wins with 9a1 alone, so 1a1 gives the win away.
THROWN = """\
[Game "classic"]
[First "Ann"]
[Second "Ben"]
[Result "0-1"]

1. 1a1 9b1 2. 2a2 8b2 3. 3a3 7b3 0-1
"""
# The game of the rulebook.
FOUGHT = """\
[Game "battle"]
[First "Ann"]
[Second "Ben"]
[Result "1-0"]

1. x9 +8 2. x7 +6 3. x5 +4 4. x3 +2 5. x1 1-0
"""


def test_the_chart_of_a_review_names_both_sides_and_the_moves() -> None:
    game = LookBack(games.variant("classic"), read_record(THROWN))
    game.judge(review(game.variant, game.record))
    canvas = Canvas(80, 24)
    draw_table(game.view(), canvas)
    assert canvas.text.split("\n")[-4:-1] == [
        "  Ann ahead ████                                                 ● mistake",
        " after move ────1a●─1b──2a──2b──3a──3b──                           you are here",
        "  Ben ahead     ████████████████████████",
    ]


@pytest.mark.parametrize(
    ("wide", "axis"),
    [
        (4, "────1a──1b●─────2a──10b●"),  # no number after a draw
        (3, "───1a─1b●───2a─●──"),
        (2, "────●─────●─"),
        (1, "──●──●"),
    ],
)
def test_numbers_below_a_chart_leave_room_for_the_mistakes(wide: int, axis: str) -> None:
    chart = Chart((0.0,) * 6, ("", "1a", "1b", "", "2a", "10b"), frozenset({2, 5}), 0)
    canvas = Canvas(80, 3)
    view = LookBack(games.variant("classic"), read_record(THROWN)).view()
    draw_chart(view, chart, canvas, 0, 3, 29 + 6 * wide)
    assert canvas.text.split("\n")[1][12 : 12 + 6 * wide] == axis


def test_a_narrow_chart_has_as_many_numbers_as_fit() -> None:
    numbers = ("", *map(str, range(1, 13)))
    canvas = Canvas(80, 3)
    view = LookBack(games.variant("classic"), read_record(THROWN)).view()
    draw_chart(view, Chart((0.0,) * 13, numbers, frozenset({4}), 0), canvas, 0, 3, 29 + 13)
    assert canvas.text.split("\n")[1][12:25] == "─1──●5─7─9─11"


def test_the_list_of_moves_begins_with_a_whole_move() -> None:
    game = LookBack(games.variant("battle"), read_record(FOUGHT))
    game.go(game.last)
    canvas = Canvas(120, 23)
    draw_table(game.view(), canvas)
    assert canvas.text.split("\n")[4][80:] == "│ ▌ 2a  Ann attacks with 7. Ben has 2"
