"""People at browsers: they see a page, and tap, type or listen."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, expect

TIMEOUT = 30_000  # milliseconds
OVER = re.compile("You win!|You lose|A draw|wins!")
TABLE = ".board duel-table"  # there are miniatures at home, too
NEXT_ROUND = "button.next-round"
CHOICES = "duel-table :is(.pool, .cells, .asks fieldset) button:enabled"
EMPTY = re.compile(", empty$")
LINE_DOWN = "net::ERR_|WebSocket connection to"  # what a browser tells its console of requests without a line

expect.set_options(timeout=TIMEOUT)


@dataclass(slots=True)
class Person:
    """One page in one browser of their own."""

    page: Page
    wrong: list[str] = field(default_factory=list)  # errors in the page's console
    foreseen: list[str] = field(default_factory=list)  # patterns of those that a test causes on purpose

    @property
    def context(self) -> BrowserContext:
        """The browser, with its cookies."""
        return self.page.context

    def forgive(self, pattern: str) -> None:
        """Expect an error such as a request without a line, whether the console has told of it yet or not."""
        self.foreseen.append(pattern)

    def complaints(self) -> list[str]:
        """Return the errors that nobody foresaw."""
        return [each for each in self.wrong if not any(re.search(one, each) for one in self.foreseen)]

    def over(self) -> bool:
        """Whether the result is shown."""
        return self.page.get_by_role("heading", name=OVER).count() > 0

    def choices(self) -> int:
        """How many things on the table can be tapped."""
        return self.page.locator(CHOICES).count()

    def status(self) -> str:
        """What a screen reader has been told."""
        return self.page.get_by_role("status").inner_text()


def somebody(browser: Browser, **more: object) -> Person:
    """Make a person with a fresh browser, and record the errors of their page."""
    context = browser.new_context(**more)  # type: ignore[arg-type]  # as playwright names them
    context.set_default_timeout(TIMEOUT)
    person = Person(context.new_page())
    person.page.on("pageerror", lambda error: person.wrong.append(str(error)))
    person.page.on("console", lambda message: _complaint(person, message))
    person.page.on("dialog", lambda dialog: person.wrong.append(dialog.message))
    return person


def _complaint(person: Person, message: ConsoleMessage) -> None:
    if message.type == "error":
        person.wrong.append(message.text)


def pick(person: Person, url: str, game: str) -> None:
    """Go home and open the options of a game, from which it can be started, too."""
    person.page.goto(url)
    person.page.get_by_role("button", name=f"Options of {game.capitalize()}").click()
    expect(person.page.get_by_role("dialog")).to_be_visible()


def play_computer(person: Person, url: str, game: str, level: str = "random") -> None:
    """One click to a duel."""
    person.page.goto(url)
    person.page.get_by_role("radio", name=level.capitalize()).check(force=True)
    person.page.get_by_role("button", name=re.compile(rf"^Play {game.capitalize()}\b")).click()
    expect(person.page.locator(TABLE)).to_be_visible()


def invite(person: Person, url: str, game: str, name: str) -> str:
    """Ask for a link to send to a friend."""
    person.page.goto(url)
    person.page.get_by_label("Your name").fill(name)
    person.page.get_by_role("button", name=f"Friend: {game.capitalize()}").click()
    field = person.page.get_by_label("Send this link")
    expect(field).to_be_visible()
    return field.input_value()


def join(person: Person, link: str, name: str) -> None:
    """Open a friend's link and press Join."""
    person.page.goto(link)
    person.page.get_by_label("Your name").fill(name)
    person.page.get_by_role("button", name="Join").click()
    expect(person.page.locator(TABLE)).to_be_visible()


def tap(person: Person) -> None:
    """Make the next choice with taps: a digit if there are any, then a place or an answer."""
    page = person.page
    online_game = page.locator("duel-table")
    digits = online_game.get_by_role("group", name="Digits").locator("button:enabled")
    if digits.count():
        digits.last.click()
    for part in (".cells", ".asks"):
        choices = online_game.locator(f"{part} button:enabled, {part}:enabled")
        if choices.count():
            choices.first.click()
            return


def digit_of(tile: Locator) -> str:
    """The digit on a tile of the pool, which is a picture with a name."""
    found = re.match(r"Digit (\d)", tile.get_attribute("aria-label") or "")
    assert found
    return found[1]


def choose_from_menu(page: Page, label: str) -> None:
    """Open the menu of the top bar, and take an entry."""
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog", name="Menu").get_by_role("button", name=label).click()


def typing_field(page: Page) -> Locator:
    """The field for those who type, opened by its key where it is not open."""
    field = page.get_by_label("Type your move")
    if not field.count():
        expect(page.locator(CHOICES).first).to_be_visible()  # before the turn, the key has no effect
        page.keyboard.press("/")
    expect(field).to_be_visible()
    return field


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


def defend_to_sudden_death(person: Person, url: str) -> None:
    """Play battle with both seats on one device, where both defend until both have 20 points."""
    pick(person, url, "battle")
    person.page.get_by_role("button", name="Two on this device").click()
    for _ in range(9):
        assert wait_until(lambda: person.choices() > 0)
        before = version(person)
        person.page.locator(".pool button:enabled").last.click()
        person.page.get_by_role("button", name="Defend").click()
        assert wait_until(lambda before=before: version(person) != before)  # type: ignore[misc]


def version(person: Person) -> str:
    """A text that changes with every event of the game."""
    items = person.page.locator("ol.moves li")
    return f"{items.count()} {person.page.url}"


def by_turn(one: Person, other: Person) -> tuple[Person, Person]:
    """Who is to move, and who waits."""
    assert wait_until(lambda: one.choices() + other.choices() > 0)
    return (one, other) if one.choices() else (other, one)


def wait_until(true: Callable[[], bool], seconds: float = TIMEOUT / 1000) -> bool:
    """Whether something came true in time."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def arrives(page: Page, true: Callable[[], bool]) -> bool:
    """Whether the events of a page made something true in time; a sleep alone would not deliver them."""

    def looked() -> bool:
        page.wait_for_timeout(1)
        return true()

    return wait_until(looked)
