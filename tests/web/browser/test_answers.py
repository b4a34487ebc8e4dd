"""How the table responds: to taps on a slow line, to refusals, to a second tab, and to a waiting player."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect
from tests.web.browser.people import (
    Person,
    arrives,
    by_turn,
    choose_from_menu,
    invite,
    join,
    pick,
    play_computer,
    play_on,
    tap,
    typing_field,
    version,
    wait_until,
)
from tests.web.browser.screens import SIZES
from tests.web.browser.sockets import Line
from tests.web.browser.test_accessibility import LISTEN
from tests.web.server import Server, running_server

Make = Callable[..., Person]
VISIBLE = "(all) => all.filter((e) => e.getBoundingClientRect().width > 1).map((e) => e.textContent)"


def first_turn(person: Person, server: Server, game: str) -> None:
    """Start a game against the computer that the person begins."""
    pick(person, server.url, game)
    person.page.get_by_role("radio", name="Me", exact=True).check()
    person.page.get_by_role("button", name="Play the computer").click()
    assert wait_until(lambda: person.choices() > 0)


def marked(person: Person) -> list[str]:
    """The places that are marked as the last move's, by their names."""
    found: list[str] = person.page.locator("duel-table .fresh").evaluate_all(
        "(all) => all.map((e) => e.getAttribute('aria-label'))"
    )
    return found


def test_who_is_left_alone_can_claim_the_game_without_a_reload(tmp_path: Path, person: Make) -> None:
    with running_server(tmp_path, claim_after=6.0) as server:
        tom, anna = person(), person()
        join(anna, invite(tom, server.url, "classic", "Tom"), "Anna")
        mover, other = by_turn(tom, anna)
        mover.page.close()
        expect(other.page.get_by_text(re.compile(r"You can claim the game in \d seconds"))).to_be_visible()
        other.page.get_by_role("button", name="Claim the game").click()
        expect(other.page.get_by_role("heading", name="You win!")).to_be_visible()
        other.page.close()  # before the server stops, or the page would log an error


def test_a_tap_on_a_slow_line_is_shown_at_once_and_taken_back_if_refused(
    server: Server, person: Make
) -> None:
    tom = person()
    line = Line(tom.page)
    first_turn(tom, server, "classic")
    line.hold_commands = True
    tom.page.get_by_role("button", name="Digit 7").click()
    tom.page.get_by_role("button", name="Your tens, empty").click()
    place = tom.page.get_by_role("button", name="Your tens, 7, being sent")
    expect(place).to_have_class(re.compile("tile pending"))
    expect(tom.page.locator(".headline")).to_have_text("Sending…")
    expect(tom.page.get_by_role("button", name="Digit 7, gone")).to_be_visible()
    assert tom.choices() == 0
    line.refuse("Not now.")
    expect(tom.page.get_by_role("button", name="Your tens, empty")).to_be_enabled()
    expect(tom.page.get_by_role("alert").filter(has_text="Not now.")).to_be_visible()
    tom.page.get_by_role("button", name="Digit 7").click()
    tom.page.get_by_role("button", name="Your tens, empty").click()
    expect(place).to_be_visible()
    line.release()
    expect(tom.page.get_by_role("button", name="Your tens, 7", exact=True)).to_be_visible()
    expect(tom.page.locator("ol.moves li").filter(has_text="You place 7")).to_have_count(1)
    expect(tom.page.get_by_role("alert").filter(has_text="Not now.")).to_have_count(0)


def test_an_answer_on_a_slow_line_stays_pressed(server: Server, person: Make) -> None:
    tom = person()
    line = Line(tom.page)
    first_turn(tom, server, "cards")
    line.hold_commands = True
    keep = tom.page.get_by_role("button", name="Keep")
    keep.click()
    expect(keep).to_have_attribute("aria-pressed", "true")
    expect(keep).to_be_disabled()
    line.release()
    expect(tom.page.locator("ol.moves li").filter(has_text="You keep")).to_have_count(1)


def test_a_refused_text_is_explained_at_the_field_and_forgotten_with_the_next_move(
    server: Server, person: Make
) -> None:
    """In the other tab, too, a refusal disappears when the first tab has moved."""
    tom = person(viewport={"width": 390, "height": 664})
    first_turn(tom, server, "classic")
    other = tom.context.new_page()
    other.goto(tom.page.url)
    typing_field(other).fill("12 hundreds")
    typing_field(other).press("Enter")
    refusal = other.locator("#refusal")
    expect(refusal).to_have_text(re.compile("I don't understand '12'"))
    expect(refusal).to_be_in_viewport()
    expect(typing_field(other)).to_have_accessible_description(re.compile("I don't understand"))
    expect(typing_field(other)).to_be_focused()
    expect(other.locator(".banner")).to_have_count(0)
    typing_field(tom.page).fill("9 hundreds")
    typing_field(tom.page).press("Enter")
    expect(other.locator("ol.moves li").filter(has_text="You place 9")).to_have_count(1)
    expect(other.get_by_text("I don't understand")).to_have_count(0)


def test_a_choice_that_another_tab_has_overtaken_leaves_no_refusal_behind(
    server: Server, person: Make
) -> None:
    tom = person()
    first_turn(tom, server, "classic")
    other = tom.context.new_page()
    line = Line(other)
    other.goto(tom.page.url)
    expect(other.locator("duel-table button:enabled").first).to_be_visible()
    line.hold_views = True
    play_on(tom)
    line.hold_views = False
    other.get_by_role("button", name="Digit 1").click()
    other.get_by_role("button", name="Your units, empty").click()
    expect(other.locator("#status")).to_contain_text("The game moved on: your choice was not played.")
    expect(other.locator(".banner")).to_have_count(0)
    play_on(tom)
    expect(other.locator("ol.moves li")).to_have_count(tom.page.locator("ol.moves li").count())
    assert "moved on" not in "".join(other.locator("#status p").evaluate_all(VISIBLE))


def test_the_last_move_is_marked_after_a_reload_and_in_the_past(server: Server, person: Make) -> None:
    tom = person()
    first_turn(tom, server, "classic")
    typing_field(tom.page).fill("9 hundreds")
    typing_field(tom.page).press("Enter")
    assert wait_until(lambda: tom.choices() > 0)
    last = marked(tom)
    assert len(last) == 1
    assert re.fullmatch(r"Computer's \w+, \d", last[0])
    tom.page.reload()
    assert wait_until(lambda: tom.choices() > 0)
    assert marked(tom) == last
    tom.page.locator("h1").click()
    tom.page.keyboard.press("ArrowLeft")
    expect(tom.page.locator(".headline")).to_have_text(re.compile("^Earlier position"))
    assert marked(tom) == ["Your hundreds, 9"]
    tom.page.keyboard.press("Home")
    expect(tom.page.locator(".headline")).to_have_text(re.compile("^Earlier position 1 of"))
    assert marked(tom) == []


def test_on_one_device_the_next_player_sees_what_was_played(server: Server, person: Make) -> None:
    tom = person()
    pick(tom, server.url, "cards")
    tom.page.get_by_role("radio", name="Me", exact=True).check()
    tom.page.get_by_role("button", name="Two on this device").click()
    tom.page.locator(".cover button").click()
    tom.page.get_by_role("button", name="Keep").click()
    tom.page.locator(".cover button").filter(has_text="Player 2").click()
    expect(tom.page.locator("duel-table .fresh")).to_have_count(1)
    assert marked(tom) == ["Player 1's place 1, face down"]
    pick(tom, server.url, "battle")
    tom.page.get_by_role("button", name="Two on this device").click()
    tom.page.get_by_role("button", name="Digit 9").click()
    tom.page.get_by_role("button", name="Attack").click()
    expect(tom.page.locator("duel-table .hit")).to_have_accessible_name("Player 2's side")


def test_a_digit_of_sabotage_may_go_to_either_board(server: Server, person: Make) -> None:
    tom = person()
    play_computer(tom, server.url, "sabotage")
    assert wait_until(lambda: tom.choices() > 0)
    tom.page.locator(".pool button:enabled").first.click()
    expect(tom.page.locator(".headline")).to_have_text("Where does the 0 go? Tap a place on either board.")


def test_the_page_says_one_thing_at_a_time(server: Server, person: Make) -> None:
    """The headline says whose turn it is; the live region repeats it for screen readers only."""
    tom, anna, eve = person(), person(), person()
    join(anna, invite(tom, server.url, "classic", "Tom"), "Anna")
    mover, other = by_turn(tom, anna)
    eve.page.goto(tom.page.url)
    expect(eve.page.locator("duel-table")).to_be_visible()
    eve.page.keyboard.press("Tab")
    mover.page.evaluate(LISTEN)
    mover.page.locator(".pool button:enabled").first.click()
    assert mover.page.evaluate("window.heard") == ["1 picked. Where does the 1 go?"]
    mover.page.locator(".cells button:enabled").first.click()
    expect(mover.page.locator(".headline")).to_have_text(re.compile("^Waiting for "))
    expect(mover.page.locator("#status")).to_contain_text("it's your turn")  # what was said before
    expect(mover.page.locator("#status")).to_contain_text("Saved ✓")
    expect(mover.page.locator("duel-table .pending")).to_have_count(0)
    assert mover.page.locator("#status p").evaluate_all(VISIBLE) == []
    assert wait_until(lambda: other.choices() > 0)
    assert other.page.locator("#status p").evaluate_all(VISIBLE) == []
    expect(eve.page.locator(".headline")).to_have_text(re.compile("^Waiting for "))
    expect(eve.page.locator(".headline")).not_to_be_focused()
    eve.page.locator(".headline").focus()
    assert eve.page.locator(".headline").evaluate("(e) => getComputedStyle(e).outlineStyle") == "none"


def mean_the_hint(person: Person) -> None:
    """Tap what a hint rings on the table: first a digit, then its place; the hint ends with the move."""
    ringed = person.page.locator("duel-table").get_by_role("button", name="the hint")
    before = version(person)
    for name in (
        re.compile(r"^Digit \d, .*the hint$"),
        re.compile(r"^(Your|Computer's) \w+, empty, the hint$"),
    ):
        expect(ringed).to_have_count(1)
        expect(ringed).to_have_accessible_name(name)
        assert ringed.evaluate("(e) => getComputedStyle(e).outlineStyle") == "solid"
        ringed.click()
    assert wait_until(lambda: version(person) != before)
    expect(ringed).to_have_count(0)


def test_hints_can_be_switched_on_in_any_game_against_the_computer(server: Server, person: Make) -> None:
    tom, anna = person(), person()
    tom.page.goto(server.url)
    expect(tom.page.get_by_role("radio", name="Careful")).to_be_checked()
    first_turn(tom, server, "sabotage")
    assert tom.page.get_by_role("button", name="Show a hint").count() == 0
    tom.page.get_by_role("checkbox", name="Hints").check()
    tom.page.get_by_role("button", name="Show a hint").click()
    told = tom.page.locator("aside .values li")
    expect(told.first).to_have_text(re.compile(r"^. \d in (your|Computer's) \w+: (wins|loses|even)"))
    expect(tom.page.locator("aside .values li:visible")).to_have_count(3)  # the other 77 are folded
    expect(told).to_have_count(80)
    mean_the_hint(tom)
    assert wait_until(lambda: tom.choices() > 0)
    tom.page.get_by_role("button", name="Show a hint").click()
    expect(told.first).to_be_visible()
    tom.page.get_by_role("checkbox", name="Hints").uncheck()
    expect(tom.page.locator("aside .values, duel-table .point")).to_have_count(0)
    join(anna, invite(tom, server.url, "classic", "Tom"), "Anna")
    expect(anna.page.get_by_role("checkbox", name="Hints")).to_have_count(0)


def test_a_hint_that_takes_long_says_so_and_is_dropped_when_the_game_has_moved_on(
    server: Server, person: Make
) -> None:
    tom = person()
    first_turn(tom, server, "sabotage")
    held: list[Route] = []
    tom.context.route("**/hint", lambda route: held.append(route))
    tom.page.get_by_role("checkbox", name="Hints").check()
    tom.page.get_by_role("button", name="Show a hint").click()
    expect(tom.page.locator(".hints")).to_contain_text("Thinking…")
    assert arrives(tom.page, lambda: len(held) == 1)
    before = version(tom)
    tap(tom)
    assert wait_until(lambda: version(tom) != before and tom.choices() > 0)
    with tom.page.expect_response("**/hint"):
        held[0].continue_()
    expect(tom.page.locator(".hints")).not_to_contain_text("Thinking…")
    expect(tom.page.locator("aside .values, duel-table .point")).to_have_count(0)


# The parts of the hints from top to bottom, each with its edges.
PARTS = """() => [...document.querySelectorAll('.hints:not(.kept) > *')].filter((e) => e.checkVisibility())
    .map((e) => e.getBoundingClientRect()).map(({ top, bottom, height }) => [top, bottom, height])"""


@pytest.mark.parametrize("size", SIZES)
def test_a_hint_can_be_read_beside_the_table_or_in_the_drawer(
    size: str, server: Server, person: Make
) -> None:
    """Its sentence once covered its button, whose letters were one below the other."""
    width, height = SIZES[size]
    tom = person(reduced_motion="reduce", viewport={"width": width, "height": height})
    first_turn(tom, server, "classic")
    if not tom.page.get_by_role("checkbox", name="Hints").is_visible():
        choose_from_menu(tom.page, "Moves and hints")
    tom.page.get_by_role("checkbox", name="Hints").check()
    tom.page.get_by_role("button", name="Show a hint").click()
    expect(tom.page.locator(".values:visible li").first).to_be_visible()
    parts = tom.page.evaluate(PARTS)
    assert len(parts) == 4  # the switch with the button, why, the best three, and the others
    assert parts[0][2] == 48
    assert all(below[0] >= above[1] for above, below in pairwise(parts))


def test_words_for_places_are_those_on_the_table(server: Server, person: Make) -> None:
    tom = person()
    play_computer(tom, server.url, "sabotage")
    assert wait_until(lambda: tom.choices() > 0)
    expect(typing_field(tom.page)).to_have_attribute("placeholder", re.compile(r"^\d (own|opponent) \w+$"))
    typing_field(tom.page).press("Escape")
    choose_from_menu(tom.page, "Settings")
    tom.page.get_by_label("Confirm moves").check()
    tom.page.get_by_role("button", name="Done").click()
    tom.page.get_by_role("button", name=re.compile("^Digit 0")).click()
    empty = tom.page.get_by_role("button", name=re.compile(r"^Your \w+, empty$")).last
    place = (empty.get_attribute("aria-label") or "")[len("Your ") : -len(", empty")]
    assert place in ("ones", "tens")  # the computer may have filled one place
    empty.click()
    expect(tom.page.get_by_role("button", name=f"Play 0 in your {place}")).to_be_focused()
    tom.page.keyboard.press("Enter")
    expect(tom.page.locator("ol.moves li").filter(has_text=f"You place 0 in your {place}.")).to_have_count(1)
    tom.page.goto(f"{server.url}/analysis/sabotage?moves=9b1.8a1.0a2")
    options = tom.page.locator(".worths li")
    expect(options.first).to_be_visible()
    texts = options.all_text_contents()
    told = [
        re.fullmatch(r".?\d in (?:First|Second)'s (\w+) (?:loses by \d+|wins for sure)", text)
        for text in texts
    ]
    assert all(told), texts
    assert {found[1] for found in told if found} == {"hundreds", "tens", "ones"}


def test_a_placeholder_can_be_read_in_the_dark(server: Server, person: Make) -> None:
    tom = person(color_scheme="dark")
    first_turn(tom, server, "classic")
    colours = typing_field(tom.page).evaluate(
        "(e) => [getComputedStyle(e, '::placeholder').color, getComputedStyle(e).backgroundColor]"
    )
    light, dark = (_luminance(colour) for colour in colours)
    assert (light + 0.05) / (dark + 0.05) > 4.5
    tap(tom)


def _luminance(colour: str) -> float:
    parts = [int(each) / 255 for each in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
