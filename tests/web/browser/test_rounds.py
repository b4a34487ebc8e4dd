"""Cards in the browser: the reveal stays until the player continues, and the last hands stay on the table."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from playwright.sync_api import Locator, expect
from tests.web.browser.people import NEXT_ROUND, Person, invite, join, pick, play_out, wait_until
from tests.web.server import Server

Make = Callable[..., Person]
RESULT = re.compile("(You win|.+ wins) the round|A tie")  # of a round
NEWS = re.compile(r"^.+ \d{3}, .+ \d{3}\. ((You win|.+ wins) the round\.|Equal numbers\.)$")


def tiles(person: Person) -> Locator:
    """The open cards on the table."""
    return person.page.locator("duel-table .cells .tile")


def answer(person: Person, label: str | None = None) -> None:
    """Choose one of the answers, by default the first: keep, or the highest number."""
    answers = person.page.locator("duel-table .asks button")
    expect(answers.first).to_be_visible()
    (answers.filter(has_text=label) if label else answers).first.click()


def play_round_on_one_device(person: Person) -> None:
    """Both keep every card and lay out their highest numbers."""
    cover = person.page.locator(".cover button")
    table = person.page.locator("duel-table .asks button")
    while True:
        expect(cover.or_(table).or_(person.page.locator(NEXT_ROUND)).first).to_be_visible()
        if person.page.locator(NEXT_ROUND).count() or person.over():
            return
        before = person.page.locator("ol.moves li").count()
        if cover.count():
            cover.first.click()
        answer(person)
        expect(person.page.locator("ol.moves li")).not_to_have_count(before)


def test_on_one_device_the_result_of_a_round_stays_until_somebody_goes_on(
    server: Server, person: Make
) -> None:
    tom = person()
    pick(tom, server.url, "cards")
    tom.page.get_by_role("button", name="Two on this device").click()
    play_round_on_one_device(tom)
    # Both numbers, who has won, and the score; no card of the next round, and no cover yet.
    expect(tiles(tom)).to_have_count(6)
    expect(tom.page.locator("duel-table .back, duel-table .drawn, .cover")).to_have_count(0)
    expect(tom.page.locator("duel-table .fresh")).to_have_count(0)  # it would reveal the order of the hand
    expect(tom.page.locator(".result h2")).to_have_text(RESULT)
    expect(tom.page.locator("duel-table .heading")).to_have_text("Round 1")
    wins = tom.page.get_by_role("meter").evaluate_all("(all) => all.map((each) => each.ariaValueNow)")
    assert sorted(wins) in (["0", "1"], ["0", "0"])  # the second after a tie
    expect(tom.page.locator(NEXT_ROUND)).to_be_focused()
    tom.page.reload()
    expect(tiles(tom)).to_have_count(6)
    tom.page.locator(NEXT_ROUND).click()
    expect(tom.page.locator(".cover")).to_be_visible()
    expect(tom.page.locator("duel-table")).to_have_count(0)
    tom.page.reload()
    expect(tom.page.locator(".cover")).to_be_visible()


def test_two_people_apart_go_on_from_a_round_each_for_themselves(server: Server, person: Make) -> None:
    tom, anna = person(), person()
    join(anna, invite(tom, server.url, "cards", "Tom"), "Anna")
    people = [tom, anna]
    until = time.monotonic() + 90
    while not all(each.page.locator(NEXT_ROUND).count() for each in people):
        assert time.monotonic() < until, [each.page.locator("main").inner_text() for each in people]
        for each in people:
            if each.choices() and not each.page.locator(NEXT_ROUND).count():
                before = each.page.locator("ol.moves li").count()
                answer(each)
                expect(each.page.locator("ol.moves li")).not_to_have_count(before)
    expect(tom.page.locator(".result h2")).to_have_text(RESULT)
    tom.page.locator(NEXT_ROUND).click()
    anna.page.wait_for_timeout(200)
    expect(anna.page.locator(".result h2")).to_have_text(RESULT)
    expect(tiles(anna)).to_have_count(6)
    expect(tom.page.locator("duel-table .drawn")).to_be_visible()
    if tom.choices():  # the server has moved on already
        answer(tom)
        assert wait_until(lambda: tom.choices() == 0)
        expect(tiles(anna)).to_have_count(6)
        expect(anna.page.locator("ol.moves li").first).to_have_text(NEWS)
    anna.page.locator(NEXT_ROUND).click()
    expect(anna.page.locator("duel-table .drawn")).to_be_visible()
    expect(anna.page.locator(NEXT_ROUND)).to_have_count(0)


def test_a_finished_game_keeps_its_last_hands_on_the_table(server: Server, person: Make) -> None:
    tom, anna = person(), person()
    join(anna, invite(tom, server.url, "cards", "Tom"), "Anna")
    play_out([tom, anna])
    for each in (tom, anna):
        expect(tiles(each)).to_have_count(6)
        expect(each.page.locator("duel-table .heading")).to_have_text(re.compile("^Round [23]$"))
        expect(each.page.locator("duel-table .won")).to_have_count(1)
        expect(each.page.locator(NEXT_ROUND)).to_have_count(0)


def test_giving_to_a_full_hand_is_called_throwing_away(server: Server, person: Make) -> None:
    tom = person()
    pick(tom, server.url, "cards")
    tom.page.get_by_role("radio", name="Me", exact=True).check()
    tom.page.get_by_role("button", name="Two on this device").click()
    labels = []
    for _ in range(3):  # three cards for the second player, the last of them given by the first
        cover = tom.page.locator(".cover button")
        expect(cover).to_be_visible()
        cover.click()
        answers = tom.page.locator("duel-table .asks button")
        expect(answers).to_have_count(2)
        labels.append(answers.last.inner_text())
        mover = tom.page.locator("duel-table .turn .name").inner_text()
        answer(tom, "Give" if mover.startswith("Player 1") else "Keep")
    expect(tom.page.locator("duel-table .asks button").last).to_have_text("Throw away")
    assert labels == ["Give"] * 3
    tom.page.locator("duel-table .asks button").last.click()
    expect(tom.page.locator("ol.moves li").first).to_have_text(re.compile("Player 1 throws away an? [0-9]"))


def test_who_asks_sees_which_digits_have_gone_by(server: Server, person: Make) -> None:
    tom = person()
    pick(tom, server.url, "cards")
    tom.page.get_by_role("button", name="Two on this device").click()
    expect(tom.page.locator(".cover")).to_be_visible()
    expect(tom.page.locator(".counts")).to_have_count(0)
    tom.page.locator(".cover button").click()
    tom.page.get_by_text("Count the cards").click()
    rows = tom.page.locator(".counts tr").evaluate_all(
        "(all) => all.map((row) => [...row.children].map((cell) => cell.textContent))"
    )
    drawn = int((tom.page.locator("duel-table .drawn .tile").get_attribute("aria-label") or "").split()[1])
    seen = [int(digit == drawn) for digit in range(10)]
    assert rows == [
        ["Digit", *map(str, range(10))],
        ["Seen", *map(str, seen)],
        ["Discards", *["0"] * 10],
        ["Unseen", *(str(4 - each) for each in seen)],
    ]
