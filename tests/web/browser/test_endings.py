"""The result: addressed to "you", in the order and the colours of the table, with the score of a match."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect
from tests.web.browser.people import (
    LINE_DOWN,
    TABLE,
    Person,
    by_turn,
    choose_from_menu,
    invite,
    join,
    pick,
    play_out,
    tap,
    wait_until,
)
from tests.web.browser.test_fit import check
from tests.web.server import Server

Make = Callable[..., Person]
TO = " \N{EN DASH} "  # between the numbers of a score
# Whether main was ever empty, or without a table.
EMPTY = """() => { window.empty = 0;
    new MutationObserver(() => { window.empty += !document.querySelector('main duel-table'); })
        .observe(document.querySelector('main'), { childList: true, subtree: true }); }"""
COLOUR = "(e) => getComputedStyle(e.closest('.one, .two')).getPropertyValue('--c')"


def friends(server: Server, person: Make, game: str) -> tuple[Person, Person]:
    tom, anna = person(reduced_motion="reduce"), person(reduced_motion="reduce")
    join(anna, invite(tom, server.url, game, "Tom"), "Anna")
    return tom, anna


def resign(person: Person) -> None:
    choose_from_menu(person.page, "Resign")
    person.page.get_by_role("dialog").get_by_role("button", name="Resign").click()


def name_of(person: Person, name: str) -> Locator:
    return person.page.locator("duel-table .name").filter(has_text=re.compile(f"^{name}"))


def test_a_resignation_leaves_the_position_and_says_one_sentence(server: Server, person: Make) -> None:
    tom, anna = friends(server, person, "sabotage")
    mover, other = by_turn(tom, anna)
    tap(mover)
    assert wait_until(lambda: other.choices() > 0)
    lies = mover.page.locator("duel-table .cells .tile").get_attribute("aria-label")
    resign(tom)
    for each, title, why in ((tom, "You lose", "You resigned."), (anna, "You win!", "Tom resigned.")):
        expect(each.page.get_by_role("heading", name=title)).to_be_visible()
        score = {"You lose": f"Games: You 0{TO}1 Anna", "You win!": f"Games: You 1{TO}0 Tom"}[title]
        expect(each.page.locator(".ended p")).to_have_text([why, score])
        expect(each.page.locator("duel-table .cells .tile")).to_have_count(1)
        check(each, "after a resignation")
    assert mover.page.locator("duel-table .cells .tile").get_attribute("aria-label") == lies
    expect(tom.page.locator("ol.moves li").first).to_have_text("You resigned.")


def test_the_score_of_a_rematch_names_you_first(server: Server, person: Make) -> None:
    tom, anna = friends(server, person, "classic")
    resign(tom)
    expect(anna.page.get_by_role("heading", name="You win!")).to_be_visible()
    expect(anna.page.locator(".score")).to_have_text(f"Games: You 1{TO}0 Tom")  # from the first game on
    tom.page.get_by_role("button", name="Rematch").click()
    anna.page.get_by_role("button", name="Accept Tom's rematch").click()
    expect(anna.page.locator(".ended")).to_have_count(0)
    expect(anna.page.locator(TABLE)).to_be_visible()
    expect(anna.page.locator("#bar .where")).to_have_text(f"ClassicYou Match score: 1{TO}0 Tom")
    expect(tom.page.locator("#bar .where")).to_have_text(f"ClassicYou Match score: 0{TO}1 Anna")
    resign(anna)
    expect(tom.page.locator(".score")).to_have_text(f"Games: You 1{TO}1 Anna")
    expect(anna.page.locator(".score")).to_have_text(f"Games: You 1{TO}1 Tom")


def test_a_match_goes_on_with_the_next_game_and_shows_no_empty_page(server: Server, person: Make) -> None:
    tom = person(reduced_motion="reduce")
    pick(tom, server.url, "reverse")
    tom.page.get_by_label("Match").select_option("first to 2")
    tom.page.get_by_role("button", name="Two on this device").click()
    expect(tom.page.locator(TABLE)).to_be_visible()
    colours = {each: name_of(tom, each).evaluate(COLOUR) for each in ("Player 1", "Player 2")}
    resign(tom)
    tom.page.evaluate(EMPTY)
    old = tom.page.url
    tom.page.get_by_role("button", name="Next game").click()
    expect(tom.page).not_to_have_url(old)
    expect(tom.page.locator(".ended")).to_have_count(0)
    assert tom.page.evaluate("window.empty") == 0
    expect(tom.page.locator("#bar .where")).to_have_text(
        re.compile(f"^Reverse(Player 1 Match score: (1{TO}0|0{TO}1) Player 2)$")
    )
    for each, colour in colours.items():  # who changed seats keeps their colour
        assert name_of(tom, each).evaluate(COLOUR) == colour
    assert colours["Player 1"] != colours["Player 2"]


def test_the_verdict_keeps_the_order_of_the_table(server: Server, person: Make) -> None:
    tom, anna = (person(reduced_motion="reduce", viewport={"width": 390, "height": 664}) for _ in range(2))
    join(anna, invite(tom, server.url, "battle", "Tom"), "Anna")
    colour = {each: name_of(tom, each).evaluate(COLOUR) for each in ("You", "Anna")}
    assert name_of(anna, "You").evaluate(COLOUR) == colour["Anna"]  # one colour, whoever looks
    play_out([tom, anna])
    for each, other in ((tom, "Anna"), (anna, "Tom")):
        boxes = [name_of(each, name).bounding_box() for name in (other, "You")]
        tops = [box["y"] for box in boxes if box]
        assert len(tops) == 2
        assert tops == sorted(tops)
    words = {each.page.locator(".closing").inner_text() for each in (tom, anna)}
    assert not any("wins" in each for each in words)  # the title has said it
    assert any(each.startswith("You have ") for each in words)


def test_a_taken_back_move_is_the_news_and_its_question_covers_nothing(server: Server, person: Make) -> None:
    tom, anna = friends(server, person, "sabotage")
    mover, other = by_turn(tom, anna)
    name = "Tom" if mover is tom else "Anna"
    tap(mover)
    assert wait_until(lambda: other.choices() > 0)
    choose_from_menu(mover.page, "Ask to take back")
    expect(other.page.locator(".question p")).to_have_text(f"{name} asks to take a move back.")
    check(other, "a question")
    expect(mover.page.locator(".news")).to_have_text("You asked to take a move back. ")
    expect(mover.page.locator("ol.moves li").first).to_have_text("You asked to take a move back.")
    other.page.get_by_role("button", name="Agree").click()
    expect(mover.page.locator(".news")).to_have_text("Your move is taken back. ")
    expect(other.page.locator(".news")).to_have_text(f"{name} took a move back. ")
    expect(other.page.locator(".question")).to_have_count(0)


def test_who_asked_is_told_on_the_table_that_the_other_declined(server: Server, person: Make) -> None:
    tom, anna = friends(server, person, "sabotage")
    mover, other = by_turn(tom, anna)
    name, rival = ("Tom", "Anna") if mover is tom else ("Anna", "Tom")
    tap(mover)
    assert wait_until(lambda: other.choices() > 0)
    choose_from_menu(mover.page, "Ask to take back")
    other.page.get_by_role("button", name="Decline").click()
    expect(mover.page.locator(".news")).to_have_text(f"{rival} declines the take-back. ")
    expect(other.page.locator(".news")).to_contain_text(f"{name} places 9 in ")  # they know what they said


def test_without_a_choice_none_is_said_to_be_saved(server: Server, person: Make) -> None:
    tom, anna = friends(server, person, "classic")
    _, other = by_turn(tom, anna)
    other.context.set_offline(True)
    expect(other.page.locator(".headline")).to_have_text("Reconnecting…")
    other.forgive(LINE_DOWN)


def test_an_outage_is_said_even_while_the_opponent_is_away(server: Server, person: Make) -> None:
    """Who is away is old news then, and a claim could not be sent."""
    tom, anna = friends(server, person, "classic")
    mover, other = by_turn(tom, anna)
    mover.page.close()
    expect(other.page.locator(".headline")).to_contain_text("is away. You can claim the game in")
    other.context.set_offline(True)
    expect(other.page.locator(".headline")).to_have_text("Reconnecting…")
    other.context.set_offline(False)
    expect(other.page.locator(".headline")).to_contain_text("is away. You can claim the game in")
    other.forgive(LINE_DOWN)


def test_an_edition_is_named_and_its_rules_come_first(server: Server, person: Make) -> None:
    tom, anna = person(), person()
    pick(tom, server.url, "battle")
    tom.page.get_by_role("radio", name="Fair edition").check(force=True)
    tom.page.get_by_role("button", name="Invite a friend").click()
    expect(tom.page.get_by_role("heading", level=1, name="Battle Fair")).to_be_visible()
    anna.page.goto(tom.page.get_by_label("Send this link").input_value())
    expect(
        anna.page.get_by_role("heading", level=1, name=re.compile("invites you to Battle Fair$"))
    ).to_be_visible()
    fair = re.compile("The second player \\w+ with 15 life points \\(rulebook: 10\\)")
    expect(anna.page.locator("main")).to_contain_text(fair)
    anna.page.get_by_role("button", name="Join").click()
    expect(anna.page.locator(TABLE)).to_be_visible()
    expect(anna.page.get_by_role("heading", level=1, name="Battle Fair", exact=True)).to_be_visible()
    anna.page.get_by_role("link", name="Rules").click()
    drawer = anna.page.get_by_role("dialog", name="Rules of Battle")
    expect(drawer.locator(".sentences li").first).to_have_text(fair)
    expect(drawer.get_by_role("heading").nth(1)).to_have_text("Fair edition")


def test_house_rules_are_told_before_the_rulebook(server: Server, person: Make) -> None:
    tom = person()
    pick(tom, server.url, "cards")
    group = tom.page.get_by_role("dialog").get_by_role("group", name="Rounds needed to win the game")
    group.get_by_role("button", name="One more").click()
    tom.page.get_by_role("button", name="Play the computer").click()
    expect(tom.page.locator(TABLE)).to_be_visible()
    expect(tom.page.locator("#bar .where")).to_contain_text("house rules")
    tom.page.get_by_role("link", name="Rules").click()
    said = tom.page.get_by_role("dialog").locator(".sentences li").first
    expect(said).to_have_text("Rounds needed to win the game: 3 (rulebook: 2)")


def test_keep_and_give_look_alike_and_nine_digits_leave_no_hole(server: Server, person: Make) -> None:
    tom = person(viewport={"width": 390, "height": 664}, reduced_motion="reduce")
    pick(tom, server.url, "cards")
    tom.page.get_by_role("button", name="Two on this device").click()
    tom.page.locator(".cover button").click()
    answers = tom.page.locator("duel-table .answer")
    expect(answers).to_have_text(["Keep", "Give"])
    tom.page.locator("h1").click()
    looks = answers.evaluate_all("(all) => all.map((e) => getComputedStyle(e).backgroundColor)")
    assert looks[0] == looks[1]
    pick(tom, server.url, "classic")
    tom.page.get_by_role("button", name="Two on this device").click()
    expect(tom.page.locator(TABLE)).to_be_visible()
    boxes = [each.bounding_box() for each in tom.page.locator(f"{TABLE} .pool > *").all()]
    assert len(boxes) == 9
    left = [box["x"] for box in boxes if box]
    assert left[0] < left[5] < left[1]
    assert abs((left[0] + left[4]) - (left[5] + left[8])) < 1  # in the middle


def test_a_bad_link_leads_home(server: Server, person: Make) -> None:
    tom = person()
    tom.page.goto(f"{server.url}/j/nothing-here#secret")
    expect(tom.page.get_by_role("heading", name="No game here")).to_be_visible()
    tom.page.get_by_role("link", name="All games", exact=True).click()
    expect(tom.page.locator(".card").first).to_be_visible()
    tom.forgive("status of 404")  # the browser tells its console of a 404


def test_a_code_for_another_device_is_no_error(server: Server, person: Make) -> None:
    tom = person()
    pick(tom, server.url, "classic")
    tom.page.get_by_role("button", name="Play the computer").click()
    expect(tom.page.locator(TABLE)).to_be_visible()
    choose_from_menu(tom.page, "Settings")
    tom.page.get_by_role("button", name="Get a code").click()
    expect(tom.page.locator("output.code")).to_have_text(re.compile(r"^[A-Z2-9]{4}(-[A-Z2-9]{4}){2}$"))
    expect(tom.page.locator("output.code + output")).to_contain_text("It works once.")
    expect(tom.page.get_by_role("dialog").locator(".problem:visible")).to_have_count(0)
