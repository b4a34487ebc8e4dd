"""Rules and help over a game, unknown addresses, and leaving a device."""

from __future__ import annotations

from collections.abc import Callable

import httpx
from playwright.sync_api import expect
from tests.web.browser.people import TABLE, Person, choose_from_menu, play_computer, play_out, wait_until
from tests.web.server import Server

Make = Callable[..., Person]


def test_rules_and_help_open_over_the_game_that_is_played(server: Server, person: Make) -> None:
    tom = person()
    play_computer(tom, server.url, "cards")
    assert wait_until(lambda: tom.choices() > 0)
    address = tom.page.url
    tom.page.get_by_role("link", name="Rules").click()
    rules = tom.page.get_by_role("dialog", name="Rules of Cards")
    expect(rules).to_contain_text("keep")
    assert tom.page.url == address
    rules.get_by_role("button", name="Back to the game").click()
    expect(rules).to_have_count(0)
    assert tom.choices() > 0
    tom.page.locator("h1").click()
    tom.page.keyboard.press("?")
    expect(tom.page.get_by_role("dialog", name="Help")).to_be_visible()
    tom.page.keyboard.press("Escape")
    expect(tom.page.get_by_role("dialog")).to_have_count(0)
    tom.page.goto(server.url)
    tom.page.get_by_role("link", name="Rules", exact=True).first.click()
    expect(tom.page.get_by_role("heading", level=1, name="Rules of Classic")).to_be_visible()
    expect(tom.page.get_by_text("What pays")).to_be_visible()
    expect(tom.page.locator(".sentences").last.get_by_role("listitem")).to_have_text(
        [
            "A high digit in the hundreds early.",
            "Taking a digit that the other player needs.",
            "Keeping a cheap place free for a digit that you are forced to take.",
        ]
    )


def test_the_back_button_leaves_no_drawer_over_the_page_before(server: Server, person: Make) -> None:
    tom = person()
    play_computer(tom, server.url, "sabotage")
    tom.page.get_by_role("link", name="Rules").click()
    expect(tom.page.get_by_role("dialog")).to_be_visible()
    tom.page.go_back()
    expect(tom.page.locator(".card").first).to_be_visible()
    expect(tom.page.get_by_role("dialog")).to_have_count(0)
    tom.page.get_by_role("button", name="Menu").click()
    tom.page.go_forward()
    expect(tom.page.locator(TABLE)).to_be_visible()
    expect(tom.page.get_by_role("dialog")).to_have_count(0)


def test_an_address_that_leads_nowhere_has_a_page_for_people_and_a_refusal_for_programs(
    server: Server, person: Make
) -> None:
    tom = person()
    for path, status in (("/nowhere/at/all", 404), ("/chess", 404), ("/rules/chess", 200)):
        answer = tom.page.goto(server.url + path)
        assert answer
        assert answer.status == status
        expect(tom.page.get_by_role("heading", level=1, name="Nothing here")).to_be_visible()
    tom.page.get_by_role("link", name="All games", exact=True).click()
    expect(tom.page.get_by_role("button", name="Options of Classic")).to_be_visible()
    tom.forgive("status of 404")  # the browser tells its console of every 404
    for path, accept in (("/nowhere", "application/json"), ("/api/nowhere", "text/html")):
        found = httpx.get(server.url + path, headers={"accept": accept}, trust_env=False)
        assert (found.status_code, found.json()["code"]) == (404, "not_found")


def test_leaving_a_device_is_asked_once_more(server: Server, person: Make) -> None:
    tom = person()
    play_computer(tom, server.url, "battle")
    choose_from_menu(tom.page, "Settings")
    leave = tom.page.get_by_role("dialog", name="Settings").get_by_role("button", name="Leave this device")
    leave.click()
    question = tom.page.get_by_role("dialog", name="Leave this device?")
    expect(question.get_by_role("button", name="Cancel")).to_be_focused()
    question.get_by_role("button", name="Cancel").click()
    tom.page.get_by_role("button", name="Done").click()
    assert wait_until(lambda: tom.choices() > 0)
    choose_from_menu(tom.page, "Settings")
    leave.click()
    question.get_by_role("button", name="Leave this device").click()
    expect(tom.page.get_by_role("button", name="Options of Classic")).to_be_visible()
    expect(tom.page.get_by_role("region", name="Your running games")).to_have_count(0)
    assert tom.page.evaluate("caches.keys()") == []
    assert tom.page.evaluate("Object.keys(localStorage).filter((key) => key.includes('seen'))") == []


def test_a_game_without_chance_offers_no_check_of_its_deal(server: Server, person: Make) -> None:
    tom = person()
    play_computer(tom, server.url, "classic")
    play_out([tom])
    expect(tom.page.get_by_role("link", name="Review")).to_be_visible()
    expect(tom.page.get_by_role("link", name="Check that it was fair")).to_have_count(0)
    expect(tom.page.get_by_text("Sealed before the start")).to_have_count(0)
