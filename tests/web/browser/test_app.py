"""The page as an app: it opens without a connection, shows your games, and leaves nothing behind."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from tests.web.browser.people import LINE_DOWN, Person, pick, play_computer, play_out, wait_until
from tests.web.server import Server

Make = Callable[..., Person]
READY = "navigator.serviceWorker.ready.then(() => caches.keys()).then((names) => names.length === 1)"


def settled(page: Page) -> None:
    """Wait until the service worker keeps the page."""
    page.wait_for_function(READY)
    page.wait_for_function("async () => Boolean(await caches.match('/api/catalogue'))")


def settings(page: Page) -> None:
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog", name="Menu").get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()


def test_without_a_connection_the_app_opens_and_shows_your_games_as_last_seen(
    server: Server, person: Make
) -> None:
    tom = person()
    play_computer(tom, server.url, "classic")
    play_out([tom])
    play_computer(tom, server.url, "battle")
    assert wait_until(lambda: tom.choices() > 0)
    tom.page.goto(f"{server.url}/games")
    line = tom.page.locator("li.game-line")
    expect(line).to_contain_text("Classic against the computer (random)")
    go_on = tom.page.locator(".game-line .button")
    expect(go_on).to_have_class("button primary")
    settled(tom.page)
    tom.context.set_offline(True)
    tom.page.reload()
    expect(line).to_contain_text("Classic against the computer (random)")
    expect(tom.page.get_by_role("status").first).to_contain_text("You are offline")
    expect(go_on).to_have_class("button")
    tom.page.goto(server.url)
    expect(tom.page.locator(".card duel-table").first).to_be_visible()
    said = tom.page.get_by_text("You are offline. To play, you need a connection.")
    expect(said).to_be_visible()
    tom.page.locator("button.play").first.click()
    expect(tom.page.get_by_role("alert").filter(has_text="no connection")).to_be_visible()
    tom.context.set_offline(False)
    tom.page.evaluate("dispatchEvent(new Event('online'))")  # an emulated line does not tell such a page
    expect(said).to_have_count(0)
    tom.forgive(LINE_DOWN)


@pytest.mark.parametrize("path", ["/learn/cards", "/j/a-game"])
def test_a_page_that_needs_the_server_says_so_and_not_that_nothing_is_there(
    path: str, server: Server, person: Make
) -> None:
    """A tutorial that exists was once said to be missing."""
    tom = person()
    tom.page.goto(server.url)
    settled(tom.page)
    tom.context.set_offline(True)
    tom.page.goto(server.url + path)
    expect(tom.page.get_by_role("heading", level=1, name="No connection")).to_be_visible()
    tom.context.set_offline(False)
    tom.page.get_by_role("button", name="Try again").click()
    expect(tom.page.get_by_role("button", name="Try again")).to_have_count(0)
    tom.forgive(f"{LINE_DOWN}|status of 404")


def test_the_worker_keeps_nothing_about_games_or_people(server: Server, person: Make) -> None:
    tom = person()
    play_computer(tom, server.url, "cards")
    tom.page.goto(server.url)
    expect(tom.page.locator(".running duel-table")).to_be_visible()
    settled(tom.page)
    tom.page.reload()
    expect(tom.page.locator(".running duel-table")).to_be_visible()
    kept = tom.page.evaluate(
        "caches.keys().then(([name]) => caches.open(name)).then((cache) => cache.keys())"
        ".then((all) => all.map((each) => new URL(each.url).pathname))"
    )
    assert {re.sub(r"^/static/[0-9a-f]{12}/.*", "/static/", path) for path in kept} == {
        "/",
        "/api/catalogue",
        "/static/",
    }
    seen = tom.page.evaluate("Object.entries(localStorage).filter(([key]) => key.includes('seen')).join()")
    assert "cards" in seen
    assert 'digit":' not in seen  # no card, no position


def test_leaving_clears_what_the_browser_kept(server: Server, person: Make) -> None:
    tom = person()
    play_computer(tom, server.url, "battle")
    tom.page.goto(server.url)
    expect(tom.page.locator(".running")).to_be_visible()
    settled(tom.page)
    settings(tom.page)
    tom.page.get_by_role("button", name="Leave everywhere").click()
    question = tom.page.get_by_role("dialog", name="Leave everywhere?")
    question.get_by_role("button", name="Leave everywhere").click()
    expect(tom.page.locator(".running")).to_have_count(0)
    assert tom.page.evaluate("caches.keys()") == []
    assert tom.page.evaluate("Object.keys(localStorage).filter((key) => key.includes('seen'))") == []


def test_devices_are_listed_and_one_is_ended_from_another(server: Server, person: Make) -> None:
    tom, phone = person(), person()
    play_computer(tom, server.url, "battle")
    settings(tom.page)
    devices = tom.page.locator(".devices li")
    expect(devices).to_have_count(1)
    expect(devices).to_contain_text("this one")
    tom.page.get_by_role("button", name="Get a code").click()
    code = tom.page.locator("output.code").inner_text()
    tom.page.get_by_role("button", name="Done").click()
    phone.page.goto(server.url)
    settings(phone.page)
    phone.page.get_by_label("Enter a code").fill(code)
    phone.page.get_by_role("button", name="Continue here").click()
    expect(phone.page.locator(".running")).to_be_visible()
    settings(tom.page)
    expect(devices).to_have_count(2)
    devices.get_by_role("button", name=re.compile("^End the session")).click()
    tom.page.get_by_role("dialog", name="End this session?").get_by_role("button", name="End it").click()
    expect(devices).to_have_count(1)
    phone.page.reload()
    expect(phone.page.locator(".card duel-table").first).to_be_visible()
    expect(phone.page.locator(".running")).to_have_count(0)


def test_a_wrong_code_is_explained(server: Server, person: Make) -> None:
    tom = person()
    pick(tom, server.url, "classic")
    tom.page.keyboard.press("Escape")
    settings(tom.page)
    tom.page.get_by_label("Enter a code").fill("ABCD-EFGH-2345")
    tom.page.get_by_role("button", name="Continue here").click()
    expect(tom.page.get_by_role("alert").filter(has_text="This code is wrong")).to_be_visible()
    tom.forgive("status of 403")
