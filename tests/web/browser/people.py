"""People at browsers: they see a page, and tap, type or listen."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

TIMEOUT = 30_000  # milliseconds
OVER = re.compile("You win!|You lose|A draw|wins!")
NEXT_ROUND = "button.next-round"
EMPTY = re.compile(", empty$")

expect.set_options(timeout=TIMEOUT)


@dataclass(slots=True)
class Person:
    """One page in one browser of their own."""

    page: Page
    wrong: list[str]  # what the page complained of

    @property
    def context(self) -> BrowserContext:
        """The browser, with its cookies."""
        return self.page.context

    def over(self) -> bool:
        """Whether the result is shown."""
        return self.page.get_by_role("heading", name=OVER).count() > 0

    def choices(self) -> int:
        """How many things on the table can be tapped."""
        return self.page.locator("duel-table button:enabled").count()

    def status(self) -> str:
        """What a screen reader has been told."""
        return self.page.get_by_role("status").inner_text()


def somebody(browser: Browser, **more: object) -> Person:
    """A person with a fresh browser; whatever the page complains of is remembered."""
    context = browser.new_context(**more)  # type: ignore[arg-type]  # as playwright names them
    context.set_default_timeout(TIMEOUT)
    person = Person(context.new_page(), [])
    person.page.on("pageerror", lambda error: person.wrong.append(str(error)))
    person.page.on("console", lambda message: _complaint(person, message))
    person.page.on("dialog", lambda dialog: person.wrong.append(dialog.message))
    return person


def _complaint(person: Person, message: ConsoleMessage) -> None:
    if message.type == "error":
        person.wrong.append(message.text)


def pick(person: Person, url: str, game: str) -> None:
    """Go home and pick a game."""
    person.page.goto(url)
    person.page.get_by_role("radio", name=re.compile(rf"\b{game.capitalize()}\b")).check(force=True)


def play_computer(person: Person, url: str, game: str, level: str = "random") -> None:
    """One click to a duel."""
    pick(person, url, game)
    person.page.get_by_label("Level of the computer").select_option(level)
    person.page.get_by_role("button", name="Play the computer").click()
    expect(person.page.locator("duel-table")).to_be_visible()


def invite(person: Person, url: str, game: str, name: str) -> str:
    """Ask for a link to send to a friend."""
    pick(person, url, game)
    person.page.get_by_label("Your name").fill(name)
    person.page.get_by_role("button", name="Invite a friend").click()
    field = person.page.get_by_label("Send this link")
    expect(field).to_be_visible()
    return field.input_value()


def join(person: Person, link: str, name: str) -> None:
    """Open a friend's link and press Join."""
    person.page.goto(link)
    person.page.get_by_label("Your name").fill(name)
    person.page.get_by_role("button", name="Join").click()
    expect(person.page.locator("duel-table")).to_be_visible()


def tap(person: Person) -> None:
    """Make the next choice with taps: a digit if there are any, then a place or an answer."""
    page = person.page
    online_game = page.locator("duel-table")
    digits = online_game.get_by_role("group", name="Digits").locator("button:enabled")
    if digits.count():
        digits.last.click()
    for part in (".cells", ".asks", ".hint .primary"):  # the last where there is but one choice
        choices = online_game.locator(f"{part} button:enabled, {part}:enabled")
        if choices.count():
            choices.first.click(timeout=5000)
            return


def play_on(person: Person, choices: int = 1) -> None:
    """Make some choices with taps, each when it is their turn, and wait for the next turn."""
    for _ in range(choices):
        assert wait_until(lambda: ready(person))
        before = version(person)
        tap(person)
        assert wait_until(lambda before=before: version(person) != before)  # type: ignore[misc]
    assert wait_until(lambda: ready(person))


def ready(person: Person) -> bool:
    """Whether it is their turn; the result of a round is read and left."""
    if person.page.locator(NEXT_ROUND).count():
        person.page.locator(NEXT_ROUND).press("Enter")
    return person.choices() > 0


def play_out(people: list[Person], act: Callable[[Person], None] = tap, seconds: float = 90) -> None:
    """Let everybody choose when they can, until all see the end."""
    end = time.monotonic() + seconds
    while not all(person.over() for person in people):
        assert time.monotonic() < end, [person.page.locator("main").inner_text() for person in people]
        idle = True
        for person in people:
            if not person.over() and ready(person):
                idle = False
                before = version(person)
                act(person)
                wait_until(lambda person=person, before=before: version(person) != before or person.over())  # type: ignore[misc]
        if idle:
            people[0].page.wait_for_timeout(20)


def version(person: Person) -> str:
    """A text that changes with every event of the game."""
    items = person.page.locator("ol.moves li")
    return f"{items.count()} {person.page.url}"


def wait_until(true: Callable[[], bool], seconds: float = 10) -> bool:
    """Whether something came true in time."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
