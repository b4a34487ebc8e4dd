"""Every screen of the page, by name: how to get there with a fresh browser."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser, expect
from tests.web.browser.people import (
    NEXT_ROUND,
    Person,
    invite,
    join,
    pick,
    play_computer,
    play_on,
    play_out,
    somebody,
    tap,
    version,
    wait_until,
)

Screen = Callable[[Browser, Person, str], None]


def _home(browser: Browser, person: Person, url: str) -> None:
    person.page.goto(url)
    expect(person.page.get_by_role("button", name="Play the computer")).to_be_visible()


def _at(path: str) -> Screen:
    def go(browser: Browser, person: Person, url: str) -> None:
        person.page.goto(url + path)
        expect(person.page.get_by_role("heading", level=1)).to_be_visible()

    return go


def _waiting(browser: Browser, person: Person, url: str) -> None:
    invite(person, url, "sabotage", "Tom")


def _invited(browser: Browser, person: Person, url: str) -> None:
    link = invite(somebody(browser), url, "sabotage", "Tom")
    person.page.goto(link)
    expect(person.page.get_by_role("button", name="Join")).to_be_visible()


def _game(game: str) -> Screen:
    def go(browser: Browser, person: Person, url: str) -> None:
        play_computer(person, url, game)
        assert wait_until(lambda: person.choices() > 0)

    return go


def _picked(browser: Browser, person: Person, url: str) -> None:
    _game("sabotage")(browser, person, url)
    person.page.get_by_role("group", name="Digits").locator("button:enabled").last.click()


def _past(browser: Browser, person: Person, url: str) -> None:
    _game("cards")(browser, person, url)
    play_on(person)
    person.page.get_by_role("button", name="To the start").click()
    expect(person.page.get_by_role("button", name="Back to now")).to_be_visible()


def _covered(browser: Browser, person: Person, url: str) -> None:
    pick(person, url, "cards")
    person.page.get_by_role("button", name="Two on this device").click()
    expect(person.page.locator(".cover")).to_be_visible()


def _round(browser: Browser, person: Person, url: str) -> None:
    play_computer(person, url, "cards")
    button = person.page.locator(NEXT_ROUND)
    choices = person.page.locator("duel-table .asks button")
    expect(button.or_(choices).first).to_be_visible()
    while not button.count():
        before = version(person)
        tap(person)
        assert wait_until(lambda before=before: version(person) != before)  # type: ignore[misc]
        expect(button.or_(choices).first).to_be_visible()


def _result(browser: Browser, person: Person, url: str) -> None:
    play_computer(person, url, "classic")
    play_out([person])


def _analysis(browser: Browser, person: Person, url: str) -> None:
    _result(browser, person, url)
    person.page.get_by_role("link", name="Analyse").click()
    expect(person.page.get_by_role("heading", level=1)).to_be_visible()
    expect(person.page.get_by_text("▲").or_(person.page.get_by_text("▼")).first).to_be_visible()


def _revealed(browser: Browser, person: Person, url: str) -> None:
    play_computer(person, url, "cards")
    play_out([person])
    person.page.get_by_role("link", name="Analyse").click()
    toggle = person.page.get_by_role("button", name="Reveal both hands")
    for _ in range(9):
        person.page.get_by_role("button", name="One move forth").click()
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")


def _verify(browser: Browser, person: Person, url: str) -> None:
    play_computer(person, url, "cards")
    play_out([person])
    person.page.get_by_role("link", name="Check that it was fair").click()
    expect(person.page.get_by_text("✓").first).to_be_visible()


def _watching(browser: Browser, person: Person, url: str) -> None:
    other, friend = somebody(browser), somebody(browser)
    join(friend, invite(other, url, "battle", "Tom"), "Anna")
    person.page.goto(other.page.url)
    expect(person.page.locator("duel-table")).to_be_visible()


def _settings(browser: Browser, person: Person, url: str) -> None:
    _home(browser, person, url)
    person.page.get_by_role("button", name="Settings").click()
    expect(person.page.get_by_role("dialog")).to_be_visible()


SCREENS: dict[str, Screen] = {
    "home": _home,
    "waiting": _waiting,
    "invited": _invited,
    "classic": _game("classic"),
    "reverse": _game("reverse"),
    "sabotage": _picked,
    "cards": _game("cards"),
    "battle": _game("battle"),
    "past": _past,
    "covered": _covered,
    "round": _round,
    "watching": _watching,
    "result": _result,
    "analysis": _analysis,
    "revealed": _revealed,
    "position": _at("/analysis/classic?moves=1a2.5b1.6a3.7b3"),
    "verify": _verify,
    "rules": _at("/rules/battle"),
    "help": _at("/help"),
    "settings": _settings,
    "nothing": _at("/g/nothing-here"),
}
