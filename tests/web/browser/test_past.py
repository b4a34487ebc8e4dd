"""Looking back: earlier positions of a running game, and both hands of a finished one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Route, expect
from tests.web.browser.people import (
    CHOICES,
    Person,
    arrives,
    by_turn,
    digit_of,
    invite,
    join,
    pick,
    play_computer,
    play_on,
    play_out,
    tap,
    typing_field,
    wait_until,
)
from tests.web.browser.test_accessibility import LISTEN
from tests.web.server import Server, running_server

Make = Callable[..., Person]
NAMES = "(all) => all.map((e) => e.getAttribute('aria-label'))"


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for reviews: elsewhere two people may be playing a position, which is then not analysed."""
    with running_server(tmp_path_factory.mktemp("server")) as running:
        yield running


def cells(person: Person) -> list[str]:
    """What lies on the table, in a screen reader's words: "Your hundreds, 9", "a 7"."""
    found: list[str] = person.page.locator("duel-table :is(.cells button, .drawn [role=img])").evaluate_all(
        NAMES
    )
    return found


def headline(person: Person) -> Locator:
    return person.page.locator(".headline")


def step(person: Person, key: str) -> None:
    """Press a key that leads to another position, and wait until it is there."""
    before = headline(person).inner_text()
    person.page.keyboard.press(key)
    expect(headline(person)).not_to_have_text(before)


def all_positions(person: Person) -> list[list[str]]:
    """What lay on the table from the beginning up to now."""
    step(person, "Home")
    found = [cells(person)]
    while person.page.get_by_role("button", name="Next move").is_enabled():
        step(person, "ArrowRight")
        found.append(cells(person))
    return found


def three_turns(person: Person, server: Server) -> list[list[str]]:
    """Begin a game of cards with the computer, and choose three times; what lay there before each choice."""
    play_computer(person, server.url, "cards")
    seen = []
    for _ in range(3):
        assert wait_until(lambda: person.choices() > 0)
        seen.append(cells(person))
        play_on(person)
    return seen


def test_keys_and_buttons_walk_through_the_positions_of_a_running_game(server: Server, person: Make) -> None:
    tom = person()
    seen = three_turns(tom, server)
    now = cells(tom)
    tom.page.locator("h1").click()
    walked = [now]
    while tom.page.get_by_role("button", name="Previous move").is_enabled():
        step(tom, "ArrowLeft")
        walked.append(cells(tom))
    forth = reversed(walked)
    assert all(each in forth for each in seen)  # in this order, to the digit as it was shown then
    expect(headline(tom)).to_have_text(re.compile(f"^Earlier position 1 of {len(walked)}"))
    assert tom.choices() == 0
    tom.page.keyboard.press("End")
    assert cells(tom) == now
    assert tom.choices() > 0
    expect(headline(tom)).not_to_have_text(re.compile("Earlier position"))
    tom.page.keyboard.press("Home")
    assert cells(tom) == walked[-1]
    tom.page.get_by_role("button", name="Next move").click()
    assert cells(tom) == walked[-2]
    back = tom.page.get_by_role("button", name="Previous move")
    back.click()
    expect(back).to_be_disabled()
    expect(back).to_be_focused()  # at the first position, the button keeps the focus
    tom.page.get_by_role("button", name="Back to now").click()
    assert cells(tom) == now
    expect(headline(tom)).to_be_focused()  # the button is gone, so the focus has moved on
    tom.page.keyboard.press("ArrowLeft")
    tom.page.keyboard.press("Escape")
    assert cells(tom) == now


def test_an_earlier_position_cannot_be_taken_for_the_present(server: Server, person: Make) -> None:
    """The bar is dark and says so, no name is lit, and nothing is offered that belongs to the present."""
    tom = person(reduced_motion="reduce")
    play_computer(tom, server.url, "sabotage")
    play_on(tom)
    colours = """() => ['#bar', '.turn .name'].map((part) =>
        getComputedStyle(document.querySelector(part)).backgroundColor)"""
    now = tom.page.evaluate(colours)
    offered = [
        tom.page.get_by_role("checkbox", name="Hints"),
        tom.page.get_by_role("button", name="Type your move"),
    ]
    for each in offered:
        expect(each).to_be_visible()
    tom.page.locator("h1").click()
    tom.page.keyboard.press("Home")
    expect(tom.page.locator("#bar .where span")).to_have_text("An earlier position")
    then = tom.page.evaluate(colours)
    assert then[0] != now[0]
    assert then[1] == "rgba(0, 0, 0, 0)" != now[1]
    for each in offered:
        expect(each).to_be_hidden()
    expect(tom.page.locator("ol.moves .later")).to_have_count(tom.page.locator("ol.moves li").count())
    tom.page.keyboard.press("End")
    assert tom.page.evaluate(colours) == now
    expect(tom.page.locator("#bar .where span")).to_have_text("vs Random computer")
    expect(tom.page.locator("ol.moves .later")).to_have_count(0)


def test_the_past_begins_with_the_game_whenever_the_page_was_opened(server: Server, person: Make) -> None:
    """A reload loses no position; the page fetches positions only when somebody looks back, and only once."""
    tom = person()
    seen = three_turns(tom, server)
    now = cells(tom)
    asked: list[str] = []
    tom.page.on("request", lambda request: asked.append(request.url))
    tom.page.reload()
    assert wait_until(lambda: tom.choices() > 0)
    assert not any("/past?" in url for url in asked)
    found = all_positions(tom)
    assert sum(each.endswith(", empty") for each in found[0]) == 6  # a card is drawn, and none is held
    assert found[-1] == now
    forth = iter(found)
    assert all(each in forth for each in seen)  # as shown then
    assert sum("/past?" in url for url in asked) == 1


def test_who_comes_late_to_watch_sees_what_both_saw_from_the_beginning(server: Server, person: Make) -> None:
    tom, anna, eve = person(), person(), person()
    join(anna, invite(tom, server.url, "cards", "Tom"), "Anna")
    for _ in range(4):
        mover, _ = by_turn(tom, anna)
        mover.page.locator("duel-table .asks button").first.click()  # keep
        assert wait_until(lambda mover=mover: mover.choices() == 0)  # type: ignore[misc]
    eve.page.goto(tom.page.url)
    expect(eve.page.locator("duel-table")).to_be_visible()
    backs = [
        sum(each.endswith("face down") for each in found if not each.startswith("a card"))
        for found in all_positions(eve)
    ]
    assert backs == [0, 1, 2, 3, 4]
    eve.page.keyboard.press("Home")
    assert eve.page.locator("duel-table .tile").count() == 0


def test_without_a_connection_the_page_says_so_and_stays_where_it_is(server: Server, person: Make) -> None:
    tom = person()
    play_computer(tom, server.url, "sabotage")
    play_on(tom)
    now = cells(tom)
    tom.context.route("**/past?*", lambda route: route.abort())
    tom.page.get_by_role("button", name="To the start").click()
    expect(tom.page.get_by_role("alert").filter(has_text="There is no connection.")).to_be_visible()
    expect(headline(tom)).not_to_have_text(re.compile("Earlier position"))
    assert cells(tom) == now
    assert tom.choices() > 0
    tom.forgive("ERR_FAILED")
    tom.context.unroute("**/past?*")
    tom.page.get_by_role("button", name="To the start").click()
    expect(headline(tom)).to_have_text(re.compile("^Earlier position 1 of "))


def test_each_step_into_the_past_is_announced_once(server: Server, person: Make) -> None:
    """4.1.3."""
    tom = person()
    play_computer(tom, server.url, "sabotage")
    play_on(tom, 2)
    tom.page.locator("h1").click()
    tom.page.evaluate(LISTEN)
    for key in ("ArrowLeft", "ArrowLeft", "End"):
        step(tom, key)
    heard = tom.page.evaluate("window.heard")
    assert len(heard) == 3
    assert re.match(r"Earlier position (\d+) of \d+\. .* places? ", heard[0])
    assert re.match(r"Earlier position ", heard[1])
    assert heard[2] == "Now. Player 1, it's your turn."


def test_the_typed_field_keeps_its_keys_and_a_move_made_in_the_past_is_made_now(
    server: Server, person: Make
) -> None:
    tom = person()
    play_computer(tom, server.url, "classic")
    play_on(tom)
    digit = digit_of(tom.page.locator(".pool button:enabled").last)
    place = tom.page.get_by_role("button", name=re.compile("^Your .*, empty")).last.get_attribute(
        "aria-label"
    )
    assert place
    field = typing_field(tom.page)
    field.fill(f"{digit} {place.split()[1].strip(',')}")
    for key in ("ArrowLeft", "Home", "End"):
        field.press(key)
    expect(headline(tom)).not_to_have_text(re.compile("Earlier position"))
    tom.page.get_by_role("button", name="To the start").click()
    expect(headline(tom)).to_have_text(re.compile("^Earlier position"))
    field.press("Enter")
    expect(tom.page.locator("ol.moves li").filter(has_text=f"You place {digit} ")).to_have_count(1)
    expect(headline(tom)).not_to_have_text(re.compile("Earlier position"))


def test_a_move_of_the_other_brings_everybody_back_to_now(server: Server, person: Make) -> None:
    tom, anna = person(), person()
    join(anna, invite(tom, server.url, "reverse", "Tom"), "Anna")
    mover, other = by_turn(tom, anna)
    tap(mover)
    assert wait_until(lambda: other.choices() > 0)
    mover.page.get_by_role("button", name="To the start").click()
    expect(headline(mover)).to_have_text(re.compile("^Earlier position 1 of 2"))
    tap(other)
    assert wait_until(lambda: mover.choices() > 0)
    expect(headline(mover)).not_to_have_text(re.compile("Earlier position"))


def test_the_past_shows_no_more_than_it_did_even_when_all_is_open(server: Server, person: Make) -> None:
    """C13: both keep what they draw; when the game is over, its earlier positions still hide the hands."""
    tom, anna = person(), person()
    join(anna, invite(tom, server.url, "cards", "Tom"), "Anna")
    play_out([tom, anna])
    tom.page.locator("h1").click()
    tom.page.keyboard.press("Home")
    expect(headline(tom)).to_contain_text("Earlier position")
    hands = []
    for _ in range(7):
        hands.append([each.split(", ")[1] for each in cells(tom) if each.startswith("Anna's")])
        step(tom, "ArrowRight")
    assert hands[0] == ["empty"] * 3
    assert hands[6] == ["face down"] * 3
    assert {card for hand in hands for card in hand} == {"empty", "face down"}


def test_on_one_device_the_past_is_what_both_have_seen(server: Server, person: Make) -> None:
    tom = person()
    pick(tom, server.url, "cards")
    tom.page.get_by_role("button", name="Two on this device").click()
    for _ in range(2):
        tom.page.locator(".cover").get_by_role("button").click()
        play = tom.page.locator("duel-table .asks button").first
        expect(play).to_be_visible()
        play.click()
        expect(tom.page.locator(".cover")).to_be_visible()
    tom.page.keyboard.press("ArrowLeft")
    expect(tom.page.locator("duel-table, .steps")).to_have_count(0)  # a hidden hand stays hidden
    tom.page.locator(".cover").get_by_role("button").click()
    tom.page.get_by_role("button", name="Previous move").click()
    expect(headline(tom)).to_have_text(re.compile("^Earlier position"))
    assert tom.page.locator("duel-table .tile").count() == 0
    assert tom.page.locator("duel-table .back").count() > 0


def reviewed(person: Person, server: Server) -> Locator:
    """Play a game of cards, and open its review; the button that reveals both hands."""
    play_computer(person, server.url, "cards")
    play_out([person])
    person.page.get_by_role("link", name="Review").click()
    toggle = person.page.get_by_role("button", name="Reveal both hands")
    expect(toggle).to_have_attribute("aria-pressed", "false", timeout=120_000)  # a long game is judged first
    return toggle


def arrive(person: Person) -> None:
    """Wait until the position that was asked for is on the table."""
    expect(person.page.locator(".reviewing[aria-busy]")).to_have_count(0)


def test_both_hands_of_a_finished_game_are_revealed_on_request(alone: Server, person: Make) -> None:
    tom = person()
    toggle = reviewed(tom, alone)
    theirs = tom.page.get_by_role("region", name="Computer's side")
    tom.page.keyboard.press("Home")  # the review may begin there already
    arrive(tom)
    forth = tom.page.get_by_role("button", name="Next move")
    while theirs.locator(".back").count() == 0:  # until the computer has kept a card
        forth.click()
        arrive(tom)
    covered, known = theirs.locator(".back").count(), theirs.locator(".tile").count()
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    expect(theirs.locator(".back")).to_have_count(0)
    expect(theirs.locator(".tile")).to_have_count(covered + known)
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "false")
    expect(theirs.locator(".back")).to_have_count(covered)
    expect(theirs.locator(".tile")).to_have_count(known)


def test_a_review_on_a_slow_line_keeps_its_table_until_the_next_is_there(alone: Server, person: Make) -> None:
    """It is marked as busy, ignores choices meanwhile, and never shows an empty page."""
    tom = person()
    toggle = reviewed(tom, alone)
    arrive(tom)
    before = cells(tom)
    held: list[Route] = []
    tom.context.route("**/api/analysis", lambda route: held.append(route))
    tom.page.keyboard.press("End")
    expect(tom.page.locator(".reviewing[aria-busy=true]")).to_have_count(1)
    toggle.click()  # the last request: the end, with both hands
    expect(tom.page.locator(".reviewing[aria-busy=true]")).to_have_count(1)
    assert arrives(tom.page, lambda: len(held) == 3)
    assert cells(tom) == before
    choices = tom.page.locator(CHOICES)
    if choices.count():
        choices.first.click()
    assert len(held) == 3
    for route in held:
        route.continue_()
    arrive(tom)
    expect(toggle).to_have_attribute("aria-pressed", "true")
    expect(tom.page.locator(".review output")).to_have_text("The end")
    assert all(not each.endswith("face down") for each in cells(tom))


def test_a_refusal_leaves_a_review_where_it_is(alone: Server, person: Make) -> None:
    tom = person()
    toggle = reviewed(tom, alone)
    arrive(tom)
    before = cells(tom)
    refusal = {"code": "server_full", "message": "The server is full. Please try again in a minute."}
    tom.context.route("**/api/analysis", lambda route: route.fulfill(status=400, json=refusal))
    toggle.click()
    expect(tom.page.get_by_role("alert").filter(has_text="The server is full.")).to_be_visible()
    arrive(tom)
    expect(toggle).to_have_attribute("aria-pressed", "false")
    assert cells(tom) == before
    tom.context.unroute("**/api/analysis")
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    expect(tom.page.get_by_role("alert").filter(has_text="The server is full.")).to_have_count(0)
    tom.forgive("status of 400")


def test_games_without_hands_have_nothing_to_reveal(server: Server, person: Make) -> None:
    tom = person()
    play_computer(tom, server.url, "classic")
    play_out([tom])
    tom.page.get_by_role("link", name="Review").click()
    expect(tom.page.get_by_role("button", name="Next move")).to_be_visible()
    expect(tom.page.get_by_role("button", name="Reveal both hands")).to_have_count(0)
