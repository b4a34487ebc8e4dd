"""What a table says at a glance: what wins, how it stands, what a choice does, and which keys choose."""

from __future__ import annotations

import pytest
from rich.color import Color, ColorSystem
from tests.app.driving import SIZES, Visitor, visit

from digit_duel import games
from digit_duel.cli.app.drawing.canvas import Canvas
from digit_duel.cli.app.drawing.home import draw_home
from digit_duel.cli.app.drawing.table import draw_table
from digit_duel.cli.app.state.home import home_view, miniature
from digit_duel.cli.app.state.local import LocalTable
from digit_duel.cli.app.state.opening import new_table
from digit_duel.cli.app.state.table import Phase
from digit_duel.cli.app.themes import THEMES, colours_of
from digit_duel.cli.play.plan import Plan

GOALS = {
    "classic": "The higher number wins",
    "reverse": "The lower number wins",
    "sabotage": "The lower number wins",
    "battle": "When digits run out, more life wins; 0 loses",
    "cards": "Rounds won: Ann: 0, Ben: 0, first to 2",
}
_NO_CURSOR = str.maketrans("╔═╗║╚╝", "╭─╮│╰╯")
each_size = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


def two_people(game: str, *moves: str, options: dict[str, str] | None = None) -> LocalTable:
    """A game of Ann and Ben after some moves."""
    table = new_table(Plan(games.variant(game).customised(options or {}), ("Ann", "Ben"), seed="1"))
    for move in moves:
        _go_on(table)
        assert table.choice is not None
        table.play(table.choice.typed(move))
    _go_on(table)
    return table


def test_the_cover_names_a_player_whose_name_has_a_comma() -> None:
    table = new_table(Plan(games.variant("cards"), ("Smith, Ann", "Ben"), seed="1"))
    lines = [line.strip() for line in shown(table, (80, 24)).split("\n")]
    assert "Pass the keyboard to Smith, Ann." in lines
    assert "Smith, Ann, press Enter when only you can see the screen." in lines


def _go_on(table: LocalTable) -> None:
    while table.phase in (Phase.COVER, Phase.HAND_OVER):
        table.go_on()


def shown(table: LocalTable, size: tuple[int, int], focus: str = "") -> str:
    """The table as text."""
    canvas = Canvas(*size, focus)
    draw_table(table.view(), canvas)
    table.close()
    return canvas.text


@each_size
@pytest.mark.parametrize("game", GOALS)
def test_the_top_says_what_wins_and_how_many_rounds(game: str, size: tuple[int, int]) -> None:
    assert GOALS[game] in shown(two_people(game), size).split("\n")[0]


@each_size
def test_a_house_rule_changes_what_wins(size: tuple[int, int]) -> None:
    assert "The higher number wins" in shown(two_people("sabotage", options={"goal": "high"}), size)


@each_size
def test_cards_say_beside_the_deck_what_wins_a_round(size: tuple[int, int]) -> None:
    words = " ".join(shown(two_people("cards"), size).split())
    for told in ("Round 1", "Higher number", "wins the round"):
        assert told in words


@each_size
def test_cards_say_what_wins_a_round_while_a_number_is_laid_out(size: tuple[int, int]) -> None:
    text = shown(two_people("cards", *"kkkkkk"), size)
    assert "Enter your number" in text
    assert text.count("Higher number wins the round") == 1


@each_size
def test_the_top_says_what_a_digit_of_sudden_death_does(size: tuple[int, int]) -> None:
    equal = [f"{digit} d" for digit in range(9, 0, -1)]  # both have 20
    assert "The higher digit takes the difference" in shown(two_people("battle", *equal), size).split("\n")[0]


@each_size
def test_a_digit_is_for_the_only_side_that_has_room(size: tuple[int, int]) -> None:
    full = two_people("sabotage", "9b1", "9a1", "8b2", "8a2", "7b3", "7a3", "6a4")
    assert "Ben: Choose a digit for your side." in shown(full, size)
    full = two_people("sabotage", "9a1", "9a2", "8a3", "8a4")
    assert "Ann: Choose a digit for the other side." in shown(full, size)


@each_size
def test_a_key_that_means_nothing_does_not_hide_whose_turn_it_is(size: tuple[int, int]) -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("9", "9")
        await visitor.sees("Press one of the keys shown.", "▸ Ann, your turn", "Where does the 9 go")

    visit(session, Plan(games.variant("sabotage"), ("Ann", "Computer"), (None, "random"), seed="1"), size)


@each_size
def test_battle_tells_what_a_digit_would_do_before_and_after_it_is_chosen(size: tuple[int, int]) -> None:
    # Ben has 10 - 7 = 3 left, Ann 10 + 9 = 19: a 6 would kill, or fill her up to the most of 20.
    table = two_people("battle", "9 d", "1 d", "7 a", "2 d")
    assert "▲ more life so far" in shown(table, size)
    assert "With 6   attack: Ben 6 → 0   defend: Ann 19 → 20" in shown(table, size, "digit 6")
    assert table.choice is not None
    table.choice.pick(next(offer for offer in table.choice.offers if offer.digit == 6))
    chosen = shown(table, size)
    assert "Attack: Ben 6 → 0" in chosen
    assert "Defend: Ann 19 → 20" in chosen


@each_size
def test_the_last_blow_of_battle_is_told(size: tuple[int, int]) -> None:
    result = shown(two_people("battle", "9 a", "8 a", "7 a"), size)
    assert "Ann wins: Ben has no life points left." in result
    assert " Ann attacks with 7.\n" in "\n".join(line[:100].rstrip() for line in result.split("\n"))
    resigned = two_people("battle", "9 a")
    resigned.resign()
    narrow = shown(resigned, (80, 24))
    assert "Ben resigns" in narrow
    assert "attacks" not in narrow


def test_battle_calls_somebody_who_plays_the_computer_you() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.sees("Choose a digit to attack or defend with.")
        await visitor.press("right", "right")
        await visitor.sees("With 3   attack: Computer 10 → 7   defend: you 10 → 13")
        await visitor.press("enter")
        await visitor.sees("A  Attack: Computer 10 → 7", "D  Defend: you 10 → 13")
        await visitor.press("d")
        assert visitor.table.session.record().moves[0] == "+3"

    visit(session, Plan(games.variant("battle"), ("Ann", "Computer"), (None, "random"), seed="1"))


@each_size
def test_a_life_bar_shows_what_is_missing(size: tuple[int, int]) -> None:
    for line in shown(two_people("battle"), size).split("\n"):
        if "█░" in line:
            full, empty = line.count("█"), line.count("░")
            assert abs(full - empty) <= 8  # 10 of 20; the digits are made of blocks, too
            break
    else:
        raise AssertionError("there is no bar")


@each_size
def test_a_hint_leaves_the_pool_and_both_boards_in_sight(size: tuple[int, int]) -> None:
    async def session(visitor: Visitor) -> None:
        before = visitor.text.translate(_NO_CURSOR).split("\n")
        own_board = max(at for at, line in enumerate(before) if "hundreds" in line)
        await visitor.press("h")
        await visitor.sees("Hint: ")
        now = visitor.text.translate(_NO_CURSOR).split("\n")
        assert [line[:60] for line in now[: own_board + 1]] == [line[:60] for line in before[: own_board + 1]]

    visit(session, Plan(games.variant("reverse"), ("Ann", "Computer"), (None, "random"), seed="1"), size)


def test_throwing_a_card_away_has_a_key_that_fits_and_the_reason_is_not_cut() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("d", "down", "down", "down", "t")
        await visitor.press("s")
        shown = await visitor.sees("lesson 2 of", "T  Throw it away", "K  Keep it in your hand")
        assert "One hand is full: giving throws the card away" in " ".join(
            line.split("  ")[-1].strip() for line in shown.split("\n")[7:12]
        )

    visit(session)


@each_size
def test_the_first_screen_offers_two_players_and_lessons_without_cutting(size: tuple[int, int]) -> None:
    canvas = Canvas(*size, "play classic")
    draw_home(home_view("careful", None, miniature("classic", 0) if size[0] >= 110 else None), canvas)
    lines = canvas.text.split("\n")
    assert any(
        all(word in line for word in ("One player", "Two players", "Learn", "Rules")) for line in lines
    )
    assert "Enter play the computer" in lines[-1]
    assert "…" not in lines[-1] + lines[-2]
    if size[0] >= 110:
        assert "Example: how a game of classic goes" in canvas.text
        assert "to move" not in canvas.text


def test_a_drawn_digit_is_put_on_a_place_by_its_number() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.sees("Where does it go?", "key 1", "key 3")
        await visitor.press("3")
        await visitor.sees("Ann places", "Ben: You drew")

    visit(session, Plan(games.variant("classic").edition("fair"), ("Ann", "Ben"), seed="1"))


@each_size
@pytest.mark.parametrize("game", GOALS)
def test_the_keys_that_choose_come_first_in_the_last_line(game: str, size: tuple[int, int]) -> None:
    async def session(visitor: Visitor) -> None:
        foot = visitor.text.split("\n")[-1]
        assert foot.startswith(" Press its key" if game == "cards" else " Press a digit")
        assert "? keys" in foot
        if game != "cards":
            await visitor.press("3")
            assert "Esc another digit" in visitor.text.split("\n")[-1]

    visit(session, Plan(games.variant(game), ("Ann", "Computer"), (None, "random"), seed="1"), size)


@each_size
def test_buttons_say_where_a_card_goes(size: tuple[int, int]) -> None:
    text = shown(two_people("cards"), size)
    assert "Keep it in your hand" in text
    assert "Give it to Ben" in text
    assert "You drew a" in text


def test_buttons_are_short_where_a_name_is_long() -> None:
    canvas = Canvas(60, 20)
    table = new_table(Plan(games.variant("cards"), ("Ann", "A name that fills a button"), (None, "random")))
    if table.phase is Phase.THINKING:
        table.play(table.think())
    draw_table(table.view(), canvas)
    table.close()
    assert "K  Keep " in canvas.text
    assert "G  Give " in canvas.text


@each_size
def test_the_pool_says_how_many_copies_are_left(size: tuple[int, int]) -> None:
    text = shown(two_people("sabotage", "9 2 th"), size)
    few, many = ("x1", "x2") if size[0] < 110 else ("1 left", "2 left")
    assert (text.count(few), text.count(many)) == (1, 9)


def test_a_result_names_the_two_numbers_once() -> None:
    table = two_people("classic", "9 h", "8 h", "7 t", "6 t", "5 u", "4 u")
    assert table.view().message == "Ann wins: higher number, 975 to 864."
    table.close()
    # 796 is less than 812, but the bonus of 50 makes it 846, which stands beside the name.
    table = two_people("classic", "8 h", "7 h", "1 t", "9 t", "2 u", "6 u", options={"bonus": "50"})
    assert table.view().message == "Ben wins: higher number."
    assert "796 + 50 = 846" in shown(table, (60, 20))


def test_a_name_that_ends_with_a_digit_is_told_from_its_count() -> None:
    table = new_table(Plan(games.variant("cards"), ("Player 1", "Player 2"), seed="1"))
    _go_on(table)
    assert "Rounds won: Player 1: 0, Player 2: 0, first to 2" in shown(table, (80, 24))


@pytest.mark.parametrize("theme", THEMES)
def test_sixteen_colours_are_enough_to_tell_players_from_text_and_mistakes(theme: str) -> None:
    colours = colours_of(theme, few=True)
    roles = ("paper", "text", "dim", "one", "two", "focus", "good", "bad")
    shown = [Color.parse(colours[role]).downgrade(ColorSystem.STANDARD).number for role in roles]
    assert len(set(shown)) == len(roles)
