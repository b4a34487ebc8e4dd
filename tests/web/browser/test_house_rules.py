"""House rules: editions, controls, and errors at their field."""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import expect
from tests.web.browser.people import TABLE, Person, pick, play_out
from tests.web.server import Server

Make = Callable[..., Person]


def test_house_rules_are_controls_and_a_wrong_one_is_explained_at_its_field(
    server: Server, person: Make
) -> None:
    tom = person()
    pick(tom, server.url, "cards")
    drawer = tom.page.get_by_role("dialog")
    drawer.get_by_role("radio", name="Open", exact=True).check(force=True)
    rounds = drawer.get_by_role("group", name="Rounds needed to win the game")
    rounds.get_by_role("button", name="One more").click()
    expect(rounds.get_by_role("spinbutton")).to_have_value("3")
    cards = drawer.get_by_role("combobox", name="The cards of the deck")
    cards.select_option("other …")
    drawer.get_by_label("The cards of the deck: other").fill("9-1")
    drawer.get_by_role("button", name="Two on this device").click()
    wrong = drawer.get_by_label("The cards of the deck: other")
    expect(wrong).to_be_focused()
    expect(wrong).to_have_accessible_description("The range 9-1 runs backwards; write 1-9.")
    tom.forgive("status of 400")  # the browser tells its console of the refusal
    wrong.fill("0-9x2")
    drawer.get_by_role("button", name="Two on this device").click()
    expect(tom.page.locator(".cover, .board duel-table").first).to_be_visible()
    game = tom.page.url.rpartition("/")[2]
    view = httpx.get(f"{server.url}/api/games/{game}", trust_env=False).json()
    assert view["variant"]["settings"] == {"visibility": "open", "wins_needed": "3", "pool": "0-9x2"}


@pytest.mark.parametrize(
    ("game", "rules", "why"),
    [
        ("classic", {"pick": "draw"}, "The digit is drawn by chance"),
        ("reverse", {"pick": "draw"}, "The digit is drawn by chance"),
        ("sabotage", {"tie": "draw", "swap": "yes"}, "A tie is a draw, so copying every move no longer wins"),
        ("cards", {"facing_full": "must_keep"}, "When the other hand is full you keep every card"),
        ("battle", {"second_life": "15", "standoff": "draw"}, "The second player begins with 15 life points"),
    ],
)
def test_the_fair_edition_is_offered_with_its_reason_and_played_to_its_end(
    game: str, rules: dict[str, str], why: str, server: Server, person: Make
) -> None:
    tom = person()
    pick(tom, server.url, game)
    edition = tom.page.get_by_role("group", name="Edition")
    expect(edition.get_by_role("radio", name="Rulebook")).to_be_checked()
    expect(edition).to_contain_text(f"Fair: {why}")
    edition.get_by_role("radio", name="Fair edition").check(force=True)
    tom.page.get_by_role("button", name="Play the computer").click()
    expect(tom.page.locator(TABLE)).to_be_visible()
    view = httpx.get(f"{server.url}/api/games/{tom.page.url.rpartition('/')[2]}", trust_env=False).json()
    assert view["variant"]["settings"] == rules
    play_out([tom])


def test_house_rules_of_ones_own_are_no_edition(server: Server, person: Make) -> None:
    """A rule that is changed by hand leaves the edition, and the rulebook brings all of it back."""
    tom = person()
    pick(tom, server.url, "battle")
    edition = tom.page.get_by_role("group", name="Edition")
    life = tom.page.get_by_role("combobox", name="The second player's life points at the start")
    expect(life).to_have_value("same")  # a list of usual values, and a field for others
    edition.get_by_role("radio", name="Fair edition").check(force=True)
    expect(life).to_have_value("15")
    life.select_option("12")
    expect(edition.get_by_role("radio", name="Your own")).to_be_checked()
    edition.get_by_role("radio", name="Rulebook").check(force=True)
    expect(edition.get_by_role("radio", name="Your own")).to_have_count(0)
    expect(edition.get_by_role("radio", name="Rulebook")).to_be_checked()


def test_rules_that_contradict_each_other_are_explained_without_a_field(server: Server, person: Make) -> None:
    tom = person()
    pick(tom, server.url, "classic")
    places = tom.page.get_by_role("group", name="Digits in a number").get_by_role("spinbutton")
    places.fill("9")
    tom.page.get_by_role("button", name="Play the computer").click()
    expect(tom.page.get_by_role("dialog").get_by_role("alert").filter(has_text="need a pool")).to_have_text(
        re.compile("^two numbers of 9 digits need a pool of at least 18 digits", re.I)
    )
    tom.forgive("status of 400")


def test_hints_of_the_options_are_on_from_the_beginning(server: Server, person: Make) -> None:
    tom = person()
    pick(tom, server.url, "classic")
    tom.page.get_by_role("checkbox", name="Hints against the computer").check()
    tom.page.get_by_role("button", name="Play the computer").click()
    expect(tom.page.locator(TABLE)).to_be_visible()
    game = tom.page.url.rpartition("/")[2]
    assert httpx.get(f"{server.url}/api/games/{game}", trust_env=False).json()["hints"] is True
