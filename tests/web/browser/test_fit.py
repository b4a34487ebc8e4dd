"""The table fits: whatever can be chosen lies inside the window, with nothing over it, at every size."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from tests.web.browser.people import (
    NEXT_ROUND,
    Person,
    by_turn,
    choose_from_menu,
    defend_to_sudden_death,
    invite,
    join,
    pick,
    play_computer,
    play_on,
    play_out,
    ready,
    tap,
    typing_field,
    version,
    wait_until,
)
from tests.web.browser.screens import SIZES
from tests.web.server import Server

from digit_duel import games

Make = Callable[..., Person]
# Controls that are not wholly inside the window, or that a tap in the middle would miss.
OUTSIDE = """() => [...document.querySelectorAll('#bar a, #bar button, .board button:enabled, .board a')]
    .concat(...document.querySelectorAll('.cover button'))
    .filter((e) => e.getClientRects().length && !e.closest('[inert]'))
    .map((e) => [e, e.getBoundingClientRect()])
    .filter(([e, { x, y, right, bottom }]) => x < 0 || y < 0 || right > innerWidth || bottom > innerHeight
        || !e.contains(document.elementFromPoint((x + right) / 2, (y + bottom) / 2)))
    .map(([e, r]) => `${e.ariaLabel ?? e.textContent} ${[r.x, r.y, r.right, r.bottom].map(Math.round)}`)
    .concat(document.documentElement.scrollHeight > innerHeight ? ['the page scrolls'] : [])"""
# Two things on the table that are not one inside the other, but lie over each other.
OVERLAPS = """() => {
    const kinds = '.tile, .slot, .back, .who, .goal, .news, .headline:not(.hidden), .asks > *, .points, '
        + '.track';
    const all = [...document.querySelectorAll(kinds)]
        .filter((e) => e.getClientRects().length).map((e) => [e, e.getBoundingClientRect()]);
    return all.flatMap(([a, p], at) => all.slice(at + 1).filter(([b, q]) => !a.contains(b)
        && Math.min(p.right, q.right) - Math.max(p.left, q.left) > 3
        && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 3)
        .map(([b]) => `${a.className} ${a.textContent} over ${b.className} ${b.textContent}`)); }"""

# Sentences that do not fit their box: the table must not cut any text.
CUT = """() => [...document.querySelectorAll('.message span')]
    .filter((e) => e.getClientRects().length && !e.closest('.hidden') && e.scrollHeight > e.clientHeight + 1)
    .concat([...document.querySelectorAll('.message')].filter((e) => e.scrollHeight > e.clientHeight + 1))
    .concat([...document.querySelectorAll('.result > *')].filter((e) => e.getClientRects().length
        && e.getBoundingClientRect().top < document.querySelector('.result').getBoundingClientRect().top - 1))
    .concat([...document.querySelectorAll('.goal, .ahead, .row .note, .answer small span')]
        .filter((e) => e.getClientRects().length && e.scrollWidth > e.clientWidth + 1))
    .map((e) => e.textContent)"""
# Parts of the title that end in an ellipsis.
CUT_TITLE = """() => [...document.querySelectorAll('.where > *')]
    .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)"""
LONGEST = ("Bartholomew Featherstone", "Maximiliana Wolfenbuttel")  # 24 letters, as many as a name may have


# Phones on their side, lower and narrower than the one in SIZES.
LOW = {
    "low": (740, 360),
    "lower and narrower": (640, 360),
    "old phone": (667, 375),
    "between the bars of its browser": (812, 330),
    "small old phone": (568, 320),
}


def check(person: Person, what: str, sizes: dict[str, tuple[int, int]] = SIZES) -> None:
    """Look at the present screen in every size."""
    page = person.page
    for name, (width, height) in sizes.items():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(OUTSIDE) == [], f"{what}, {name}"
        assert page.evaluate(OVERLAPS) == [], f"{what}, {name}"
        assert page.evaluate(CUT) == [], f"{what}, {name}"


@pytest.mark.slow
@pytest.mark.parametrize("game", games.ids())
def test_every_choice_of_a_game_fits_every_window(game: str, server: Server, person: Make) -> None:
    """From the first turn to the end: each kind of choice, the result of a round, and of the game."""
    tom = person(reduced_motion="reduce")
    play_computer(tom, server.url, game)
    seen = set()
    for _ in range(60):
        assert wait_until(lambda: tom.choices() > 0 or tom.page.locator(NEXT_ROUND).count() > 0 or tom.over())
        kind = kind_of_choice(tom)
        if kind not in seen:
            seen.add(kind)
            check(tom, kind)
        if tom.over():
            break
        if ready(tom) and (digits := tom.page.locator(".pool button:enabled")).count() and len(seen) < 3:
            digits.first.click()
            check(tom, "a digit is picked")
            digits.first.click()
        before = version(tom)
        if tom.choices():
            tap(tom)
            assert wait_until(lambda before=before: version(tom) != before or tom.over())  # type: ignore[misc]
    assert tom.over()


@pytest.mark.slow
@pytest.mark.parametrize("game", games.ids())
def test_the_longest_names_fit_every_window(game: str, server: Server, person: Make) -> None:
    """What the other player did is above what to do now: in a small window that is four lines."""
    people = [person(reduced_motion="reduce"), person(reduced_motion="reduce")]
    join(people[1], invite(people[0], server.url, game, LONGEST[0]), LONGEST[1])
    mover, other = by_turn(*people)
    tap(mover)
    assert wait_until(lambda: other.choices() > 0)
    expect(other.page.locator(".news")).to_contain_text(LONGEST[people.index(mover)])
    check(other, "what the other did")
    check(mover, "waiting for the other")


def test_the_game_and_the_opponent_are_named_in_full_in_every_window(server: Server, person: Make) -> None:
    tom = person(reduced_motion="reduce")
    play_computer(tom, server.url, "sabotage", "sensible")
    expect(tom.page.locator(".where")).to_have_text("Sabotagevs Sensible computer")
    for width, height in SIZES.values():
        tom.page.set_viewport_size({"width": width, "height": height})
        assert tom.page.evaluate(CUT_TITLE) == []
    pick(tom, server.url, "sabotage")
    tom.page.get_by_role("button", name="Two on this device").click()
    expect(tom.page.locator(".where")).to_have_text(re.compile("SabotagePlayer [12] . Player [12]"))
    assert tom.page.viewport_size == {"width": 320, "height": 568}
    assert tom.page.evaluate(CUT_TITLE) == []


@pytest.mark.parametrize("game", games.ids())
def test_the_title_of_an_analysis_is_not_cut_in_a_small_window(
    game: str, server: Server, person: Make
) -> None:
    """The longest titles; "Review of Sabotage" once ended in dots."""
    tom = person(viewport=dict(zip(("width", "height"), SIZES["small"], strict=True)))
    tom.page.goto(f"{server.url}/analysis/{game}")
    expect(tom.page.locator(".where h1")).to_have_text(f"Analysis of {game.capitalize()}")
    assert tom.page.evaluate(CUT_TITLE) == []


def test_six_numbers_to_lay_out_fit_a_small_phone_on_its_side(server: Server, person: Make) -> None:
    tom = person(reduced_motion="reduce")
    tom.page.goto(f"{server.url}/learn/cards")
    expect(tom.page.locator(".asks fieldset button")).to_have_count(6)
    check(tom, "six numbers", LOW)


@pytest.mark.parametrize("game", ["battle", "cards", "sabotage"])
def test_a_phone_on_its_side_shows_all_words(game: str, server: Server, person: Make) -> None:
    """Four lines of text once had room for three: "You have 18 life.. points"."""
    tom = person(reduced_motion="reduce")
    play_computer(tom, server.url, game)
    play_on(tom)
    check(tom, "what the computer did", LOW)
    tom.page.locator("h1").click()
    tom.page.keyboard.press("Home")
    expect(tom.page.locator(".headline")).to_contain_text("Earlier position")
    check(tom, "the past", LOW)
    tom.page.get_by_role("button", name="Back to now").click()
    play_out([tom])
    check(tom, "the end", LOW)


# The other player leads.
LEADING = """([name, tag, lead]) => {
    const cells = ['hundreds', 'tens', 'units'].map((label) => ({ digit: null, hidden: false, label }));
    const side = { note: 'highest possible 987', meters: [], cells };
    const pool = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => ({ digit, left: 1, most: 1 }));
    document.querySelector('.board duel-table').show = { seat: 0, names: ['You', name], tags: ['', tag],
        scene: { rows: [side, side], pool, heading: '', goal: 'The higher number wins', decided: null,
            leads: 1, lead, facts: [], counts: [], drawn: null } };
}"""
CUT_NAMES = """() => [...document.querySelectorAll('.row :is(.name bdi, .tag)')]
    .filter((e) => e.scrollWidth > e.getBoundingClientRect().width + 1).map((e) => e.textContent)"""


@pytest.mark.parametrize("lead", ["higher so far", "sure to win"])
@pytest.mark.parametrize(("name", "tag"), [("Computer", ""), ("Anna", "● here")])
def test_the_opponent_is_named_in_full_beside_their_lead(
    name: str, tag: str, lead: str, server: Server, person: Make
) -> None:
    """It once was "Compu…" on a laptop, "An…" on a phone, and "Co…" on a small one in landscape."""
    tom = person(reduced_motion="reduce")
    play_computer(tom, server.url, "classic")
    assert wait_until(lambda: tom.choices() > 0)
    tom.page.evaluate(LEADING, [name, tag, lead])
    for width, height in [*SIZES.values(), (568, 320)]:
        tom.page.set_viewport_size({"width": width, "height": height})
        expect(tom.page.locator(".ahead")).to_be_visible()
        assert tom.page.evaluate(CUT_NAMES) == [], (width, height)


def test_a_clock_beside_a_lead_is_never_cut(server: Server, person: Make) -> None:
    """On a phone it once was "● here ·…", and what follows it was one word with it."""
    tom = person(reduced_motion="reduce")
    play_computer(tom, server.url, "classic")
    assert wait_until(lambda: tom.choices() > 0)
    tom.page.evaluate(LEADING, ["Anna", "● here · 14:55", "sure to win"])
    for width, height in SIZES.values():
        tom.page.set_viewport_size({"width": width, "height": height})
        expect(tom.page.locator(".tag").first).to_have_text("● here · 14:55")
        assert tom.page.evaluate(CUT_NAMES) == [], (width, height)


# The end of a game with the most to say: long names, a match, a seal, and what the loser missed.
WORDIEST = """(names) => {
    const part = (tag, key, text) =>
        ({ tag, props: { key, class: key, href: tag === 'a' && '/' }, children: [text] });
    const side = (digits, value, note) => ({ note, meters: [{ label: 'rounds won', value, most: 2 }],
        cells: [...digits].map((digit) => ({ digit: +digit, hidden: false, label: '' })) });
    const missed = 'could have made 998 and won the round';
    const scene = { rows: [side('989', 1, missed), side('990', 2, 'won the round')],
        heading: 'Round 3', goal: 'Higher number wins the round; first to 2 wins', decided: 1, leads: 1,
        facts: [], pool: [], counts: [], drawn: null };
    document.querySelector('.board duel-table').show = { scene, seat: 0, names, tags: ['', 'away'],
        foot: ['Rematch offered', 'Review', 'Share'].map((label) => part('button', label, label)),
        verdict: { title: `${names[1]} wins!`, winner: 1, label: 'The result',
            sentence: 'Equal up to the second digit: 9 beats 8.',
            more: [part('p', 'score', `Game 2 of 3: ${names[0]} 1 - ${names[1]} 1`),
                part('p', 'seal', part('a', 'link', 'Check that it was fair'))] } };
}"""


def test_an_end_with_the_most_to_say_fits_every_window(server: Server, person: Make) -> None:
    """Random games seldom end like this; the end once pushed a link under the buttons."""
    tom = person(reduced_motion="reduce")
    play_computer(tom, server.url, "cards")
    assert wait_until(lambda: tom.choices() > 0)
    tom.page.evaluate(WORDIEST, list(LONGEST))
    expect(tom.page.locator(".result")).to_contain_text("could have made 998 and won the round")
    expect(tom.page.locator(".result a")).to_have_text("Check that it was fair")
    check(tom, "the end with the most to say", SIZES | LOW)


LINES = """(all) => all.map((each) =>
    each.getBoundingClientRect().height / parseFloat(getComputedStyle(each).fontSize))"""
# A battle that ends with as many as two digits of life.
LIFE = """() => {
    const side = (value) => ({ note: '', meters: [{ label: 'life', value, most: 20 }], cells: [] });
    document.querySelector('.board duel-table').show = { seat: 0, names: ['You', 'Computer'],
        scene: { rows: [side(6), side(11)], heading: '', goal: '', decided: null, leads: 1,
            facts: [], pool: [], counts: [], drawn: null },
        verdict: { title: 'You lose', winner: 1, label: 'The result', sentence: '11 to 6.' } };
}"""


def test_the_life_at_the_end_is_named_in_one_line(server: Server, person: Make) -> None:
    """The name of a long number once took four lines, with a letter in each."""
    tom = person(reduced_motion="reduce")
    play_computer(tom, server.url, "battle")
    assert wait_until(lambda: tom.choices() > 0)
    tom.page.evaluate(LIFE)
    expect(tom.page.locator(".result .points small")).to_have_text(["life", "life"])
    for width, height in SIZES.values():
        tom.page.set_viewport_size({"width": width, "height": height})
        assert max(tom.page.locator(".result .points small").evaluate_all(LINES)) < 2


def kind_of_choice(person: Person) -> str:
    """What is to be chosen, in the words of the page."""
    if person.over():
        return "the end"
    if person.page.locator(NEXT_ROUND).count():
        return "the end of a round"
    answers = person.page.locator("duel-table .asks fieldset button").all_inner_texts()
    words = "number" if len(answers) > 2 else " ".join(answers)
    heading = person.page.locator("duel-table .heading").all_inner_texts()
    return f"{words} {'sudden death' if heading == ['Sudden Death'] else ''}"


def test_the_cover_the_typed_field_and_the_past_fit_too(server: Server, person: Make) -> None:
    tom = person(reduced_motion="reduce")
    pick(tom, server.url, "cards")
    tom.page.get_by_role("button", name="Two on this device").click()
    expect(tom.page.locator(".cover button")).to_be_visible()
    check(tom, "the cover")
    assert tom.page.evaluate("document.elementFromPoint(20, 20).closest('.cover') !== null")  # the bar, too
    play_computer(tom, server.url, "sabotage")
    assert wait_until(lambda: tom.choices() > 0)
    typing_field(tom.page).press_sequentially("77 nowhere")
    tom.page.keyboard.press("Enter")
    expect(tom.page.locator("#refusal")).to_have_text(re.compile("is not a move"))
    check(tom, "typing")
    tom.page.keyboard.press("Escape")
    tap(tom)
    assert wait_until(lambda: tom.choices() > 0)
    tom.page.locator("h1").click()
    tom.page.keyboard.press("Home")
    expect(tom.page.locator(".headline")).to_contain_text("Earlier position")
    check(tom, "the past")


@pytest.mark.parametrize("game", games.ids())
def test_the_computer_is_named_in_full_on_a_small_old_phone(game: str, server: Server, person: Make) -> None:
    """It once was "Co…" in cards, whose deck hung out of the window."""
    tom = person(reduced_motion="reduce", viewport={"width": 568, "height": 320})
    play_computer(tom, server.url, game)
    assert wait_until(lambda: tom.choices() > 0)
    expect(tom.page.locator(".above bdi")).to_have_text("Computer")
    assert wait_until(lambda: tom.page.evaluate(CUT_NAMES) == [])
    edges = tom.page.locator(":is(.pool, .deck, .goal)").evaluate_all(
        "(all) => all.map((each) => each.getBoundingClientRect().right)"
    )
    assert max(edges) <= 568


# Where the places and the digits lie, apart from one that is picked.
LYING = """() => [...document.querySelectorAll('.place, .pool > :not([aria-pressed="true"]), .drawn')]
    .map((e) => e.getBoundingClientRect())
    .map(({ x, y, width, height }) => [x, y, width, height].map(Math.round))"""


@pytest.mark.parametrize("game", games.ids())
def test_a_move_to_confirm_moves_nothing(game: str, server: Server, person: Make) -> None:
    """Places once shrank; in cards and battle the buttons hung out of the window."""
    tom = person(reduced_motion="reduce")
    confirm_moves(tom, server.url)
    play_computer(tom, server.url, game)
    assert wait_until(lambda: tom.choices() > 0)
    for name, (width, height) in (SIZES | LOW).items():
        tom.page.set_viewport_size({"width": width, "height": height})
        pool = tom.page.locator(".pool button:enabled")
        for digit in pool.all()[:1]:
            digit.click()
        before = tom.page.evaluate(LYING)
        tom.page.locator(":is(.cells, .asks fieldset) button:enabled").first.click()
        expect(tom.page.locator(".confirm .primary")).to_be_visible()
        assert tom.page.evaluate(LYING) == before, name
        check(tom, "to confirm", {name: (width, height)})
        tom.page.get_by_role("button", name="Undo").click()
        expect(tom.page.locator(".confirm")).to_have_count(0)


def confirm_moves(person: Person, url: str) -> None:
    """Switch the setting on."""
    person.page.goto(url)
    choose_from_menu(person.page, "Settings")
    person.page.get_by_label("Confirm moves before they are sent").check()
    person.page.get_by_role("button", name="Done").click()


def test_a_move_to_confirm_fits_too(server: Server, person: Make) -> None:
    """Both buttons once hung out of the window, because the longer one has two lines."""
    tom, anna = person(reduced_motion="reduce"), person(reduced_motion="reduce")
    for each in (tom, anna):
        confirm_moves(each, server.url)
    join(anna, invite(tom, server.url, "sabotage", LONGEST[0]), LONGEST[1])
    mover, other = by_turn(tom, anna)
    tap(mover)
    name = LONGEST[(tom, anna).index(other)]
    expect(mover.page.locator(".confirm .primary")).to_have_text(f"Play 9 in {name}'s thousands")
    check(mover, "to confirm")


def test_sudden_death_fits_and_turns_both_digits_over_together(server: Server, person: Make) -> None:
    """Both defend until both have 20 points; secret digits lie face down until the second is chosen.

    Then both lie open until somebody goes on.
    """
    tom = person(reduced_motion="reduce")
    defend_to_sudden_death(tom, server.url)
    expect(tom.page.locator("ol.moves li").first).to_be_in_viewport()  # the latest of many
    cover = tom.page.locator(".cover button")
    for digit, backs in ((2, 0), (4, 1)):
        expect(cover.or_(tom.page.locator(".heading", has_text="Sudden Death")).first).to_be_visible()
        if cover.count():  # whoever moved last still holds the device
            cover.click()
        expect(tom.page.locator("duel-table .cells .back")).to_have_count(backs)
        check(tom, f"sudden death, {backs} chosen")
        tom.page.get_by_role("button", name=f"Digit {digit}").click()
        expect(cover).to_have_count(1 - backs)  # the other is asked now, or both are open
    secret = tom.page.locator("duel-table .cells .tile")
    expect(secret).to_have_count(2)
    names = [each.get_attribute("aria-label") or "" for each in secret.all()]
    assert sorted(name.rpartition(", ")[2] for name in names) == ["2", "4"]
    expect(tom.page.locator(".result h2")).to_have_text(re.compile("^Player [12] wins the round$"))
    expect(tom.page.locator(".result .closing")).to_have_text("4 beats 2 by 2.")
    for width, height in ((1366, 650), (390, 664), (320, 568), (844, 390)):
        tom.page.set_viewport_size({"width": width, "height": height})
        expect(tom.page.locator(".result .reason")).to_be_visible()
    life = tom.page.locator(".result .number").evaluate_all("(all) => all.map((each) => each.ariaLabel)")
    assert sorted(life) == ["life 18", "life 20"]
    check(tom, "sudden death, both open")
    tom.page.locator(NEXT_ROUND).click()
    expect(cover).to_be_visible()
