"""Accessibility: WCAG 2.2 AA by axe on every screen; whole games by screen reader and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from tests.web.browser.people import (
    Person,
    digit_of,
    play_computer,
    play_out,
    somebody,
    typing_field,
    wait_until,
)
from tests.web.browser.screens import SCREENS
from tests.web.server import Server

from digit_duel import games

Make = Callable[..., Person]
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SMALL = """() => [...document.querySelectorAll('button, a, input, select, summary')]
    .filter((e) => e.offsetParent && !e.closest('p, li, label'))
    .filter((e) => !e.matches('.skip, [type=radio], [type=checkbox]'))
    .map((e) => [e.getBoundingClientRect(), e])
    .filter(([r]) => r.width < 24 || r.height < 24).map(([, e]) => e.outerHTML.slice(0, 120))"""


def violations(page: Page) -> list[str]:
    page.wait_for_timeout(250)  # motion ends before colours are looked at
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": TAGS}}).response["violations"]
    return [f"{each['id']}: {node['html'][:120]}" for each in found for node in each["nodes"]]


@pytest.mark.slow
@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_has_no_violation_fits_a_phone_and_can_be_tapped(
    name: str, server: Server, browser: Browser
) -> None:
    """I6: light on a desk, then dark on a phone; 320 px is also a wide screen at 400 %."""
    desk = {"width": 1200, "height": 800}
    person = somebody(browser, color_scheme="light", viewport=desk, reduced_motion="reduce")
    SCREENS[name](browser, person, server.url)
    assert violations(person.page) == []
    person.page.emulate_media(color_scheme="dark")
    person.page.set_viewport_size({"width": 320, "height": 640})
    assert violations(person.page) == []
    assert person.page.evaluate(SIDEWAYS) <= 0
    assert person.page.evaluate(SMALL) == []
    person.context.close()


BUTTON = re.compile(r'- button "((?:[^"\\]|\\.)*)"((?: \[[^\]]*\])*)')


def by_ear(person: Person) -> None:
    """Choose from the accessibility tree alone: names of buttons, as a screen reader reads them out."""
    page = person.page
    heard = page.get_by_role("main").aria_snapshot()
    usable = [name for name, state in BUTTON.findall(heard) if "disabled" not in state]
    digits = [name for name in usable if name.startswith("Digit ")]
    if digits:
        page.get_by_role("button", name=digits[-1], exact=True).click()
        heard = page.get_by_role("main").aria_snapshot()
        usable = [name for name, state in BUTTON.findall(heard) if "disabled" not in state]
    places = [name for name in usable if name.endswith(", empty")]
    others = (
        "Digit ", "Undo", "Show ", "Type ", "To the ", "One move ",
    )  # fmt: skip
    answers = [name for name in usable if not name.startswith(others)]
    if places or answers:
        page.get_by_role("button", name=(places or answers)[0], exact=True).click(timeout=5000)


@pytest.mark.slow
@pytest.mark.parametrize("game", games.ids())
def test_a_game_is_played_from_the_accessibility_tree_alone(game: str, server: Server, person: Make) -> None:
    """I7."""
    tom = person()
    play_computer(tom, server.url, game)
    play_out([tom], by_ear)
    assert re.search("wins", tom.status())
    tom.page.get_by_role("button", name="Rematch").click()
    expect(tom.page.locator("duel-table")).to_be_visible()
    expect(tom.page.locator(".result")).to_have_count(0)


def by_keyboard(person: Person) -> None:
    """Choose with Tab and Enter alone."""
    keys, focused = person.page.keyboard, "document.activeElement"
    step = f"""() => {{ const e = {focused}; return !e.closest('duel-table') || e.disabled ? ''
        : e.closest('.pool') ? 'digit' : e.matches('.cells *, .asks *') ? 'choice' : ''; }}"""
    wanted = ["digit", "choice"] if person.page.locator(".pool button:enabled").count() else ["choice"]
    if not person.page.locator("duel-table :is(.cells button, .asks button):enabled").count():
        wanted = ["digit"]  # a secret digit is all there is to choose
    for kind in wanted:
        for _ in range(80):
            if person.page.evaluate(step) == kind:
                break
            keys.press("Tab")
        keys.press("Enter")
        if person.over():
            return


@pytest.mark.slow
@pytest.mark.parametrize("game", games.ids())
def test_a_game_is_played_by_keyboard_alone(game: str, server: Server, person: Make) -> None:
    tom = person()
    play_computer(tom, server.url, game)
    play_out([tom], by_keyboard)


def test_digits_letters_and_the_typed_field_make_moves_too(server: Server, person: Make) -> None:
    tom = person()
    play_computer(tom, server.url, "classic")
    assert wait_until(lambda: tom.choices() > 0)
    tom.page.locator("h1").click()
    digits = tom.page.locator(".pool button:enabled")
    typed = digit_of(digits.first)
    tom.page.keyboard.press(typed)
    tom.page.keyboard.press("h")
    news = tom.page.locator("ol.moves li")
    expect(news.filter(has_text=f"You place {typed} in your hundreds.")).to_have_count(1)
    assert wait_until(lambda: tom.choices() > 0)
    field = typing_field(tom.page)
    field.fill("٣ t")
    field.press("Enter")
    expect(tom.page.get_by_role("alert").filter(has_text="I don't understand").first).to_be_visible()
    left = digit_of(digits.last)
    field.fill(f"{left} t")
    field.press("Enter")
    expect(news.filter(has_text=f"You place {left} in your tens.")).to_have_count(1)


LISTEN = """() => { window.heard = []; new MutationObserver((changes) => changes.forEach((change) =>
    change.addedNodes.forEach((node) => window.heard.push(node.textContent))))
    .observe(document.querySelector('[role=status]'), { childList: true, subtree: true }); }"""


def test_every_event_is_announced_once_and_in_order(server: Server, person: Make) -> None:
    """I7, 4.1.3: the live region against the list of what happened."""
    tom = person()
    play_computer(tom, server.url, "sabotage")
    tom.page.evaluate(LISTEN)
    play_out([tom])
    listed = [text for text in reversed(tom.page.locator("ol.moves li").all_inner_texts()) if "place" in text]
    heard = [text for text in tom.page.evaluate("window.heard") if "place" in text and text in listed]
    assert heard == listed[-len(heard) :]
    assert len(heard) >= len(listed) - 1  # the computer may have moved before the test listened


def test_high_contrast_keeps_every_control_visible(server: Server, person: Make) -> None:
    """I6."""
    tom = person(forced_colors="active")
    play_computer(tom, server.url, "battle")
    assert wait_until(lambda: tom.choices() > 0)
    edges = tom.page.locator("duel-table button:enabled").evaluate_all(
        "(all) => all.map((e) => getComputedStyle(e).borderTopStyle)"
    )
    assert set(edges) == {"solid"}


def test_the_board_is_not_translated_and_help_stands_in_the_same_place(server: Server, person: Make) -> None:
    """I8, 3.2.6."""
    tom = person()
    orders = []
    for path in ("/", "/rules/cards", "/help", "/analysis/classic"):
        tom.page.goto(server.url + path)
        expect(tom.page.get_by_role("heading", level=1)).to_be_visible()
        orders.append(tom.page.locator("header nav > *").all_inner_texts())
    assert all(order == orders[0] for order in orders)
    play_computer(tom, server.url, "classic")
    assert tom.page.locator('[translate="no"] duel-table, duel-table[translate="no"]').count() == 1
