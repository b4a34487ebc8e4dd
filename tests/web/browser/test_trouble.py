"""Unusual conditions: old tabs, sleeping tabs, blocked cookies, a game the page has never seen."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect
from tests.sixth_game import SOURCE
from tests.web.browser.people import (
    LINE_DOWN,
    Person,
    by_turn,
    invite,
    join,
    pick,
    play_computer,
    play_out,
    tap,
    wait_until,
)
from tests.web.server import Server, running_server

Make = Callable[..., Person]


def test_an_old_tab_catches_up_without_a_reload(server: Server, person: Make) -> None:
    """A12: the tab has received nothing for a while, and sends an old version."""
    tom = person()
    play_computer(tom, server.url, "sabotage")
    assert wait_until(lambda: tom.choices() > 0)
    old = tom.context.new_page()
    old.goto(tom.page.url)
    expect(old.locator("duel-table button:enabled").first).to_be_visible()
    session = tom.context.new_cdp_session(old)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    tap(tom)
    assert wait_until(lambda: tom.choices() > 0)
    session.send("Page.setWebLifecycleState", {"state": "active"})
    expect(old.locator("ol.moves li")).to_have_count(tom.page.locator("ol.moves li").count())


def test_a_tab_in_the_background_is_up_to_date_when_somebody_looks(server: Server, person: Make) -> None:
    """I3."""
    tom, anna = person(), person()
    join(anna, invite(tom, server.url, "reverse", "Tom"), "Anna")
    mover, other = by_turn(tom, anna)
    front = other.context.new_page()
    front.bring_to_front()
    tap(mover)
    mover.page.wait_for_timeout(500)
    other.page.bring_to_front()
    assert wait_until(lambda: other.choices() > 0)


def test_after_an_outage_the_page_listens_through_a_socket_again(tmp_path: Path, person: Make) -> None:
    """It once asked every two seconds from then on, as where sockets are blocked."""
    tom = person()
    sockets: list[str] = []
    tom.page.on("websocket", lambda socket: sockets.append(socket.url))
    with running_server(tmp_path) as server:
        play_computer(tom, server.url, "sabotage")
        assert wait_until(lambda: tom.choices() > 0)
        server.kill()
    with tom.page.expect_event("websocket", lambda _: len(sockets) > 3):
        pass  # it goes on trying
    with running_server(tmp_path, port=server.port):
        expect(tom.page.locator(".headline")).to_have_text(re.compile("Your turn"))
        requests: list[str] = []
        tom.page.on("request", lambda request: requests.append(request.url))
        tap(tom)
        assert wait_until(lambda: tom.choices() > 0)
        assert requests == []  # all of it went through the socket
    tom.forgive(LINE_DOWN)


def test_with_cookies_blocked_a_game_can_be_played_and_the_page_says_what_is_lost(
    server: Server, person: Make
) -> None:
    """I5."""
    tom = person()
    tom.page.add_init_script("Object.defineProperty(Navigator.prototype, 'cookieEnabled', { value: false })")
    tom.page.route(
        re.compile("/api/"),
        lambda route: route.fulfill(response=route.fetch(headers=_without_cookie(route.request.headers))),
    )
    tom.context.on("response", lambda response: tom.context.clear_cookies())
    play_computer(tom, server.url, "classic")
    expect(tom.page.get_by_text("cannot resume in this browser")).to_be_visible()
    play_out([tom])


def _without_cookie(headers: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name != "cookie"}


def test_a_sixth_game_appears_in_the_browser_and_is_played(tmp_path: Path, person: Make) -> None:
    """One file, and not a line of JavaScript."""
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "race.py").write_text(SOURCE, encoding="utf-8")
    with running_server(tmp_path, env={"DIGIT_DUEL_GAMES": str(folder)}) as server:
        tom = person()
        pick(tom, server.url, "race")
        tom.page.get_by_role("button", name="Play the computer").click()
        expect(tom.page.locator(".board duel-table")).to_be_visible()
        play_out([tom])
        tom.page.close()  # before the server stops, or the page would log an error


def test_the_page_checks_a_deal_and_says_what_it_found(server: Server, person: Make) -> None:
    tom = person()
    play_computer(tom, server.url, "cards")
    play_out([tom])
    tom.page.get_by_role("link", name="Check that it was fair").click()
    expect(tom.page.get_by_text("✓").first).to_be_visible()
    assert tom.page.get_by_text("✗").count() == 0
