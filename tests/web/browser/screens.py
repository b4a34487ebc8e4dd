"""Every screen of the page, by name: how to get there with a fresh browser."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser, expect
from tests.web.browser.people import (
    LINE_DOWN,
    NEXT_ROUND,
    Person,
    choose_from_menu,
    defend_to_sudden_death,
    invite,
    join,
    pick,
    play_computer,
    play_on,
    play_out,
    ready,
    somebody,
    tap,
    version,
    wait_until,
)

from digit_duel import games

Screen = Callable[[Browser, Person, str], None]
SIZES = {
    "desk": (1280, 800),
    "laptop": (1366, 650),
    "phone": (390, 664),
    "landscape": (844, 390),
    "small": (320, 568),
}


def _home(browser: Browser, person: Person, url: str) -> None:
    person.page.goto(url)
    expect(person.page.locator(".card duel-table").first).to_be_visible()


def _options(browser: Browser, person: Person, url: str) -> None:
    pick(person, url, "cards")


def _games(browser: Browser, person: Person, url: str) -> None:
    play_computer(person, url, "classic")
    play_out([person])
    play_computer(person, url, "battle")
    person.page.goto(f"{url}/games")
    expect(person.page.get_by_role("heading", name="Statistics")).to_be_visible()


def _running(browser: Browser, person: Person, url: str) -> None:
    play_computer(person, url, "cards")
    person.page.goto(url)
    expect(person.page.locator(".running duel-table")).to_be_visible()


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


def _middle(game: str, choices: int, level: str = "careful") -> Screen:
    """Some choices into a game, and it is this person's turn again."""

    def go(browser: Browser, person: Person, url: str) -> None:
        play_computer(person, url, game, level)
        play_on(person, choices)

    return go


def _defended(browser: Browser, person: Person, url: str) -> None:
    """Nobody dies in the first two moves if one of them is a defence with a high digit."""
    _game("battle")(browser, person, url)
    person.page.locator(".pool button:enabled").last.click()
    before = version(person)
    person.page.get_by_role("button", name="Defend").click()
    assert wait_until(lambda: version(person) != before and ready(person))


def _picked(browser: Browser, person: Person, url: str) -> None:
    _game("sabotage")(browser, person, url)
    person.page.get_by_role("group", name="Digits").locator("button:enabled").last.click()


def _past(browser: Browser, person: Person, url: str) -> None:
    _game("cards")(browser, person, url)
    play_on(person)
    person.page.keyboard.press("Home")
    expect(person.page.locator(".headline")).to_contain_text("Earlier position 1 of")


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
    _told(person)


def _told(person: Person) -> None:
    """Wait until the numbers have turned over and it is said who won."""
    expect(person.page.locator(":is(.last, .turning, .marking, .telling)")).to_have_count(0)


def _result(browser: Browser, person: Person, url: str) -> None:
    play_computer(person, url, "classic")
    play_out([person])
    _told(person)


def _analysis(browser: Browser, person: Person, url: str) -> None:
    _result(browser, person, url)
    person.page.get_by_role("link", name="Review").click()
    expect(person.page.locator(".coach h2")).to_be_visible()


def _revealed(browser: Browser, person: Person, url: str) -> None:
    play_computer(person, url, "cards")
    play_out([person])
    person.page.get_by_role("link", name="Review").click()
    toggle = person.page.get_by_role("button", name="Reveal both hands")
    expect(toggle).to_be_visible(timeout=120_000)  # a long game is judged first
    person.page.keyboard.press("Home")
    for _ in range(4):
        person.page.get_by_role("button", name="Next move").click()
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


def _sudden(browser: Browser, person: Person, url: str) -> None:
    """Both defend until both have 20 points, and both secrets are open."""
    defend_to_sudden_death(person, url)
    heading = person.page.locator(".heading", has_text="Sudden Death")
    cover = person.page.locator(".cover button")
    expect(cover.or_(heading).first).to_be_visible()
    if cover.count():  # else whoever moved last still holds the device
        cover.click()
    person.page.get_by_role("button", name="Digit 2").click()
    cover.click()
    person.page.get_by_role("button", name="Digit 4").click()
    expect(person.page.locator("duel-table .cells .tile")).to_have_count(2)
    _told(person)


def _drawer(browser: Browser, person: Person, url: str) -> None:
    _game("cards")(browser, person, url)
    person.page.get_by_role("link", name="Rules").click()
    expect(person.page.get_by_role("dialog", name="Rules of Cards")).to_be_visible()


def _menu(browser: Browser, person: Person, url: str) -> None:
    _game("cards")(browser, person, url)
    person.page.get_by_role("button", name="Menu").click()
    expect(person.page.get_by_role("dialog", name="Menu")).to_be_visible()


def _offline(browser: Browser, person: Person, url: str) -> None:
    _games(browser, person, url)
    person.page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
    person.page.wait_for_function("async () => Boolean(await caches.match('/api/catalogue'))")
    person.context.set_offline(True)
    person.page.reload()
    expect(person.page.get_by_role("status").first).to_contain_text("You are offline")
    person.forgive(LINE_DOWN)


def _settings(browser: Browser, person: Person, url: str) -> None:
    _home(browser, person, url)
    choose_from_menu(person.page, "Settings")
    expect(person.page.get_by_role("dialog")).to_be_visible()


SCREENS: dict[str, Screen] = {
    "home": _home,
    "running": _running,
    "options": _options,
    "games": _games,
    "waiting": _waiting,
    "invited": _invited,
    "classic": _game("classic"),
    "reverse": _game("reverse"),
    "sabotage": _picked,
    "cards": _game("cards"),
    "battle": _game("battle"),
    "middle-classic": _middle("classic", 1),
    "middle-reverse": _middle("reverse", 1),
    "middle-sabotage": _middle("sabotage", 2),
    "middle-cards": _middle("cards", 4),
    "middle-battle": _defended,
    "sudden": _sudden,
    "past": _past,
    "covered": _covered,
    "round": _round,
    "watching": _watching,
    "result": _result,
    "analysis": _analysis,
    "revealed": _revealed,
    **{f"lesson-{game}": _at(f"/learn/{game}") for game in games.ids()},
    "position": _at("/analysis/classic?moves=1a2.5b1.6a3.7b3"),
    "verify": _verify,
    "rules": _at("/rules/battle"),
    "help": _at("/help"),
    "settings": _settings,
    "drawer": _drawer,
    "menu": _menu,
    "offline": _offline,
    "nothing": _at("/g/nothing-here"),
    "unknown": _at("/nowhere/at/all"),
}
