"""What a table says at a glance: what wins, who is ahead, and what a choice does."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from tests.web.browser.people import Person, pick, play_computer, wait_until
from tests.web.browser.screens import SIZES
from tests.web.server import Server

Make = Callable[..., Person]
TWO = "\N{MULTIPLICATION SIGN}2"
WINS = {
    "classic": "The higher number wins",
    "reverse": "The lower number wins",
    "sabotage": "The lower number wins",
    "cards": "Higher number wins the round; first to 2 wins",
    "battle": "When digits run out, more life wins; 0 loses",
}

# How many counts of copies touch the digit on their tile.
TOUCHED = """(all) => all.filter((each) => {
    const digit = each.parentElement.querySelector('.digit').getBoundingClientRect();
    return each.getBoundingClientRect().top < digit.bottom; }).length"""


def on_one_device(person: Person, url: str, game: str) -> None:
    """Begin a game in which nobody is "you", and the first player starts."""
    pick(person, url, game)
    person.page.get_by_role("radio", name="Me", exact=True).check(force=True)
    person.page.get_by_role("button", name="Two on this device").click()
    assert wait_until(lambda: person.choices() > 0)


@pytest.mark.parametrize("game", WINS)
def test_a_table_says_what_wins_in_every_window(game: str, server: Server, person: Make) -> None:
    tom = person(reduced_motion="reduce")
    play_computer(tom, server.url, game)
    for width, height in SIZES.values():
        tom.page.set_viewport_size({"width": width, "height": height})
        expect(tom.page.locator("duel-table .goal")).to_have_text(WINS[game])
        expect(tom.page.locator("duel-table .goal")).to_be_in_viewport(ratio=1)


def test_attack_and_defend_say_what_they_do(server: Server, person: Make) -> None:
    tom = person(reduced_motion="reduce")
    on_one_device(tom, server.url, "battle")
    answers = tom.page.locator("duel-table .answer")
    expect(tom.page.locator(".headline")).to_have_text("Player 1: tap a digit, then attack or defend.")
    expect(answers).to_have_text(["Attack Player 2 loses life", "Defend Player 1 gains life"])
    tom.page.get_by_role("button", name="Digit 9").click()
    expect(answers).to_have_text(["Attack Player 2 10 → 1", "Defend Player 1 10 → 19"])
    answers.last.click()
    expect(tom.page.locator(".ahead")).to_have_text("more life so far", use_inner_text=True)
    tom.page.set_viewport_size({"width": 390, "height": 664})  # "more life" alone was too short to understand
    expect(tom.page.locator(".ahead")).to_have_text("ahead", use_inner_text=True)
    expect(tom.page.get_by_role("region", name="Player 1's side").locator(".ahead")).to_be_visible()
    tom.page.get_by_role("button", name="Digit 1").click()
    expect(answers).to_have_text(["Attack Player 1 19 → 18", "Defend Player 2 10 → 11"])
    answers.last.click()
    tom.page.get_by_role("button", name="Digit 8").click()
    expect(answers).to_have_text(["Attack Player 2 11 → 3", "Defend Player 1 19 → 20"])  # 20 is the most


def test_either_the_digit_or_what_to_do_with_it_comes_first(server: Server, person: Make) -> None:
    """Attack and Defend do not look disabled; after one of them, the digits have a ring."""
    tom = person(reduced_motion="reduce")
    on_one_device(tom, server.url, "battle")
    attack, pool = tom.page.get_by_role("button", name="Attack"), tom.page.locator(".board .pool")
    ink = tom.page.locator("h1").evaluate("(e) => getComputedStyle(e).color")
    expect(attack).to_have_css("color", ink)
    expect(pool).to_have_css("box-shadow", "none")
    attack.click()
    expect(tom.page.locator(".headline")).to_have_text("Attack: tap a digit.")
    expect(pool).not_to_have_css("box-shadow", "none")
    tom.page.get_by_role("button", name="Digit 3").click()
    expect(tom.page.get_by_role("meter", name="Player 2's life")).to_have_attribute("aria-valuenow", "7")
    expect(pool).to_have_css("box-shadow", "none")


def test_whoever_can_still_get_the_better_number_is_ahead(server: Server, person: Make) -> None:
    """912 against 123 at best, and the lower number wins."""
    tom = person(reduced_motion="reduce")
    on_one_device(tom, server.url, "reverse")
    expect(tom.page.locator(".ahead")).to_have_count(0)
    tom.page.get_by_role("button", name="Digit 9").click()
    tom.page.get_by_role("button", name="Player 1's hundreds").click()
    expect(tom.page.get_by_role("region", name="Player 2's side").locator(".ahead")).to_be_visible()
    expect(tom.page.locator(".ahead")).to_have_count(1)


def test_rounds_won_are_told_in_words(server: Server, person: Make) -> None:
    tom = person(reduced_motion="reduce")
    play_computer(tom, server.url, "cards")
    told = tom.page.locator("duel-table .pips small")
    expect(told).to_have_text([re.compile("^0 of 2 (wins|rounds won)$")] * 2)
    tom.page.set_viewport_size({"width": 320, "height": 568})
    expect(told.first).to_be_in_viewport(ratio=1)


def test_copies_of_a_digit_are_counted(server: Server, person: Make) -> None:
    tom = person(reduced_motion="reduce")
    on_one_device(tom, server.url, "sabotage")
    copies = tom.page.locator(".pool sup")
    expect(copies).to_have_text([TWO] * 10)
    for size in SIZES.values():
        tom.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))  # type: ignore[arg-type]
        assert copies.evaluate_all(TOUCHED) == 0, size
    tom.page.get_by_role("button", name="Digit 0").click()
    tom.page.get_by_role("button", name="Player 1's thousands").click()
    expect(copies).to_have_text([TWO] * 9)


def test_a_drawer_can_be_closed_with_its_own_button(server: Server, person: Make) -> None:
    tom = person(reduced_motion="reduce")
    pick(tom, server.url, "cards")
    for width, height in SIZES.values():
        tom.page.set_viewport_size({"width": width, "height": height})
        expect(tom.page.get_by_role("button", name="Close")).to_be_in_viewport(ratio=1)
    tom.page.get_by_role("button", name="Close").click()
    expect(tom.page.get_by_role("dialog")).to_have_count(0)
