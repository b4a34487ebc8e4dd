"""The review in the browser: it asks before it tells, and its graph says what its words say."""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx
from playwright.sync_api import expect
from tests.web.browser.people import Person, pick, play_computer, play_out
from tests.web.server import Server

Make = Callable[..., Person]
# The game of SCREENS, Analysis: moves 1 and 2 gave a win away each.
REVERSE = ("4 tens", "3 hundreds", "7 units", "6 tens", "1 hundreds", "2 units")


def test_turning_points_ask_before_they_tell(server: Server, person: Make) -> None:
    tom = person()
    pick(tom, server.url, "reverse")
    tom.page.get_by_role("radio", name="Me", exact=True).check()
    tom.page.get_by_role("button", name="Two on this device").click()
    for number, text in enumerate(REVERSE, 1):
        field = tom.page.get_by_label("Type a choice")
        field.fill(text)
        field.press("Enter")
        expect(tom.page.locator("ol.moves li").filter(has_text="places")).to_have_count(number)
    tom.page.get_by_role("link", name="Analyse").click()
    turns = tom.page.locator(".story li")
    expect(turns).to_have_text([
        "● Move 1, Player 1: 4 in Player 1's tens. Find something better.",
        "● Move 2, Player 2: 3 in Player 2's hundreds. Find something better.",
    ])  # fmt: skip
    turns.first.get_by_role("button").click()
    lesson = tom.page.get_by_role("heading", name="Mistake 1 of 2").locator("..")
    expect(lesson).to_be_visible()
    expect(tom.page.locator("aside .values")).to_have_count(0)
    assert "1 in Player 1's hundreds" not in tom.page.locator("main").inner_text()
    tom.page.get_by_role("button", name="Digit 1").click()
    tom.page.get_by_role("button", name="Player 1's hundreds, empty").click()
    expect(lesson).to_contain_text("Right.")
    expect(turns.first).to_have_text(re.compile("Only 1 in Player 1's hundreds kept it"))
    expect(turns.last).to_have_text(re.compile("Find something better.$"))


def test_the_graph_of_cards_shows_the_chances_and_the_end_of_every_round(
    server: Server, person: Make
) -> None:
    tom = person()
    play_computer(tom, server.url, "cards")
    play_out([tom])
    game = tom.page.url.rpartition("/")[2]
    tom.page.get_by_role("link", name="Analyse").click()
    line = tom.page.locator(".story polyline")
    expect(line).to_be_attached()
    points = [tuple(map(float, each.split(","))) for each in (line.get_attribute("points") or "").split()]
    proof = httpx.get(f"{server.url}/api/games/{game}/proof", trust_env=False).json()
    assert len(points) == len(proof["moves"]) + 1
    heights = [height for _, height in points]
    assert heights[-1] in (30, 130)  # the last round is won for certain
    assert len(set(heights)) > 5
    expect(tom.page.locator(".story")).to_contain_text("Chance to win the round, as ")
    # With both hands open, the other player's moves and what was really held.
    with tom.page.expect_response(re.compile("as=watcher")) as answer:
        tom.page.get_by_role("button", name="Reveal both hands").click()
    reviewed = answer.value.json()
    mine = int(tom.page.evaluate(f"fetch('/api/games/{game}').then((r) => r.json()).then((v) => v.seats[0])"))
    told = [
        move["truth"]
        for move in reviewed["moves"]
        if move["at"] in reviewed["turning"] and move["seat"] != mine and move["truth"]
    ]
    expect(tom.page.locator(".story li").filter(has_text=" held ")).to_have_count(len(told))
    for text in told:
        assert (
            re.match(r".+ held .+: keeping it was worth \d+%, (giving|throwing) it away ", text)
            or "%" in text
        )
        expect(tom.page.locator(".story")).to_contain_text(text)
