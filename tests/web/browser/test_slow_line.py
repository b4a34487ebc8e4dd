"""At 400 ms and 400 kbit/s a tap is seen at once; without a connection it is kept, and arrives once."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocketRoute, expect
from tests.web.browser.people import LINE_DOWN, Person, pick, play_computer, tap, wait_until
from tests.web.browser.test_weight import SLOW
from tests.web.server import Server

Make = Callable[..., Person]
# The number of frames from the next tap to the pending tile.
COUNT = """() => { window.frames_until = null;
    document.addEventListener('click', () => { let frames = 0;
        const look = () => { if (document.querySelector('.place > .pending')) window.frames_until = frames;
            else if (frames++ < 100) requestAnimationFrame(look); };
        requestAnimationFrame(look); }, { once: true }); }"""

# The milliseconds from the next tap to a table with tiles; home has small ones.
BEGAN = """() => document.addEventListener('click', () => { const begin = performance.now();
    const look = () => {
        if (document.querySelector('.board duel-table .tile')) window.began = performance.now() - begin;
        else requestAnimationFrame(look); };
    look(); }, { once: true, capture: true })"""


def slow(person: Person) -> None:
    """Make the line slow from now on."""
    person.context.new_cdp_session(person.page).send("Network.emulateNetworkConditions", SLOW)


def test_a_tap_shows_within_one_frame(server: Server, person: Make) -> None:
    tom = person()
    play_computer(tom, server.url, "classic")
    assert wait_until(lambda: tom.choices() > 0)
    slow(tom)
    tom.page.locator(".pool button:enabled").first.click()
    tom.page.evaluate(COUNT)
    tom.page.locator(".cells button:enabled").first.click()
    assert wait_until(lambda: tom.page.evaluate("window.frames_until") is not None)
    assert tom.page.evaluate("window.frames_until") <= 1


def started(person: Person, server: Server) -> float:
    """The milliseconds from the click to the table, with one request on a slow line."""
    pick(person, server.url, "classic")
    person.page.wait_for_load_state("networkidle")
    slow(person)
    asked: list[str] = []
    person.page.on("request", lambda request: asked.append(request.url))
    person.page.evaluate(BEGAN)
    person.page.get_by_role("button", name="Play the computer").click()
    assert wait_until(lambda: bool(person.page.evaluate("window.began ?? 0")))
    games = [url for url in asked if "/api/games" in url and "socket" not in url]
    assert games == [f"{server.url}/api/games"]
    found: float = person.page.evaluate("window.began")
    return found


@pytest.mark.campaign  # a time, which a busy machine misses
def test_a_game_starts_within_one_and_a_fifth_seconds_of_the_click(server: Server, person: Make) -> None:
    """The best of five, because the machine may be busy."""
    assert 400 < min(started(person(), server) for _ in range(5)) < 1200


def test_a_tap_without_a_line_is_kept_over_a_reload_and_arrives_once(server: Server, person: Make) -> None:
    tom = person()
    play_computer(tom, server.url, "sabotage")
    assert wait_until(lambda: tom.choices() > 0)
    before = tom.page.locator("ol.moves li").count()
    tom.context.set_offline(True)
    tap(tom)
    expect(tom.page.locator("duel-table .pending").first).to_be_visible()
    expect(tom.page.locator(".headline")).to_have_text(re.compile("Sending|Not sent yet"))
    assert tom.choices() == 0
    tom.context.set_offline(False)
    tom.page.reload()
    assert wait_until(lambda: tom.choices() > 0, 30)
    news = tom.page.locator("ol.moves li").all_inner_texts()
    assert len(news) == before + 2  # the choice, once, and the computer's answer
    assert sum(text.startswith("You place") for text in news) == 1 + sum(
        text.startswith("You place") for text in news[2:]
    )
    tom.forgive(LINE_DOWN)


@pytest.mark.parametrize("how", ["the network is gone", "nobody answers"])
def test_a_tap_without_a_line_says_so_within_three_seconds(how: str, server: Server, person: Make) -> None:
    """It once said "Sending…" for nine seconds. A connection may end without a word."""
    tom = person()
    silent: list[bool] = []
    kept: list[Callable[[], None]] = []

    def route(socket: WebSocketRoute) -> None:
        to_server = socket.connect_to_server()
        socket.on_message(
            lambda text: kept.append(lambda: to_server.send(text)) if silent else to_server.send(text)
        )

    tom.page.route_web_socket(re.compile("/socket"), route)
    play_computer(tom, server.url, "sabotage")
    assert wait_until(lambda: tom.choices() > 0)
    silent.append(True)
    if how == "the network is gone":
        tom.context.set_offline(True)
    tap(tom)
    expect(tom.page.locator(".headline")).to_have_text(
        "Not sent yet: no connection. Your choice is kept.", timeout=3000
    )
    silent.clear()
    tom.context.set_offline(False)
    for send in kept if how == "nobody answers" else []:
        send()
    assert wait_until(lambda: tom.choices() > 0)
    expect(tom.page.locator("ol.moves li").filter(has_text="You place").first).to_be_attached()
    tom.forgive(LINE_DOWN)
