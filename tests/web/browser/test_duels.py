"""Real browsers, a real server, whole games."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from tests.web.browser.people import (
    LINE_DOWN,
    Person,
    by_turn,
    choose_from_menu,
    invite,
    join,
    pick,
    play_computer,
    play_out,
    tap,
    wait_until,
)
from tests.web.server import Server

from digit_duel import games

Make = Callable[..., Person]


@pytest.mark.slow
@pytest.mark.parametrize("game", games.ids())
def test_two_browsers_play_a_game_to_its_end(game: str, server: Server, person: Make) -> None:
    tom, anna = person(), person()
    link = invite(tom, server.url, game, "Tom")
    join(anna, link, "Anna")
    assert "#" not in anna.page.url  # B6: the secret is gone from the address
    play_out([tom, anna])
    ends = [
        each.page.get_by_role("heading", name=re.compile("You win!|You lose")).inner_text()
        for each in (tom, anna)
    ]
    assert sorted(ends) == ["You lose", "You win!"]
    for each in (tom, anna):
        expect(each.page.locator(".closing")).not_to_be_empty()


def test_a_rematch_leads_both_to_one_new_game_and_survives_a_reload(server: Server, person: Make) -> None:
    """A17."""
    tom, anna = person(), person()
    join(anna, invite(tom, server.url, "classic", "Tom"), "Anna")
    play_out([tom, anna])
    old = tom.page.url
    tom.page.get_by_role("button", name="Rematch").click()
    anna.page.reload()
    anna.page.get_by_role("button", name="Accept Tom's rematch").click()
    expect(anna.page.locator(".result")).to_have_count(0)
    assert wait_until(lambda: tom.page.url != old and tom.page.url == anna.page.url)


def test_a_reload_and_another_device_find_the_same_seat(server: Server, person: Make) -> None:
    """I2."""
    tom = person()
    play_computer(tom, server.url, "sabotage")
    wait_until(lambda: tom.choices() > 0)
    tap(tom)
    tom.page.reload()
    expect(tom.page.locator("duel-table")).to_be_visible()
    game = tom.page.url
    choose_from_menu(tom.page, "Settings")
    tom.page.get_by_role("button", name=re.compile("code", re.I)).first.click()
    code = tom.page.get_by_text(re.compile(r"[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}"))
    expect(code).to_be_visible()
    shown = re.search(r"[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}", code.inner_text())
    assert shown
    phone = person()
    phone.page.goto(server.url)
    choose_from_menu(phone.page, "Settings")
    phone.page.get_by_label(re.compile("code", re.I)).fill(shown[0].lower())
    phone.page.keyboard.press("Enter")
    expect(phone.page.get_by_role("region", name="Your running games")).to_be_visible()
    phone.page.goto(game)
    expect(phone.page.locator("duel-table button:enabled").first).to_be_visible()


def test_a_spectator_sees_the_table_and_no_buttons(server: Server, person: Make) -> None:
    """B14, C13: in a game of cards, nothing of a hand."""
    tom, anna, eve = person(), person(), person()
    join(anna, invite(tom, server.url, "cards", "Tom"), "Anna")
    wait_until(lambda: tom.choices() + anna.choices() > 0)
    eve.page.goto(tom.page.url)
    expect(eve.page.locator("duel-table")).to_be_visible()
    assert eve.choices() == 0
    assert eve.page.locator("duel-table .tile").count() == 0  # every card is face down
    expect(eve.page.locator("duel-table .drawn .back")).to_be_visible()


def test_on_one_device_a_covered_hand_is_not_on_the_page_at_all(server: Server, person: Make) -> None:
    tom = person()
    pick(tom, server.url, "cards")
    tom.page.get_by_role("button", name="Two on this device").click()
    cover = tom.page.locator(".cover")
    expect(cover).to_be_visible()
    assert not re.search(r"\d\b.*tile", tom.page.locator("main").inner_html())
    assert tom.page.locator("duel-table .tile").count() == 0
    cover.get_by_role("button").first.click()
    expect(tom.page.locator("duel-table .drawn .tile")).to_be_visible()


def test_offline_in_mid_move_a_choice_is_kept_and_saved_once(server: Server, person: Make) -> None:
    """I1."""
    tom, anna = person(), person()
    join(anna, invite(tom, server.url, "classic", "Tom"), "Anna")
    mover, other = by_turn(tom, anna)
    mover.context.set_offline(True)
    tap(mover)
    expect(mover.page.get_by_text(re.compile("Not sent yet|Sending")).first).to_be_visible()
    mover.context.set_offline(False)
    assert wait_until(lambda: other.choices() > 0)
    assert other.page.locator("ol.moves li").filter(has_text="places").count() == 1
    mover.forgive(LINE_DOWN)


def test_where_sockets_are_blocked_the_game_goes_on_by_other_ways(server: Server, person: Make) -> None:
    """I4."""
    tom = person()
    tom.page.route_web_socket(re.compile("/socket"), lambda socket: socket.close())
    play_computer(tom, server.url, "classic")
    play_out([tom])


@pytest.mark.parametrize(
    "name", ["<img src=x onerror=alert(1)>", "\u202egnp.exe", "a\u200b\u200bb", "'\"><b>x"]
)
def test_a_name_is_a_name_and_nothing_else(name: str, server: Server, person: Make) -> None:
    """B12."""
    tom = person()
    tom.page.goto(server.url)
    tom.page.get_by_label("Your name").fill(name)
    tom.page.get_by_role("button", name=re.compile("^Play Classic")).click()
    wait_until(lambda: tom.page.locator("duel-table").count() + tom.page.get_by_role("alert").count() > 0)
    tom.page.wait_for_timeout(200)
    assert tom.page.locator("main img, main b b").count() == 0
