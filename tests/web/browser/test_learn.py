"""The tutorial of every game at its own table: by taps and by keyboard, left, taken up again and skipped."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from tests.web.browser.people import Person
from tests.web.browser.test_accessibility import violations
from tests.web.server import Server

Make = Callable[..., Person]
# What a learner taps in each lesson, and what is said after it.
LESSONS: dict[str, list[tuple[list[str], str]]] = {
    "classic": [
        (["Digit 9", "Your hundreds"], "The computer puts the 8 in its hundreds."),
        (["Digit 7", "Your tens"], "The computer has to make do with the 6."),
        (["Digit 5", "Your units"], "975 against 864. Bigger wins, so you win!"),
        (["Digit 8", "Your hundreds"], "nobody can beat your 8 there now."),
    ],
    "reverse": [
        (["Digit 1", "Your hundreds"], "The computer puts the 2 in its hundreds."),
        (["Digit 3", "Your tens"], "The computer has to make do with the 4."),
        (["Digit 5", "Your ones"], "135 against 246. Smaller wins, so you win!"),
        (["Digit 2", "Your hundreds"], "nobody can get below your 2 there now."),
    ],
    "sabotage": [
        (["Digit 0", "Your thousands"], "the computer does the same."),
        (["Digit 9", "Computer's hundreds"], "And it does the same to you!"),
        (["Digit 1", "Your tens"], "that is the whole game."),
        (["Digit 0", "Your ones"], "3810 and 3810. Equal, and you went second, so you win!"),
    ],
    "cards": [
        (["942"], "942 beats 731: the round is yours."),
        (["Throw away"], "and you draw again."),
        (["Keep"], "can wait for the best card."),
        (["Give"], "you cannot see which."),
        (["Give"], "and you can wait for a 9."),
        (["Give"], "even a 9."),
    ],
    "battle": [
        (["Digit 9", "Attack"], "It had 1 left, and then defended with the 8: 1 + 8 is 9."),
        (["Digit 7", "Defend"], "The computer attacks with the 6: 11 are left."),
        (["Digit 3", "Attack"], "The computer has no life points left, so you win!"),
        (["Digit 8", "Defend"], "you still have life points left."),
        (["Digit 5"], "5 against 3. The difference is 2: you gain it, the computer loses it. You win!"),
    ],
}
SIZES = [(1280, 800), (390, 664), (844, 390), (320, 568)]
# Controls that lie outside the window, or under something else.
OUT_OF_REACH = """() => [...document.querySelectorAll('main button:enabled, .coach h2')].filter((each) => {
    const { x, y, right, bottom } = each.getBoundingClientRect();
    const top = document.elementFromPoint((x + right) / 2, (y + bottom) / 2);
    const covered = !each.contains(top) && !top?.contains(each);
    return covered || x < 0 || y < 0 || right > innerWidth || bottom > innerHeight;
}).map((each) => each.outerHTML.slice(0, 120))"""
HIDDEN_WORDS = "() => ((card) => card.scrollHeight - card.clientHeight)(document.querySelector('.coach'))"

Act = Callable[[Page, str], None]


def tap(page: Page, name: str) -> None:
    page.get_by_role("main").get_by_role("button", name=re.compile(rf"^{name}\b")).first.click()


def by_keyboard(page: Page, name: str) -> None:
    """Tab to a control and press Enter."""
    for _ in range(60):
        label = page.evaluate("document.activeElement.ariaLabel || document.activeElement.textContent")
        if re.match(rf"{name}\b", label):
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{name} was not reached")


def learn(page: Page, url: str, game: str, act: Act, look: Callable[[], None] = lambda: None) -> None:
    """Play a tutorial to its end."""
    page.goto(f"{url}/learn/{game}")
    for number, (taps, said) in enumerate(LESSONS[game], start=1):
        last = number == len(LESSONS[game])
        expect(page.get_by_role("region", name=f"Lesson {number} of {len(LESSONS[game])}")).to_be_visible()
        expect(page.locator("duel-table button:enabled").first).to_be_visible()
        look()
        for name in taps:
            act(page, name)
        expect(page.locator(".coach h2")).to_contain_text(said)
        expect(page.get_by_role("button", name="Finish" if last else "Next")).to_be_visible()
        look()
        act(page, "Finish" if last else "Next")
    expect(page.get_by_role("heading", name=f"You know how to play {game.capitalize()}")).to_be_visible()


@pytest.mark.parametrize("game", LESSONS)
def test_a_tutorial_is_played_to_its_end_and_fits_every_screen(
    game: str, server: Server, person: Make
) -> None:
    """At each size, all that is needed lies inside the window without scrolling, and nothing covers it."""
    page = person(reduced_motion="reduce").page

    def look() -> None:
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(OUT_OF_REACH) == [], (width, height)
            assert page.evaluate(HIDDEN_WORDS) <= 0, (width, height)

    learn(page, server.url, game, tap, look)


@pytest.mark.parametrize("game", LESSONS)
def test_a_tutorial_is_played_by_keyboard_alone(game: str, server: Server, person: Make) -> None:
    learn(person(reduced_motion="reduce").page, server.url, game, by_keyboard)


def test_lessons_have_no_violation(server: Server, person: Make) -> None:
    page = person(reduced_motion="reduce", color_scheme="dark").page
    for game in ("sabotage", "cards"):
        page.goto(f"{server.url}/learn/{game}")
        expect(page.locator("duel-table button:enabled").first).to_be_visible()
        assert violations(page) == []
        page.emulate_media(color_scheme="light")
        for name in LESSONS[game][0][0]:
            tap(page, name)
        expect(page.get_by_role("button", name="Next")).to_be_visible()
        assert violations(page) == []


def test_another_choice_is_answered_and_goes_back(server: Server, person: Make) -> None:
    page = person().page
    page.goto(f"{server.url}/learn/classic")
    tap(page, "Digit 9")
    tap(page, "Your tens")
    expect(page.locator(".coach h2")).to_contain_text("Put it in your hundreds.")
    expect(page.get_by_role("status")).to_contain_text("Put it in your hundreds.")
    expect(page.get_by_role("button", name="Your tens, empty")).to_be_enabled()
    expect(page.get_by_role("button", name="Digit 9")).to_be_enabled()
    tap(page, "Digit 9")
    tap(page, "Your hundreds")
    expect(page.get_by_role("button", name="Next")).to_be_visible()
    expect(page.get_by_role("button", name="Computer's hundreds, 8")).to_be_visible()


def test_the_page_points_at_what_is_asked_and_not_at_what_is_to_be_found(
    server: Server, person: Make
) -> None:
    page = person().page
    page.goto(f"{server.url}/learn/sabotage")
    expect(page.get_by_role("button", name="the lesson asks for this")).to_have_accessible_name(
        "Digit 0, 2 left, the lesson asks for this"
    )
    tap(page, "Digit 0")
    expect(page.get_by_role("button", name="the lesson asks for this")).to_have_accessible_name(
        "Your thousands, empty, the lesson asks for this"
    )
    for number in (2, 3):
        tap(page, "Skip")
        expect(page.get_by_role("region", name=f"Lesson {number} of 4")).to_be_visible()
    expect(page.locator("duel-table button:enabled").first).to_be_visible()
    assert page.get_by_role("button", name="the lesson asks for this").count() == 0


def test_a_tutorial_is_left_and_taken_up_again(server: Server, person: Make) -> None:
    page = person().page
    page.goto(f"{server.url}/learn/cards")
    tap(page, "Skip")
    expect(page.get_by_role("region", name="Lesson 2 of 6")).to_be_visible()
    page.goto(server.url)
    page.goto(f"{server.url}/learn/cards")
    expect(page.get_by_role("region", name="Lesson 2 of 6")).to_be_visible()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Start again").click()
    expect(page.get_by_role("region", name="Lesson 1 of 6")).to_be_visible()


def test_whoever_has_finished_can_play_or_begin_again(server: Server, person: Make) -> None:
    page = person().page
    page.goto(f"{server.url}/learn/classic")
    for _ in range(4):
        tap(page, "Skip")
    page.get_by_role("button", name="Once more").click()
    expect(page.get_by_role("region", name="Lesson 1 of 4")).to_be_visible()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Skip the tutorial and play").click()
    expect(page).to_have_url(f"{server.url}/new/classic")
    page.goto(f"{server.url}/learn/classic")
    for _ in range(4):
        tap(page, "Skip")
    page.get_by_role("button", name="Play now").click()
    expect(page).to_have_url(re.compile("/g/"))
    expect(page.get_by_role("region", name="Your side")).to_be_visible()


def test_the_focus_does_not_give_the_answer_away(server: Server, person: Make) -> None:
    """Lesson 3 of reverse asks for the lowest digit, which comes first in the pool."""
    page = person(reduced_motion="reduce").page
    page.goto(f"{server.url}/learn/reverse")
    tap(page, "Skip")
    expect(page.locator(".pool :focus")).to_have_count(1)  # lesson 2 shows what to tap
    tap(page, "Skip")
    expect(page.get_by_role("region", name="Lesson 3 of 4").get_by_role("heading")).to_be_focused()


def test_a_game_without_a_tutorial_says_so(server: Server, person: Make) -> None:
    learner = person()
    learner.page.goto(f"{server.url}/learn/chess")
    expect(
        learner.page.get_by_role("alert").filter(has_text="There is no tutorial for that game.")
    ).to_be_visible()
    learner.forgive("status of 404")  # the browser notes the 404


def test_where_both_choose_only_the_learner_is_asked_and_dots_tell_the_way(
    server: Server, person: Make
) -> None:
    page = person(viewport={"width": 390, "height": 664}, reduced_motion="reduce").page
    page.goto(f"{server.url}/learn/cards")
    expect(page.get_by_role("region", name="Your side")).to_have_class(re.compile(r"\bturn\b"))
    expect(page.locator(".row.turn")).to_have_count(1)
    expect(page.locator(".coach .pips i")).to_have_count(6)
    expect(page.locator(".coach .pips i").first).to_be_in_viewport(ratio=1)
