"""The other screens: looking back, saved games, statistics, rules and settings."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime

import pytest
from tests.app.driving import Visitor, visit

from digit_duel import games
from digit_duel.cli.app.drawing.canvas import Canvas
from digit_duel.cli.app.drawing.table import draw_table
from digit_duel.cli.app.state import settings
from digit_duel.cli.app.state.look_back import LookBack
from digit_duel.cli.app.state.statistics import statistics
from digit_duel.cli.app.state.table import Sign
from digit_duel.cli.errors import Problem
from digit_duel.cli.play.messages import ending
from digit_duel.cli.play.plan import Plan
from digit_duel.cli.records.save_file import all_saves, new_save
from digit_duel.coach.review import review
from digit_duel.core.game import Seat
from digit_duel.core.record import Record, read_record

GAMES = ("classic", "reverse", "sabotage", "cards", "battle")
# The first move wins with 9a1 alone, so 1a1 gives the win away.
THROWN = """\
[Game "classic"]
[First "Ann"]
[Second "Ben"]
[Result "0-1"]

1. 1a1 9b1 2. 2a2 8b2 3. 3a3 7b3 0-1
"""


def test_a_lesson_and_a_review_answer_a_digit_that_cannot_be_chosen() -> None:
    new_save().write(read_record(THROWN))

    async def session(visitor: Visitor) -> None:
        await visitor.press("t")
        await visitor.sees("lesson 1 of 4")
        await visitor.press("0")
        await visitor.sees("Press one of the digits shown.")
        await visitor.press("q", "g", "v")
        await visitor.sees("went wrong here")
        await visitor.press("1", "9")
        await visitor.sees("Press one of the keys shown.")

    visit(session)


def test_a_review_lists_all_moves_and_marks_the_mistakes() -> None:
    game = LookBack(games.variant("classic"), read_record(THROWN))
    game.judge(review(game.variant, game.record))
    assert [move.text for move in game.view().moves if move.now] == ["The start."]
    canvas = Canvas(140, 45)
    draw_table(game.view(), canvas)
    for line in ("▌     The start.", "● 1a  Ann places 1 in their", "▌ 3b  Ben places 7 in their"):
        assert line in canvas.text
    game.go(1)
    assert [move.text for move in game.view().moves if move.now] == ["Ann places 1 in their hundreds."]


def test_a_review_begins_before_the_first_mistake_and_hides_the_answer() -> None:
    record = read_record(THROWN)
    game = LookBack(games.variant("classic"), record)
    game.judge(review(game.variant, record))
    assert game.at == 0
    found = game.judged()
    assert found is not None
    game.evaluated(*game.evaluate())
    assert game.view().message == "1a. Ann went wrong here. Find a better move, or press Enter."
    assert (game.view().coach, game.view().signs) == ((), {})
    game.show_answer()
    assert game.view().message == "1a. Ann: 1 in Ann's hundreds, a mistake. Better: 9 in Ann's hundreds"


def test_a_game_against_the_computer_is_looked_back_on_from_the_persons_side() -> None:
    moves = ("2a2", "8b1", "9a3", "1b3", "5a1", "3b2")
    for computer, below in (
        (None, Seat.FIRST),
        ("ComputerSecond", Seat.FIRST),
        ("ComputerFirst", Seat.SECOND),
    ):
        headers = {computer: "random"} if computer else {}
        record = Record("reverse", {}, ("Ann", "Ben"), moves, "1-0", headers)
        assert LookBack(games.variant("reverse"), record).view().below is below


def test_looking_back_on_a_seats_record_shows_what_the_seat_saw() -> None:
    """Ann keeps two cards that Ben never saw; both nines of Ben's hand came from her."""
    moves = ("d9", "g", "d5", "g", "d9", "g", "d2", "k", "d?", "k", "d?", "k", "a995", "b992", "d3")
    headers = {"Ended": "resignation", "Seen": "second"}
    record = Record("cards", {}, ("Ann", "Ben"), moves, "1-0", headers)
    game = LookBack(games.variant("cards"), record)
    game.judge(review(game.variant, record))
    assert game.partial
    shown = {}
    game.at = 0
    while True:
        scene = game.view().scene
        shown[game.at] = tuple(
            "".join(
                "?" if cell.hidden else "-" if cell.digit is None else str(cell.digit) for cell in row.cells
            )
            for row in scene.rows
        )
        assert not game.unvalued or game.at in (3, 7, 13)  # Ben's own choices
        if game.at == game.last:
            break
        game.go(1)
    assert shown[7] == ("5--", "99-")
    assert shown[12] == ("5??", "992")
    assert {move.text for move in game.view(notation=True).moves} >= {"a995", "b992"}
    assert game.view().below == 1
    assert game.view().title == "Cards · review, as Ben saw it"


def test_a_review_says_when_there_is_no_mistake_to_go_to() -> None:
    game = LookBack(games.variant("classic"), read_record(THROWN))
    game.judge(review(game.variant, game.record))
    plies = [move.ply - 1 for move in game.review.turning_points] if game.review else []
    seen = [game.at]
    while game.mistakes_to_come:
        assert game.go_to_turning_point() == ""
        seen.append(game.at)
    assert seen == plies
    assert game.go_to_turning_point() == "That was the last one."
    assert game.at == plies[-1]
    clean = replace(game.record, moves=("9a1",), result="*")
    game = LookBack(games.variant("classic"), clean)
    game.judge(review(game.variant, clean))
    assert game.go_to_turning_point() == "No mistake in this game."


def test_the_key_for_the_next_mistake_is_named_only_while_there_is_one() -> None:
    new_save().write(read_record(THROWN))

    async def session(visitor: Visitor) -> None:
        await visitor.press("g", "v")
        await visitor.sees("went wrong here")
        while "m next mistake" in visitor.text:
            await visitor.press("m")
        assert "That was" not in visitor.text
        await visitor.press("m")
        await visitor.sees("That was the last one.", "? keys")
        await visitor.press("right")
        assert "That was" not in visitor.text

    visit(session)


def test_a_replay_names_the_key_for_the_review_and_a_review_the_one_for_the_answer() -> None:
    new_save().write(read_record(THROWN))

    async def session(visitor: Visitor) -> None:
        await visitor.press("g", "p")
        shown = await visitor.sees("Classic · replay", "v review")
        assert "Enter show" not in shown
        await visitor.press("v")
        shown = await visitor.sees("went wrong here", "Enter show")
        assert "v review" not in shown

    visit(session)


def test_against_the_computer_a_review_begins_with_the_own_mistake() -> None:
    # Both go wrong with their first move.
    moves = ("2a2", "8b1", "9a3", "1b3", "5a1", "3b2")
    for computer, first in ((None, 0), ("ComputerFirst", 1), ("ComputerSecond", 0)):
        headers = {computer: "random"} if computer else {}
        game = LookBack(
            games.variant("reverse"), Record("reverse", {}, ("Ann", "Ben"), moves, "1-0", headers)
        )
        game.judge(review(game.variant, game.record))
        assert game.at == first


def test_values_stand_on_digits_and_places_and_three_choices_are_named() -> None:
    record = read_record(THROWN)
    game = LookBack(games.variant("classic"), record)
    game.judge(review(game.variant, record))
    game.evaluated(*game.evaluate())
    game.show_answer()
    view = game.view()
    wins, loses = Sign("▲", True), Sign("▼", False)
    assert view.signs == {
        **{f"digit {digit}": loses for digit in range(1, 9)},
        "digit 9": wins,
        "place 0 0": wins,
        "place 0 1": loses,
        "place 0 2": loses,
    }
    lines = view.coach[-1].split("\n")
    assert lines[0] == "▲ 9 in Ann's hundreds: wins for sure"
    assert [line[-7:] for line in lines[1:3]] == [": loses", ": loses"]
    assert lines[3:] == ["and 24 others lose"]  # of 9 digits in 3 places
    for width, height in ((60, 20), (80, 24), (140, 45)):
        canvas = Canvas(width, height)
        draw_table(replace(view, coach=()), canvas)
        assert canvas.text.count("▲") == 2
        assert canvas.text.count("▼") == 10


def test_the_reader_finds_something_better_on_the_table_before_the_answer_is_shown() -> None:
    new_save().write(read_record(THROWN))

    async def session(visitor: Visitor) -> None:
        await visitor.press("g", "v")
        await visitor.sees("1a. Ann went wrong here. Find a better move, or press Enter.")
        while visitor.game.unvalued:
            await visitor.pilot.pause(0.02)
        assert "▲" not in visitor.text
        await visitor.press("1", "1")
        await visitor.sees("That is what was played. Try another, or press Enter.")
        await visitor.press("8", "1")
        shown = await visitor.sees("Not that one: 8 in Ann's hundreds loses. Try another, or press Enter.")
        assert "▲" not in shown
        await visitor.press("9", "1")
        await visitor.sees("Yes: 9 in Ann's hundreds wins for sure.", "▲", "▼")
        await visitor.press("enter")
        await visitor.sees("Coach", "▲ 9 in Ann's hundreds: wins for sure", "and 24 others lose")
        await visitor.press("enter")
        await visitor.sees("1a. Ann places 1 in their hundreds.")

    visit(session)


def test_in_a_game_of_chances_the_signs_are_percentages() -> None:
    record = read_record(games.variant("cards").rules.example)
    game = LookBack(games.variant("cards"), record)
    game.judge(review(game.variant, record))
    while game.unvalued and game.at < game.last:
        game.evaluated(*game.evaluate())
        game.show_answer()
        if game.view().signs:
            break
        game.go(1)
    assert all(sign.text.endswith("%") for sign in game.view().signs.values())
    assert len(game.view().signs) > 1
    assert "%, " in game.view().news


def test_a_replay_steps_through_all_moves() -> None:
    game = LookBack(games.variant("classic"), read_record(THROWN))
    seen = []
    for _ in range(7):
        seen.append(game.view().news)
        game.go(1)
    assert seen[0] == "The start."
    assert seen[6] == "3b. Ben places 7 in their units."
    assert game.view().message == "The end: Ben won."


@pytest.mark.parametrize(
    ("result", "headers", "told"),
    [
        ("0-1", {"Ended": "resignation"}, "The end: Ann resigned. Ben won."),
        ("1-0", {"Ended": "time"}, "The end: Ben's time was up. Ann won."),
        ("1-0", {"Ended": "away"}, "The end: Ben was away for too long. Ann won."),
        ("1/2-1/2", {}, "The end: a draw."),
        ("*", {}, "The record ends here."),
    ],
)
def test_the_end_of_a_record_says_who_won_and_why(result: str, headers: dict[str, str], told: str) -> None:
    assert ending(Record("classic", {}, ("Ann", "Ben"), ("9a1",), result, headers)) == told


def test_a_game_that_hides_something_cannot_be_looked_at_yet() -> None:
    record = Record("cards", {}, ("Ann", "Ben"), ("d5", "k"))
    with pytest.raises(Problem, match="hidden cards"):
        LookBack(games.variant("cards"), record)


def test_saved_games_are_listed_reviewed_and_deleted_after_a_question() -> None:
    new_save().write(read_record(THROWN))

    async def session(visitor: Visitor) -> None:
        await visitor.press("g")
        await visitor.sees("Saved games", "Classic: Ann - Ben", "Ben won", ", two players, 123 to 987")
        await visitor.press("p")
        await visitor.sees("Classic · replay", "The start.")
        await visitor.press("right", "q")
        await visitor.press("d")
        await visitor.sees("Delete this game permanently: classic, Ann - Ben, Ben won,")
        await visitor.press("n")
        assert len(all_saves()) == 1
        await visitor.press("d", "y")
        await visitor.sees("There are no games yet.")

    visit(session)
    assert all_saves() == []


def test_statistics_count_by_level_and_between_people() -> None:
    against = {"ComputerSecond": "careful"}
    records = [
        Record("classic", {}, ("Ann", "Computer"), (), "1-0", against),
        Record("classic", {}, ("Ann", "Computer"), (), "1-0", against),
        Record("classic", {}, ("Ann", "Computer"), (), "0-1", against),
        Record("classic", {}, ("Ann", "Computer"), (), "*", against),
        Record("battle", {}, ("Ben", "Ann"), (), "1-0"),
        Record("battle", {}, ("Ann", "Ben"), (), "1-0"),
        Record("battle", {}, ("Ann", "Ben"), (), "0-1"),
        Record("battle", {}, ("Ann", "Ben"), (), "0-1", {"From": "2a"}),
    ]
    lines = statistics(records)
    assert lines[3].split() == ["careful", "Classic", "2", "1", "0", "███████░░░", "67%"]
    narrow = statistics(records, 56)
    assert narrow[3].split() == ["careful", "Classic", "2", "1", "0", "67%"]
    assert max(map(len, narrow)) <= 56
    assert lines[-1].split() == ["Battle", "Ann", "1,", "Ben", "2"]
    assert Counter(line for line in statistics([]))["No game has been finished yet."] == 1


def test_a_game_played_on_from_a_review_is_marked_and_not_counted() -> None:
    new_save().write(read_record(THROWN))

    async def session(visitor: Visitor) -> None:
        await visitor.press("g", "p", "end", "left", "p")  # before Ben's last move
        await visitor.sees("Ben: Choose a digit")
        await visitor.press("5")
        await visitor.sees("★ Ben")
        await visitor.press("q", "q")
        shown = await visitor.sees("Saved games", "played on from move 3b")
        assert shown.count("played on") == 1
        await visitor.press("q", "s")
        await visitor.sees("Results", "Classic    Ann 0, Ben 1")

    visit(session)
    assert all_saves()[0].read().moves == ("1a1", "9b1", "2a2", "8b2", "3a3", "5b3")


def test_saved_games_tell_when_against_which_level_and_how_they_stand() -> None:
    against = {"ComputerSecond": "careful"}
    new_save().write(Record("battle", {}, ("Ann", "Computer"), ("x9", "+3"), "*", against))
    new_save().write(Record("cards", {}, ("Ann", "Ben"), ("d5", "k")))
    today = f"{datetime.now():%Y-%m-%d}"

    async def session(visitor: Visitor) -> None:
        await visitor.press("g")
        shown = await visitor.sees("Battle: Ann - Computer", ", careful computer, life 10 to 4")
        assert ", two players, rounds won 0 to 0" in shown
        assert shown.count(today) == 2

    visit(session)


def test_a_server_that_is_not_chosen_yet_is_not_shown_as_one() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("i")
        shown = await visitor.sees("Play online", "none yet", "Press Enter and type its address")
        assert "duel.example" not in shown

    visit(session)


def test_settings_are_kept_and_damaged_ones_are_replaced() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("o")
        await visitor.sees("Settings", "< night >")
        await visitor.press("right")
        await visitor.sees("< paper >")
        await visitor.press("down", "down", "right")
        await visitor.sees("< sharp >")

    visit(session)
    assert (settings.load().theme, settings.load().level) == ("paper", "sharp")
    settings.path().write_text('{"theme": "mud", "level": 5, "name": ""}')
    assert settings.load() == settings.Settings()
    settings.path().write_text("{")
    assert settings.load() == settings.Settings()


@pytest.mark.parametrize("game", range(1, 6))
def test_the_first_screen_starts_every_game_against_the_computer(game: int) -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press(str(game))
        await visitor.sees(GAMES[game - 1].capitalize(), "Player 1, your turn", "careful computer")

    visit(session)


def test_two_people_start_from_the_first_screen() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("down", "f")
        await visitor.sees("Reverse", "Player 1: Choose a digit", "Player 2")

    visit(session)
    assert Plan.from_record(games.variant("reverse"), all_saves()[0].read()).levels == (None, None)
