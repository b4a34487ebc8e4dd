"""At 60 by 20 nothing essential is cut: texts and names get shorter, the score and the place stay."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace

import pytest
from tests.app.driving import SIZES, Visitor, visit

from digit_duel import games
from digit_duel.cli.app.drawing.canvas import Canvas, clipped, short_label, whole_sentences, with_short_names
from digit_duel.cli.app.drawing.sheets import draw_sheet
from digit_duel.cli.app.drawing.table import draw_table
from digit_duel.cli.app.screens.base import CanvasScreen
from digit_duel.cli.app.screens.games import GamesScreen
from digit_duel.cli.app.screens.home import HomeScreen
from digit_duel.cli.app.screens.lessons import LessonScreen
from digit_duel.cli.app.screens.lobby import LobbyScreen
from digit_duel.cli.app.screens.look_back import LookBackScreen
from digit_duel.cli.app.screens.online import OnlineScreen, help_lines
from digit_duel.cli.app.screens.settings import SettingsScreen
from digit_duel.cli.app.screens.table import TableScreen
from digit_duel.cli.app.state.choice import LocalChoice
from digit_duel.cli.app.state.lessons import Lessons
from digit_duel.cli.app.state.look_back import LookBack
from digit_duel.cli.app.state.opening import new_table
from digit_duel.cli.app.state.table import Phase
from digit_duel.cli.play.plan import Plan
from digit_duel.cli.records.save_file import new_save
from digit_duel.core.game import Seat
from digit_duel.core.match import Match
from digit_duel.core.record import Record

SMALL = (60, 20)
LONG = ("Maximiliana-Theodora-Ann", "Wilhelmina-Konstantin-Bo")
each_size = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


def _some_games() -> None:
    against = {"ComputerSecond": "careful"}
    records = [
        Record("classic", {}, ("Player 1", "Computer"), ("9a1",), "0-1", {**against, "Ended": "resignation"}),
        Record("battle", {}, LONG, ("x9",), "*", {"Match": "best of 3", "Number": "2", "Score": "1-0"}),
        Record("battle", {}, ("Player 1", "Player 2"), ("x9", "x1", "+8")),
    ]
    for at, record in enumerate(records, start=1):
        save = new_save()
        save.write(record)
        os.utime(save.path, (at, at))


def test_a_description_loses_its_last_parts_and_only_then_its_end() -> None:
    text = "Draw, keep or give; hidden hands of three; first to win two rounds."
    assert clipped(text, 67) == text
    assert clipped(text, 60) == "Draw, keep or give; hidden hands of three"
    assert clipped(text, 20) == "Draw, keep or give"
    assert clipped("Incomprehensible", 8) == "Incompr…"


def test_news_lose_whole_sentences_but_not_the_first() -> None:
    text = "5a. Ann attacks with 1. Sudden Death! Now both choose a digit in secret."
    assert whole_sentences(text, 72) == text
    assert whole_sentences(text, 71) == "5a. Ann attacks with 1. Sudden Death!"
    assert whole_sentences(text, 36) == "5a. Ann attacks with 1."
    assert whole_sentences(text, 10) == "5a. Ann attacks with 1."


def test_a_small_window_cuts_no_word_of_what_happened() -> None:
    moves = ("+9", "+3", "+4", "x5", "x2", "x7", "x8", "x6", "x1")
    game = LookBack(games.variant("battle"), Record("battle", {}, ("Ann", "Ben"), moves))
    game.go(game.last)
    canvas = Canvas(*SMALL)
    draw_table(game.view(), canvas)
    assert "5a. Ann attacks with 1. Sudden Death!" in [line.strip() for line in canvas.text.split("\n")]


def test_names_stay_whole_where_sentences_have_to_go() -> None:
    told = "Ann: 372, Computer: 216. Ann wins the round."
    view = LookBack(games.variant("battle"), Record("battle", {}, ("Ann", "Computer"), ("x9",))).view()
    for more in ("", " Computer could have made 621 instead of 216, and would still have lost."):
        canvas = Canvas(*SMALL)
        draw_table(replace(view, news=f"{told}{more}"), canvas)
        assert told in canvas.text


def test_names_are_shortened_only_as_far_as_needed_and_stay_different() -> None:
    text = f"{LONG[0]} places 9 in {LONG[1]}'s tens."
    assert with_short_names(text, LONG, 80) == text
    assert with_short_names(text, LONG, 60) == "Maximiliana-Theod… places 9 in Wilhelmina-Konsta…'s tens."
    assert with_short_names(text, LONG, 40) == "Maximil… places 9 in Wilhelm…'s tens."
    assert with_short_names("Player 1, Player 2", ("Player 1", "Player 2"), 10) == "Player 1, Player 2"


@each_size
@pytest.mark.parametrize("waiting", [False, True])
def test_the_first_screen_cuts_nothing(waiting: bool, size: tuple[int, int]) -> None:
    if waiting:
        _some_games()

    async def session(visitor: Visitor) -> None:
        assert "…" not in visitor.text
        assert ("▸ Continue your game" in visitor.text) is waiting
        assert ("Enter continue   ↑ ↓ other games   ? keys" in visitor.text) is waiting
        await visitor.press("?")
        shown = await visitor.sees("i       play on a server", "s       results of finished games")
        assert "…" not in shown

    visit(session, size=size)


@each_size
def test_saved_games_and_results_cut_nothing_essential(size: tuple[int, int]) -> None:
    _some_games()

    async def session(visitor: Visitor) -> None:
        await visitor.press("g")
        shown = await visitor.sees("d delete   q back", "Classic: Player 1 - Computer  ", "  Computer won")
        assert "1970-01-01" in shown
        assert ", two players, life 10 to 1" in shown  # and of the match as much as fits
        assert "Battle: Max" in shown
        await visitor.press("q", "s")
        shown = await visitor.sees("Results", "You won", "0%")
        assert "…" not in shown

    visit(session, size=size)


@each_size
def test_settings_the_lobby_and_the_rules_cut_nothing(size: tuple[int, int]) -> None:
    async def session(visitor: Visitor) -> None:
        for key in ("o", "i", "r"):
            await visitor.press(key)
            assert "…" not in visitor.text
            assert visitor.text.startswith(" ← ")
            if key == "r":
                assert ("lines 1-" in visitor.text) is (size[1] < 45)
            await visitor.press("q")

    visit(session, size=size)


@each_size
def test_the_top_of_cards_never_loses_the_rounds(size: tuple[int, int]) -> None:
    for names in (LONG, ("Player 1", "Player 2")):
        table = new_table(Plan(games.variant("cards"), names, seed="1"))
        while table.phase is not Phase.TURN:
            table.go_on()
        canvas = Canvas(*size)
        draw_table(table.view(), canvas)
        table.close()
        top = canvas.text.split("\n")[0]
        assert "Rounds won: " in top
        assert top.count("0") == 2
        assert top.split("Rounds won: ")[1].startswith(names[0][:5])


@pytest.mark.parametrize(
    ("columns", "match", "top"),
    [
        (60, None, "Rounds won: you: 0, Computer: 0, first to 2"),
        (60, Match(best_of=3, score=(1, 0)), "Rounds won: you: 0, Computer: 0, first to 2"),
        (80, None, "Rounds won: you: 0, Computer: 0   Games won: Ann: 1, Computer: 0"),
        (
            80,
            Match(best_of=3, score=(1, 0)),
            "Rounds won: you: 0, Computer: 0   Games won: Ann: 1, Computer: 0",
        ),
        (140, Match(best_of=3, score=(1, 0)), "Games won: Ann: 1, Computer: 0 · best of 3"),
    ],
)
def test_the_games_won_leave_room_for_the_rounds(columns: int, match: Match | None, top: str) -> None:
    plan = Plan(games.variant("cards"), ("Ann", "Computer"), (None, "random"), match, seed="1")
    table = new_table(plan, Counter(Ann=1))
    canvas = Canvas(columns, 24)
    draw_table(table.view(), canvas)
    table.close()
    assert " ".join(top.split()) in " ".join(canvas.text.split("\n")[0].split())


@each_size
@pytest.mark.parametrize("names", [LONG, ("Player 1", "Ben")])
def test_a_clock_beside_a_name_is_never_lost(names: tuple[str, str], size: tuple[int, int]) -> None:
    table = new_table(Plan(games.variant("classic"), names))
    for move in ("9 h", "8 h"):
        assert table.choice is not None
        table.play(table.choice.typed(move))
    canvas = Canvas(*size)
    draw_table(replace(table.view(), clocks=("away 2:59", "3:00")), canvas)
    table.close()
    lines = canvas.text.split("\n")
    assert any("▲ sure to win" in line and "away 2:59" in line for line in lines)
    assert "3:00" in canvas.text


@each_size
def test_all_orders_of_a_long_hand_can_be_reached(size: tuple[int, int]) -> None:
    plan = Plan(
        games.variant("cards").customised({"hand_size": "4"}), ("Ann", "Ben"), (None, "random"), seed="2"
    )

    async def session(visitor: Visitor) -> None:
        while len(visitor.table.view().offers) != 24:
            await visitor.press("k")
        orders = [offer.label for offer in visitor.table.view().offers]
        for order in orders:
            focused = next(line for line in visitor.text.split("\n") if order in line)
            assert f"{order}◂" in focused or f"{order}║" in focused
            assert all(target.x >= 0 or target.x + target.width <= 0 for target in visitor.canvas.targets)
            await visitor.press("right")
        await visitor.press("enter")
        await visitor.sees(f": {orders[-1]}, ", "Next round")

    visit(session, plan, size)


@each_size
def test_the_end_never_loses_the_score(size: tuple[int, int]) -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("x", "y")
        shown = await visitor.sees("Games won: Maximiliana", "★")
        line = next(line for line in shown.split("\n") if "Games won: " in line)
        assert line[: size[0]].rstrip(" │").split()[-1] == "1"

    visit(session, Plan(games.variant("classic"), LONG), size)


@each_size
def test_the_news_never_lose_the_place(size: tuple[int, int]) -> None:
    table = new_table(Plan(games.variant("sabotage"), LONG, seed="1"))
    assert table.choice is not None
    table.play(table.choice.typed("9b1"))
    canvas = Canvas(*size)
    draw_table(table.view(), canvas)
    table.close()
    line = next(line for line in canvas.text.split("\n") if " places 9 in Wilhelmina" in line)
    assert "thousands" in line


@pytest.mark.parametrize(
    "screen",
    [
        GamesScreen,
        HomeScreen,
        LessonScreen,
        LobbyScreen,
        LookBackScreen,
        OnlineScreen,
        SettingsScreen,
        TableScreen,
    ],
)  # fmt: skip
def test_the_keys_of_a_screen_keep_their_columns_in_the_smallest_window(screen: type[CanvasScreen]) -> None:
    lines = help_lines(hints=True) if screen is OnlineScreen else screen.help(screen.__new__(screen))
    canvas = Canvas(*SMALL)
    draw_sheet(canvas, "Keys", lines, "Enter closes this")
    assert [line for line in lines if "  " in line and line not in canvas.text] == []


@pytest.mark.parametrize("screen", [LessonScreen, TableScreen])
def test_keys_of_a_game_and_of_a_lesson_stand_in_a_table(screen: type) -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("t" if screen is LessonScreen else "1")
        await visitor.pilot.pause()
        assert isinstance(visitor.app.screen, screen)
        await visitor.press("?")
        shown = await visitor.sees("Keys", "│ r    the rules", "│ q    leave", "│ Esc  one choice back")
        assert "…" not in shown

    visit(session, size=SMALL)


def test_places_keep_their_keys_while_others_fill() -> None:
    table = new_table(Plan(games.variant("sabotage"), ("Ann", "Ben")))
    for move in ("9a1", "8b2", "7a3"):
        assert table.choice is not None
        table.play(table.choice.typed(move))
    choice = table.choice
    assert isinstance(choice, LocalChoice)
    choice.pick(next(offer for offer in choice.offers if offer.digit == 5))
    keys = {(offer.row, offer.cell): offer.key for offer in choice.offers}
    table.close()
    # Ben's own places are 1 to 4, Ann's 5 to 8.
    assert keys == {
        (Seat.SECOND, 0): "1", (Seat.SECOND, 2): "3", (Seat.SECOND, 3): "4",
        (Seat.FIRST, 1): "6", (Seat.FIRST, 3): "8",
    }  # fmt: skip


def test_the_name_of_a_place_gets_shorter_in_all_its_parts() -> None:
    assert short_label("hundreds", 8) == "hundreds"
    assert short_label("hundreds", 6) == "hundr…"
    assert short_label("hundred-thousands", 17) == "hundred-thousands"
    assert short_label("hundred-thousands", 10) == "hundr-thou"
    assert short_label("ten-thousands", 6) == "ten-th"


@each_size
def test_all_places_of_long_numbers_are_on_the_screen(size: tuple[int, int]) -> None:
    sabotage = games.variant("sabotage").customised({"places": "6"})
    table = new_table(Plan(sabotage, ("Ann", "Ben")))
    assert table.choice is not None
    table.choice.pick(table.choice.offers[0])
    canvas = Canvas(*size)
    draw_table(table.view(), canvas)
    table.close()
    places = [target for target in canvas.targets if target.action != "leave" and target.height > 3]
    assert len(places) == 12
    assert all(target.x >= 0 and target.x + target.width <= size[0] for target in places)
    assert canvas.text.count("tens") == canvas.text.count("ones") == 2


def test_who_leaves_the_lessons_is_told_where_to_go_on() -> None:
    variant = games.variant("classic")
    assert Lessons(variant, 2).goodbye == "To go on with the lessons: digit-duel learn classic"
    assert Lessons(variant, 4).goodbye == "Now play it: digit-duel play classic --vs computer"
