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
# Every move follows a draw.
DRAWN = """\
[Game "cards"]
[First "Ann"]
[Second "Ben"]
[Options "visibility=open"]
[Result "*"]

1. d4 k 2. d3 g 3. d4 k *
"""
# Ann attacked with 9 and could have won; defending with 1 throws that away.
MISSED = """\
[Game "battle"]
[First "Ann"]
[Second "Ben"]
[Result "0-1"]

1. x9 +8 2. +1 x7 3. +4 +6 4. x5 x3 5. x2 0-1
"""


def test_the_chart_of_a_review_names_both_sides_and_the_moves() -> None:
    game = LookBack(games.variant("classic"), read_record(THROWN))
    game.judge(review(game.variant, game.record))
    canvas = Canvas(80, 24)
    draw_table(game.view(), canvas)
    assert canvas.text.split("\n")[-4:-1] == [
        "  Ann ahead ████                          ● mistake",
        " after move ────1a●─1b──2a──2b──3a──3b──  ↑ you are here",
        "  Ben ahead  ↑  ████████████████████████",
    ]


def chart_of(values: tuple[float, ...], at: int, height: int) -> Canvas:
    """A chart without mistakes, two columns for each move."""
    chart = Chart(values, ("", *map(str, range(1, len(values)))), frozenset(), at)
    canvas = Canvas(80, height)
    view = LookBack(games.variant("classic"), read_record(THROWN)).view()
    draw_chart(view, chart, canvas, 0, height, 29 + 2 * len(values))
    return canvas


def test_bars_are_as_long_as_a_player_is_ahead() -> None:
    assert chart_of((1.0, 0.5, 0.25, 0.0, -0.25, -0.5, -1.0), 3, 3).text.split("\n") == [
        "  Ann ahead ██▄▄▁▁",
        " after move ──1─2─3─4─5─6─  ↑ you are here",
        "  Ben ahead       ↑ ▔▔▀▀██",
    ]


def test_a_tall_chart_shows_more_of_a_difference() -> None:
    assert chart_of((0.75, 0.5, -0.5, -0.625), 2, 9).text.split("\n") == [
        "",
        "            ██",
        "            ████",
        "  Ann ahead ████↓",
        " after move ──1─2─3─  ↓ you are here",
        "  Ben ahead     ████",
        "                ████",
        "                  ▀▀",
        "",
    ]


def test_a_chart_of_one_line_has_a_mark_for_each_move() -> None:
    chart = Chart((0.0, 1.0, 0.4, -0.5, -1.0), ("", *"1234"), frozenset({3}), 4)
    canvas = Canvas(60, 1)
    view = LookBack(games.variant("classic"), read_record(THROWN)).view()
    draw_chart(view, chart, canvas, 0, 1, 60)
    assert canvas.text.strip() == "Ben is ahead  ─▀▀●▄"
    assert ("▄", "focus") in [(text, ink.ground) for text, ink in canvas.line(0)]


def test_a_chart_is_as_tall_as_the_window_allows() -> None:
    game = LookBack(games.variant("battle"), read_record(FOUGHT))
    game.judge(review(game.variant, game.record))
    game.show_answer()
    canvas = Canvas(140, 45)
    draw_table(game.view(), canvas)
    lines = canvas.text.split("\n")
    axis = next(at for at, line in enumerate(lines) if "after move" in line)
    assert [line[12:16] for line in lines[axis - 5 : axis + 1]] == ["    ", *["████"] * 4, "────"]


def test_a_choice_of_words_stands_above_the_chart() -> None:
    game = LookBack(games.variant("battle"), read_record(MISSED))
    game.judge(review(game.variant, game.record))
    assert game.choice is not None
    game.pick(game.choice.offers[0])
    canvas = Canvas(140, 45)
    draw_table(game.view(), canvas)
    lines = canvas.text.split("\n")
    buttons = next(at for at, line in enumerate(lines) if "A  Attack" in line)
    axis = next(at for at, line in enumerate(lines) if "after move" in line)
    assert buttons + 2 < axis


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


def test_the_list_of_moves_shows_the_last_move_before_a_card_is_drawn() -> None:
    game = LookBack(games.variant("cards").customised({"visibility": "open"}), read_record(DRAWN))
    marked = []
    for at in (0, 1, 2, 3, 4, 5):
        game.at = at
        marked += [line.number or line.text for line in game.view().moves if line.now]
    assert marked == ["The start.", "The start.", "1", "1", "2", "2"]


def test_the_list_of_moves_begins_with_a_whole_move() -> None:
    game = LookBack(games.variant("battle"), read_record(FOUGHT))
    game.go(game.last)
    canvas = Canvas(120, 23)
    draw_table(game.view(), canvas)
    assert canvas.text.split("\n")[4][80:] == "│ ▌ 2a  Ann attacks with 7. Ben has 2"
