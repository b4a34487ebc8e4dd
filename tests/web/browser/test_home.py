"""Home and your games: a card starts a game, and the running one comes first."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Locator, Page, Route, expect
from tests.sixth_game import SOURCE
from tests.web.browser.people import (
    LINE_DOWN,
    TABLE,
    Person,
    arrives,
    by_turn,
    invite,
    join,
    play_computer,
    play_out,
    tap,
    wait_until,
)
from tests.web.server import Server, running_server

from digit_duel import games

Make = Callable[..., Person]
SIZES = {
    "desk": (1280, 800),
    "laptop": (1366, 650),
    "phone": (390, 664),
    "landscape": (844, 390),
    "small": (320, 568),
}
# What lies outside the page at either side, and what a finger would miss because something lies over it.
OUTSIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
COVERED = """(all) => all.filter((each) => {
    each.scrollIntoView({ block: 'center' });
    const { x, y, width, height } = each.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return !each.contains(top);
}).map((each) => each.textContent)"""


def card(page: Page, game: str) -> str:
    return f"button.play[data-game={game}]"


def test_a_card_starts_a_game_against_the_computer_with_one_request(server: Server, person: Make) -> None:
    tom = person()
    tom.page.goto(server.url)
    expect(tom.page.locator(".card duel-table")).to_have_count(len(games.ids()))
    asked: list[str] = []
    tom.page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    tom.page.locator(card(tom.page, "sabotage")).click()
    expect(tom.page.locator(TABLE)).to_be_visible()
    assert [each for each in asked if each.startswith("POST")] == [f"POST {server.url}/api/games"]
    game = httpx.get(f"{server.url}/api{tom.page.url.removeprefix(server.url).replace('/g/', '/games/')}")
    assert {player["level"] for player in game.json()["players"]} == {None, "careful"}  # the middle one


def test_the_last_level_and_the_name_are_remembered(server: Server, person: Make) -> None:
    tom = person()
    tom.page.goto(server.url)
    tom.page.get_by_label("Your name").fill("Tom")
    tom.page.get_by_role("radio", name="Sharp").check(force=True)
    tom.page.locator(card(tom.page, "classic")).click()
    expect(tom.page.locator(TABLE)).to_be_visible()
    tom.page.goto(server.url)
    expect(tom.page.get_by_role("radio", name="Sharp")).to_be_checked()
    expect(tom.page.get_by_label("Your name")).to_have_value("Tom")
    tom.page.get_by_role("button", name="Same device: Reverse").click()
    expect(tom.page.get_by_role("region", name="Tom's side")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_the_first_card_says_play_without_scrolling(size: str, server: Server, person: Make) -> None:
    width, height = SIZES[size]
    tom = person(viewport={"width": width, "height": height})
    tom.page.goto(server.url)
    says = tom.page.locator(".card .play").first.locator(".go", has_text="Play")
    box = says.bounding_box()
    assert box
    assert box["y"] + box["height"] <= height
    assert box["x"] + box["width"] <= width
    says.click()
    expect(tom.page.locator(TABLE)).to_be_visible()


def test_a_tablet_upright_shows_all_games_and_the_levels_in_one_line(server: Server, person: Make) -> None:
    tom = person(viewport={"width": 768, "height": 1024})
    tom.page.goto(server.url)
    expect(tom.page.locator(".card")).to_have_count(5)
    for card in tom.page.locator(".card").all():
        inside(card.get_by_role("button", name=re.compile("^Same device")), 1024)
        inside(card.get_by_role("button", name=re.compile("^Options")), 1024)
    tops = [box["y"] for chip in tom.page.locator(".chip").all() if (box := chip.bounding_box())]
    assert len(tops) == 5
    assert len(set(tops)) == 1


def test_enter_in_the_name_starts_nothing(server: Server, person: Make) -> None:
    tom = person()
    tom.page.goto(server.url)
    tom.page.get_by_label("Your name").fill("Tom")
    tom.page.keyboard.press("Enter")
    tom.page.wait_for_timeout(300)
    assert tom.page.url == f"{server.url}/"


@pytest.mark.parametrize("size", SIZES)
def test_an_invitation_and_dialogs_keep_what_matters_in_the_window(
    size: str, server: Server, person: Make
) -> None:
    """The code to scan and the computer meanwhile; the way out of the settings and of the menu."""
    width, height = SIZES[size]
    tom = person(viewport={"width": width, "height": height}, reduced_motion="reduce")
    invite(tom, server.url, "sabotage", "Tom")
    inside(tom.page.get_by_role("img", name="QR code of the link"), height)
    inside(tom.page.get_by_role("button", name="Play the computer meanwhile"), height)
    menu = tom.page.get_by_role("button", name="Menu")
    menu.click()
    inside(tom.page.get_by_role("dialog", name="Menu").get_by_role("button", name="Close"), height)
    tom.page.get_by_role("button", name="Settings").click()
    inside(tom.page.get_by_role("dialog", name="Settings").get_by_role("button", name="Done"), height)


def inside(each: Locator, height: int) -> None:
    """Something is seen as a whole without scrolling."""
    expect(each).to_be_visible()
    box = each.bounding_box()
    assert box
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= height


def test_a_running_game_is_the_first_and_largest_card_and_yours_come_first(
    server: Server, person: Make
) -> None:
    tom = person()
    invite(tom, server.url, "battle", "Tom")  # waits for a friend
    play_computer(tom, server.url, "classic")
    assert wait_until(lambda: tom.choices() > 0)
    game = tom.page.url
    tom.page.goto(server.url)
    first = tom.page.locator("main a.card, main li.card").first
    expect(first).to_contain_text("Your turn")
    expect(first.locator("duel-table")).to_be_visible()
    areas = tom.page.locator("main .card").evaluate_all(
        "(all) => all.map((each) => each.offsetWidth * each.offsetHeight)"
    )
    assert areas[0] == max(areas)
    expect(tom.page.locator(".others")).to_contain_text("Waiting for your friend")
    first.click()
    expect(tom.page.locator(TABLE)).to_be_visible()
    assert tom.page.url == game


def test_home_follows_a_friend_without_a_reload(server: Server, person: Make) -> None:
    """Nothing flickers, and the focus stays with its game, which may get another place in the list."""
    tom, anna = person(), person()
    tom.page.clock.install()
    join(anna, invite(tom, server.url, "sabotage", "Tom"), "Anna")
    if by_turn(tom, anna)[0] is tom:
        tap(tom)
        assert wait_until(lambda: anna.choices() > 0)
    theirs = tom.page.url
    play_computer(tom, server.url, "classic")
    assert wait_until(lambda: tom.choices() > 0)
    tom.page.goto(server.url)
    mine = tom.page.locator(".running .large")
    expect(mine).to_contain_text("Classic")
    expect(mine.locator("duel-table")).to_be_visible()
    mine.focus()
    asked: list[str] = []
    tom.page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    tom.page.clock.fast_forward(10_000)
    expect(tom.page.locator(".others")).to_contain_text("Their turn")
    assert arrives(tom.page, lambda: asked == ["/api/me"])  # the table has not changed
    tap(anna)
    assert wait_until(lambda: not anna.choices())
    tom.page.clock.fast_forward(10_000)
    first = tom.page.locator(f".running .large[href='{urlsplit(theirs).path}']")
    expect(first).to_contain_text("Your turn")
    expect(first.locator("duel-table")).to_be_visible()
    assert asked == ["/api/me", "/api/me", f"/api{urlsplit(theirs).path.replace('/g/', '/games/')}"]
    expect(tom.page.locator(".others a")).to_contain_text("Classic")
    expect(tom.page.locator(".others a")).to_be_focused()
    tom.page.clock.fast_forward(60_000)
    tom.page.wait_for_timeout(200)
    assert len(asked) == 3  # nobody else is to move


def test_home_does_not_ask_while_nobody_sees_it(server: Server, person: Make) -> None:
    tom = person()
    tom.page.clock.install()
    invite(tom, server.url, "sabotage", "Tom")
    tom.page.goto(server.url)
    expect(tom.page.locator(".running")).to_contain_text("Waiting for your friend")
    tom.page.wait_for_load_state("networkidle")
    asked: list[str] = []
    tom.page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    show = "(hidden) => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
    show += " document.dispatchEvent(new Event('visibilitychange')); }"
    tom.page.evaluate(show, True)
    tom.page.clock.fast_forward(60_000)
    tom.page.wait_for_timeout(200)
    assert asked == []
    tom.page.evaluate(show, False)
    assert arrives(tom.page, lambda: "/api/me" in asked)  # twice, if the ten seconds also end just now


LINES = """(all) => all.map((each) =>
    Math.round(each.offsetHeight / parseFloat(getComputedStyle(each).lineHeight)))"""


def test_no_word_of_a_running_game_is_broken_on_a_phone(server: Server, person: Make) -> None:
    """It once was "Classi" and, below it, "c"."""
    tom = person()
    for game in ("battle", "classic", "sabotage"):
        play_computer(tom, server.url, game)
        assert wait_until(lambda: tom.choices() > 0)
    tom.page.goto(server.url)
    words = tom.page.locator(".others :is(b, .badge)")
    expect(words).to_have_text(["Classic", "Your turn", "Battle", "Your turn"])
    for size in ("phone", "small"):
        width, height = SIZES[size]
        tom.page.set_viewport_size({"width": width, "height": height})
        assert words.evaluate_all(LINES) == [1, 1, 1, 1]


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_miniatures_live_unless_somebody_wants_no_motion(motion: str, server: Server, person: Make) -> None:
    tom = person(reduced_motion=motion)
    tom.page.goto(server.url)
    shelf = tom.page.locator(".shelf")
    expect(shelf.locator("duel-table")).to_have_count(len(games.ids()))
    before = shelf.inner_html()
    changed = wait_until(lambda: shelf.inner_html() != before, seconds=4)
    assert changed is (motion == "no-preference")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_home_and_your_games_fit_every_screen(size: str, theme: str, server: Server, person: Make) -> None:
    width, height = SIZES[size]
    tom = person(viewport={"width": width, "height": height}, color_scheme=theme, reduced_motion="reduce")
    play_computer(tom, server.url, "sabotage")
    for path in ("/", "/games"):
        tom.page.goto(server.url + path)
        expect(tom.page.locator(".running duel-table, .game-line").first).to_be_visible()
        assert tom.page.evaluate(OUTSIDE) == 0
        assert tom.page.locator("main :is(button, a, label):not([hidden])").evaluate_all(COVERED) == []
    tom.page.goto(server.url)
    first = tom.page.locator(".running .button").bounding_box()
    assert first
    assert first["y"] + first["height"] <= height  # to play on, nobody scrolls


def test_two_on_one_device_do_not_play_against_themselves(server: Server, person: Make) -> None:
    tom = person()
    tom.page.goto(server.url)
    tom.page.get_by_label("Your name").fill("Tom")
    tom.page.get_by_role("button", name="Same device: Classic").click()
    expect(tom.page.get_by_role("region", name="Tom's side")).to_be_visible()
    tom.page.goto(server.url)
    names = re.compile("^(Tom and Player 2|Player 2 and Tom)$")  # whoever starts is first
    expect(tom.page.locator(".card.large .soft")).to_have_text(names)


def test_your_games_show_results_statistics_and_lead_to_the_review(server: Server, person: Make) -> None:
    tom, anna = person(), person()
    play_computer(tom, server.url, "classic")
    play_out([tom])
    join(anna, invite(tom, server.url, "battle", "Tom"), "Anna")
    play_out([tom, anna])
    tom.page.goto(server.url)
    tom.page.get_by_role("link", name="Your games").click()
    lines = tom.page.locator("li.game-line")
    expect(lines).to_have_count(2)
    expect(lines.first).to_contain_text("Battle against Anna")
    expect(lines.first.locator(".result-word")).to_have_text(re.compile("^(Won|Lost)$"))
    rows = tom.page.get_by_role("table").get_by_role("row")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("Anna")
    expect(rows.nth(2)).to_contain_text("Computer, random")
    lines.last.get_by_role("link", name="Review").click()
    expect(tom.page).to_have_url(re.compile(r"/g/.*/analysis$"))


def test_a_game_that_somebody_adds_has_a_card_that_starts_it(tmp_path: Path, person: Make) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "race.py").write_text(SOURCE, encoding="utf-8")
    with running_server(tmp_path, env={"DIGIT_DUEL_GAMES": str(folder)}) as server:
        tom = person()
        tom.page.goto(server.url)
        expect(tom.page.locator(f"{card(tom.page, 'race')} duel-table")).to_be_visible()
        tom.page.locator(card(tom.page, "race")).click()
        expect(tom.page.locator(TABLE)).to_be_visible()
        tom.page.close()  # before the server stops, or the page would log an error


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_a_card_says_that_it_starts_and_why_it_did_not(size: str, server: Server, person: Make) -> None:
    width, height = SIZES[size]
    tom = person(viewport={"width": width, "height": height})
    tom.page.goto(server.url)
    expect(tom.page.locator(".card duel-table")).to_have_count(len(games.ids()))
    held: list[Route] = []
    tom.context.route("**/api/games", lambda route: held.append(route))
    battle = tom.page.locator("li.card").filter(has=tom.page.locator(card(tom.page, "battle")))
    for button in ("Play Battle", "Friend: Battle"):  # and it can be tried again
        battle.get_by_role("button", name=button).click()
        expect(battle).to_have_attribute("aria-busy", "true")
        expect(battle.get_by_role("status")).to_have_text("Starting…")
        expect(battle.get_by_role("status")).to_be_in_viewport(ratio=1)
        assert arrives(tom.page, lambda: bool(held))
        held.pop().abort()
        expect(battle.get_by_role("alert")).to_have_text("There is no connection. Please try again.")
        expect(battle.get_by_role("alert")).to_be_in_viewport(ratio=1)
        expect(battle).to_have_attribute("aria-busy", "false")
    tom.forgive(LINE_DOWN)


def test_each_card_leads_to_the_tutorial_of_its_game(server: Server, person: Make) -> None:
    tom = person()
    tom.page.goto(server.url)
    for game, lessons in (("Classic", 4), ("Cards", 6)):
        tom.page.get_by_role("link", name=f"Learn {game}").click()
        expect(tom.page.locator(".where")).to_have_text(f"{game}Lesson 1 of {lessons}")
        tom.page.get_by_role("link", name="Back").click()
        expect(tom.page.get_by_role("link", name=f"Learn {game}")).to_be_visible()
