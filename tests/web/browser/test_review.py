"""The review in the browser: it begins at the first mistake, and asks before it tells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.web.browser.people import Person
from tests.web.browser.test_accessibility import violations
from tests.web.browser.test_learn import OUT_OF_REACH, SIZES
from tests.web.client import Client, pair, seated
from tests.web.server import Server, running_server

Make = Callable[..., Person]
Pair = tuple[Client, Client]
# Moves 1a and 1b give a win away each: the 1 in the hundreds would have won, and the 2 beats the 3.
REVERSE = ("4a2", "3b1", "7a3", "6b2", "2a1", "9b3")
BETTER = "1 in your hundreds"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of its own: elsewhere two people may be playing a position, which is then not analysed."""
    with running_server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def two(server: Server) -> Iterator[Pair]:
    one, other = pair(server.url)
    with one, other:
        yield one, other


def played(two: Pair, variant: str, moves: tuple[str, ...]) -> str:
    """A finished game between two people; the first of them goes first."""
    game = seated(*two, variant, start="me")
    for number, move in enumerate(moves):
        two[number % 2].move(game, move)
    return game


def review(person: Person, server: Server, client: Client, game: str) -> Page:
    """The review of a game, in the browser of one of its players."""
    page = person.page
    page.goto(f"{server.url}/help")
    code = client.ask("POST", "/api/me/codes").body["code"]
    resume = """(code) => fetch('/api/sessions/resume', { method: 'POST', body: JSON.stringify({ code }),
        headers: { 'Content-Type': 'application/json' } }).then(({ status }) => status)"""
    assert page.evaluate(resume, code) == 201
    page.goto(f"{server.url}/g/{game}/analysis")
    expect(page.locator(".coach h2")).to_be_visible(timeout=120_000)
    return page


def tap(page: Page, *names: str) -> None:
    for name in names:
        page.locator("duel-table").get_by_role("button", name=re.compile(rf"^{name}\b")).first.click()


def test_a_review_begins_before_the_first_mistake_and_asks_before_it_tells(
    server: Server, person: Make, two: Pair
) -> None:
    page = review(person(), server, two[0], played(two, "reverse", REVERSE))
    coach = page.locator(".coach h2")
    expect(coach).to_have_text("Move 1a, you: 4 in your tens. Find something better.")
    expect(page.get_by_role("button", name="Your tens, empty")).to_be_enabled()
    assert BETTER not in page.get_by_role("main").inner_text()
    expect(page.locator("#bar .where span")).to_have_text("You beat Ben")  # 247 against 369
    assert page.locator(".sign, .worths").count() == 0
    tap(page, "Digit 9", "Your hundreds")
    expect(coach).to_have_text("↺Not 9 in your hundreds. Try another.")
    tap(page, "Digit 4", "Your tens")
    expect(coach).to_have_text("↺That is what was played. Try another.")
    assert page.locator(".sign, .worths").count() == 0
    tap(page, "Digit 1", "Your hundreds")
    expect(coach).to_contain_text("✓Right!")
    expect(page.locator(".coach .detail")).to_contain_text(f"Only {BETTER} kept it.")


def test_values_stand_on_tiles_and_places_and_three_choices_are_listed(
    server: Server, person: Make, two: Pair
) -> None:
    page = review(person(), server, two[0], played(two, "reverse", REVERSE))
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".coach h2")).to_have_text(f"Better: {BETTER}.")
    expect(page.get_by_role("button", name="Digit 1,")).to_have_accessible_name("Digit 1, wins for sure")
    expect(page.get_by_role("button", name="Digit 2,")).to_have_accessible_name("Digit 2, loses")
    hundreds = page.locator("duel-table").get_by_role("button", name="Your hundreds")
    expect(hundreds).to_have_accessible_name("Your hundreds, empty, wins for sure")
    tap(page, "Digit 9")
    expect(hundreds).to_have_accessible_name("Your hundreds, empty, loses")
    page.keyboard.press("Escape")
    best = page.locator("aside section").first
    expect(best.locator("li:visible")).to_have_count(3)
    expect(best.locator("li").first).to_have_text(f"▲{BETTER} wins for sure")
    best.get_by_text("and 24 others lose").click()
    expect(best.locator("li:visible")).to_have_count(27)


def test_moves_are_numbered_as_in_the_record_and_the_graph_names_the_mistakes(
    server: Server, person: Make, two: Pair
) -> None:
    page = review(person(), server, two[0], played(two, "reverse", REVERSE))
    game = re.findall("/g/([^/]+)/", page.url)[0]
    first, second = (player["name"] for player in two[0].look(game)["players"])
    rows = page.locator(".reviewed li")
    expect(rows).to_have_count(6)
    assert [row.split()[0] for row in rows.all_inner_texts()] == ["1a", "1b", "2a", "2b", "3a", "3b"]
    assert "mistake" in rows.nth(0).inner_text()
    assert "mistake" in rows.nth(1).inner_text()
    expect(page.get_by_role("img", name="Who was ahead")).to_have_accessible_name(
        f"Who was ahead over the moves, {first} above the line and {second} below. "
        f"Mistakes: move 1a by {first}, move 1b by {second}."
    )
    expect(page.locator(".graph > text")).to_have_text(["You ahead", f"{second} ahead"])
    expect(page.locator(".graph .wrong")).to_have_count(2)
    expect(page.locator(".steps output")).to_have_text("Move 1a")
    page.get_by_role("button", name="Next move").click()
    expect(page.locator(".steps output")).to_have_text("Move 1b")
    # The reader is not asked to correct the other player's mistake: it is explained.
    expect(page.locator(".coach h2")).to_contain_text(f"✗Move 1b, {second}: 3 in their hundreds.")
    page.keyboard.press("End")
    expect(page.locator(".steps output")).to_have_text("The end")


def test_at_the_others_move_the_table_names_the_other(server: Server, person: Make, two: Pair) -> None:
    """The reader is never told "Your turn" at the other player's move; colours stay with the players."""
    page = review(person(), server, two[0], played(two, "reverse", REVERSE))
    game = re.findall("/g/([^/]+)/", page.url)[0]
    other = two[0].look(game)["players"][1]["name"]
    expect(page.locator(".headline")).to_have_text("Try it: tap a digit and a place.")
    page.get_by_role("button", name="Next move").click()
    expect(page.locator(".headline")).to_have_text(f"Try it for {other}: tap a digit and a place.")
    expect(page.locator("duel-table .row.turn")).to_have_class(re.compile(r"\btwo\b"))
    assert page.locator(".graph > text").evaluate_all("(all) => all.map((e) => e.classList.value)") == [
        "one",
        "two",
    ]
    mirrored = review(person(), server, two[1], game)
    expect(mirrored.locator(".graph > text").first).to_have_class("two")  # whoever opened has the first
    expect(mirrored.locator(".graph > text").first).to_have_text("You ahead")


def test_a_line_of_ones_own_leads_back_to_the_game(server: Server, person: Make, two: Pair) -> None:
    page = review(person(), server, two[0], played(two, "reverse", REVERSE))
    page.keyboard.press("ArrowRight")
    # What is tapped before the position has come is forgotten.
    expect(page.locator(".steps output")).to_have_text("Move 1b")
    tap(page, "Digit 1", "\\w+'s hundreds")
    expect(page).to_have_url(re.compile("moves=4a2.1b1"))
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator(".steps output")).to_have_text("Move 1b")


def kept(two: Pair) -> str:
    """A finished game of cards in which everybody keeps every card, so that a round has six of them."""
    game = seated(*two, "cards", start="me")
    while two[0].look(game)["phase"] != "over":
        for person in two:
            view = person.look(game)
            if view["turn"]:
                person.move(game, view["moves"][0])
    return game


def test_draws_of_cards_belong_to_the_move_that_follows(server: Server, person: Make, two: Pair) -> None:
    game = kept(two)
    page = review(person(), server, two[0], game)
    page.keyboard.press("Home")
    # A record begins: 1. d7 k 2. d2 k 3. d9 k
    for number, ply in ((1, 1), (2, 3), (3, 5), (4, 7)):
        expect(page.locator(".steps output")).to_have_text(f"Move {number}")
        expect(page).to_have_url(re.compile(rf"at={ply}$"))
        page.keyboard.press("ArrowRight")
    moves = [move for move in two[0].ask("GET", f"/api/games/{game}/proof").body["moves"] if move[0] != "d"]
    points = (page.locator(".graph polyline").get_attribute("points") or "").split()
    assert len(points) == len(moves) + 1
    assert float(points[-1].split(",")[1]) in (38, 138)  # the last round is won for certain
    expect(page.locator(".story")).to_contain_text("Your chance to win the round, as known then.")


def test_the_question_fits_every_screen_and_has_no_violation(server: Server, person: Make, two: Pair) -> None:
    someone = person(reduced_motion="reduce", color_scheme="dark")
    page = review(someone, server, two[0], played(two, "reverse", REVERSE))
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        needed = OUT_OF_REACH.replace("main button:enabled", "duel-table button:enabled")
        assert page.evaluate(needed.replace(".coach h2", ".coach h2, .coach button")) == [], (width, height)
    assert violations(page) == []
    page.get_by_role("button", name="Show me").click()
    page.emulate_media(color_scheme="light")
    assert violations(page) == []


def test_all_that_the_coach_says_and_the_way_through_the_moves_fit_a_small_screen(
    server: Server, person: Make, two: Pair
) -> None:
    """The card has the whole reason, once, and the four buttons are inside the window."""
    page = review(person(reduced_motion="reduce"), server, two[0], played(two, "reverse", REVERSE))
    page.get_by_role("button", name="Show me").click()
    detail = page.locator(".coach .detail")
    expect(detail).to_contain_text(f"Only {BETTER} kept it.")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.locator(".coach").evaluate("(e) => e.scrollHeight - e.clientHeight") <= 0, (width, height)
        assert page.get_by_role("main").get_by_text(f"Only {BETTER} kept it.").count() == 1
        for name in ("To the start", "Previous move", "Next move", "To the end"):
            box = page.get_by_role("button", name=name).bounding_box()
            assert box
            assert box["y"] + box["height"] <= height, (name, width, height)
            assert box["x"] + box["width"] <= width, (name, width, height)


def test_a_game_that_was_lost_from_the_start_is_reviewed_at_the_costliest_move(
    server: Server, person: Make, two: Pair
) -> None:
    """After the 1 in the hundreds the first player wins for sure; the 9 made it 789."""
    moves = ("1a1", "9b1", "2a2", "8b2", "3a3", "7b3")
    page = review(person(), server, two[1], played(two, "reverse", moves))
    expect(page.locator(".coach h2")).to_have_text("Move 1b, you: 9 in your hundreds. Find something better.")
    winner = review(person(), server, two[0], page.url.split("/")[4])
    expect(winner.locator(".coach h2")).not_to_contain_text("9 in")  # never the other player's move


def test_reveal_tells_what_the_other_held(server: Server, person: Make, two: Pair) -> None:
    page = review(person(), server, two[0], kept(two))
    before = page.locator(".reviewed li").count()
    page.get_by_role("button", name="Reveal both hands").click()
    expect(page.locator(".reviewed li").nth(before)).to_be_visible(timeout=120_000)
    expect(page.get_by_role("button", name="Reveal both hands")).to_have_attribute("aria-pressed", "true")


def test_a_move_list_of_cards_is_divided_into_rounds(server: Server, person: Make, two: Pair) -> None:
    game = kept(two)
    page = review(person(), server, two[0], game)
    wins = [row["meters"][0]["value"] for row in two[0].look(game)["scene"]["rows"]]
    expect(page.locator(".reviewed .part")).to_have_text([f"Round {n + 1}" for n in range(sum(wins))])
    expect(page.locator(".graph .part")).to_have_count(sum(wins) - 1)


def test_the_button_to_the_next_mistake_says_whose_it_is(server: Server, person: Make, two: Pair) -> None:
    game = played(two, "reverse", REVERSE)
    page = person().page
    page.goto(f"{server.url}/g/{game}/analysis")
    page.get_by_role("button", name="Show me").click()
    other = two[0].look(game)["players"][1]["name"]
    page.get_by_role("button", name=f"{other}'s next mistake").click()
    expect(page.locator(".steps output")).to_have_text("Move 1b")


def test_a_lost_position_says_so_once_and_marks_only_the_best_try(server: Server, person: Make) -> None:
    """After 1a1 9b1 all is lost; with best play the numbers are 186 and 975."""
    page = person(reduced_motion="reduce").page
    page.goto(f"{server.url}/analysis/classic?moves=1a1.9b1")
    coach = page.locator(".coach h2")
    expect(coach).to_have_text("First to move: every move loses.", use_inner_text=True)
    expect(page.locator(".coach .detail")).to_contain_text("8 in First's tens comes closest")
    expect(page.locator(".sign")).to_have_text(["✓", "✓"])
    expect(page.get_by_role("button", name="Digit 8")).to_have_accessible_name("Digit 8, loses, the best try")
    expect(page.locator(".bad, .good")).to_have_count(0)
    expect(page.locator(".worths li").first).to_have_text("8 in First's tens loses by 789")
    expect(page.locator(".headline")).to_have_text("Try it for First: tap a digit and a place.")
    page.set_viewport_size({"width": 390, "height": 664})
    expect(coach).to_have_text("First to move: every move loses. Try it on the table.", use_inner_text=True)
    expect(page.get_by_role("button", name="Next move")).to_be_in_viewport(ratio=1)
