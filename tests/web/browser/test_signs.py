"""Each outline, bar and mark on the table has exactly one meaning."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from tests.web.browser.people import EMPTY, Person, pick, play_computer, ready, tap, version, wait_until
from tests.web.server import Server

from digit_duel import games

Make = Callable[..., Person]
DASHED = """() => [...document.querySelectorAll('main, main *')].filter((e) => e.getClientRects().length
    && ['borderTopStyle', 'outlineStyle'].some((part) => getComputedStyle(e)[part] === 'dashed'))
    .map((e) => e.className)"""
# How much of a bar is seen, and what is drawn where it is empty.
BARS = """(all) => all.map((track) => {
    const [, cut] = getComputedStyle(track.firstElementChild).clipPath.match(/([\\d.]+)%/);
    const { backgroundColor, boxShadow, borderTopWidth } = getComputedStyle(track);
    return [1 - cut / 50, backgroundColor, boxShadow, borderTopWidth]; })"""
COVERED = """(point) => [...document.querySelectorAll('.pool .digit')].filter((digit) => {
    const [a, b] = [digit, point].map((e) => e.getBoundingClientRect());
    return b.width && Math.min(a.right, b.right) > Math.max(a.left, b.left)
        && Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top); }).length"""


@pytest.mark.parametrize("game", games.ids())
def test_only_a_choice_on_its_way_is_dashed(game: str, server: Server, person: Make) -> None:
    tom = person(reduced_motion="reduce")
    begin(tom, server, game)
    while not goes_on(tom):  # two attacks can end a battle
        begin(tom, server, game)
    tom.page.locator("h1").click()
    tom.page.keyboard.press("Home")
    expect(tom.page.locator(".headline")).to_contain_text("Earlier position")
    assert tom.page.evaluate(DASHED) == []


def begin(person: Person, server: Server, game: str) -> None:
    """Start a game, and look at its first turn."""
    play_computer(person, server.url, game)
    assert wait_until(lambda: ready(person))
    assert person.page.evaluate(DASHED) == []


def goes_on(person: Person) -> bool:
    """Make a choice; whether there is another turn after it."""
    before = version(person)
    tap(person)
    assert wait_until(lambda: version(person) != before)
    assert wait_until(lambda: ready(person) or person.over())
    return not person.over()


def test_life_is_as_long_as_it_is_and_has_no_empty_rest(server: Server, person: Make) -> None:
    """10 of at most 20 points at the start: half a bar, and nothing beside it that looks lost."""
    tom = person(reduced_motion="reduce")
    tom.page.goto(f"{server.url}/learn/battle")
    tracks = tom.page.locator(".board .track")
    expect(tracks).to_have_count(2)
    for part, colour, shadow, border in tracks.evaluate_all(BARS):
        assert part == pytest.approx(0.5, abs=0.01)
        assert (colour, shadow, border) == ("rgba(0, 0, 0, 0)", "none", "0px")


@pytest.mark.parametrize("width", [1280, 390, 320])
def test_the_mark_of_a_lesson_covers_no_digit(width: int, server: Server, person: Make) -> None:
    tom = person(viewport={"width": width, "height": 664}, reduced_motion="reduce")
    tom.page.goto(f"{server.url}/learn/battle")
    nine = tom.page.get_by_role("button", name="Digit 9, the lesson asks for this")
    expect(nine).to_have_css("outline-style", "solid")
    assert nine.locator(".point").evaluate(COVERED) == 0


def test_a_digit_that_was_drawn_is_lifted_named_and_put_where_it_is_tapped(
    server: Server, person: Make
) -> None:
    """In the fair edition of classic nobody chooses the digit."""
    tom = person(reduced_motion="reduce")
    pick(tom, server.url, "classic")
    tom.page.get_by_role("radio", name="Fair edition").check(force=True)
    tom.page.get_by_role("button", name="Play the computer").click()
    assert wait_until(lambda: tom.choices() > 0)
    drawn = tom.page.locator(".pool .up")
    expect(drawn).to_have_accessible_name(re.compile(r"^Digit \d, drawn$"))
    digit = (drawn.get_attribute("aria-label") or "")[6]
    article = "an" if digit == "8" else "a"
    expect(tom.page.locator(".headline")).to_have_text(f"You drew {article} {digit}. Where does it go?")
    tom.page.locator(".below").get_by_role("button", name=EMPTY).last.click()
    expect(tom.page.get_by_role("button", name=f"Your units, {digit}")).to_be_visible()
    said = tom.page.locator("ol.moves li").filter(has_text=f"You place {digit} in your units.")
    expect(said).to_have_count(1)
