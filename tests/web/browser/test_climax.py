"""The end of a round or a game is shown step by step, and the next round is dealt after it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect
from tests.web.browser.people import (
    NEXT_ROUND,
    Person,
    defend_to_sudden_death,
    invite,
    join,
    pick,
    play_computer,
    play_out,
    tap,
    version,
    wait_until,
)
from tests.web.server import Server

Make = Callable[..., Person]
MINUS = "\N{MINUS SIGN}"
# From now on, what can be seen of the end in each frame, without repetitions.
WATCH = """() => { window.seen = []; window.flown = []; const { animate } = Element.prototype;
    Element.prototype.animate = function (frames, options) {
        const { m41, m42 } = new DOMMatrix(frames[0].transform ?? 'none');
        window.flown.push([this.parentElement.className, Math.round(Math.hypot(m41, m42))]);
        return animate.call(this, frames, options); };
    const visible = (e) => Boolean(e) && getComputedStyle(e).visibility === 'visible';
    const look = () => {
        const table = document.querySelector('.board duel-table');
        if (table) {
            const all = (selector, part) => [...table.querySelectorAll(selector)].map(part);
            const now = JSON.stringify({ decided: Boolean(table.querySelector('.decided')),
                told: visible(table.querySelector('.title')), why: visible(table.querySelector('.closing')),
                star: Boolean(table.querySelector('.won')), faded: Boolean(table.querySelector('.lost')),
                marked: Boolean(table.querySelector('.deciding')),
                covered: all('.versus .place', (e) => getComputedStyle(e, '::before').content !== 'none'),
                news: visible(document.querySelector('ol.moves li')),
                tiles: all('.cells .tile', (e) => e.ariaLabel).length,
                score: all('.pips, .versus .number', (e) => e.ariaValueNow ?? e.ariaLabel) });
            if (window.seen.at(-1) !== now) window.seen.push(now);
        }
        requestAnimationFrame(look); };
    look(); }"""
# Looks at every change of the page, too, because a busy machine draws few frames. What was visible stays
# visible until the next look.
HITS = """() => { window.hits = {}; window.over = []; let visible = [];
    const look = () => { const at = performance.now();
        for (const hit of visible) hit[1] = at;
        visible = [];
        for (const e of document.querySelectorAll('.change')) {
            const hit = (window.hits[`${e.closest('.row').ariaLabel} ${e.textContent}`] ??= [at, at]);
            if (getComputedStyle(e).visibility === 'visible') visible.push(hit);
            const a = e.getBoundingClientRect();
            const b = document.querySelector('.ahead')?.getBoundingClientRect();
            if (b && a.right > b.left && a.left < b.right && a.bottom > b.top && a.top < b.bottom)
                window.over.push(e.textContent); } };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    const frame = () => { look(); requestAnimationFrame(frame); };
    frame(); }"""


def frames(person: Person) -> list[dict[str, Any]]:
    """What was seen, one after the other."""
    found: list[dict[str, Any]] = person.page.evaluate("window.seen.map(JSON.parse)")
    return found


def lay_out_a_hand(person: Person) -> None:
    """Keep every card, and watch from when the number is laid out."""
    answers = person.page.locator("duel-table .asks fieldset button")
    while True:
        assert wait_until(lambda: person.choices() > 0)
        last = answers.count() > 2
        if last:
            person.page.evaluate(WATCH)
        before = version(person)
        answers.first.click()
        if last:
            return
        assert wait_until(lambda before=before: version(person) != before)  # type: ignore[misc]


def test_hands_turn_over_before_it_is_said_who_won(server: Server, person: Make) -> None:
    tom = person()
    play_computer(tom, server.url, "cards")
    lay_out_a_hand(tom)
    expect(tom.page.locator(".result h2")).to_be_visible()
    assert wait_until(lambda: not tom.page.locator(".turning, .marking, .telling").count())
    tom.page.wait_for_timeout(100)
    seen = [each for each in frames(tom) if each["decided"]]
    first, last = seen[0], seen[-1]
    assert all(first["covered"])
    assert len(first["covered"]) == 6
    assert not any(first[part] for part in ("told", "why", "star", "faded", "marked", "news"))
    assert sorted(first["score"]) == ["0", "0"]
    order = [next(at for at, each in enumerate(seen) if each[part]) for part in ("marked", "told", "news")]
    assert order == sorted(order)
    assert all(each["score"] == first["score"] for each in seen if not each["told"])
    assert all(last[part] for part in ("told", "why", "star", "faded", "news"))
    assert sorted(last["score"]) == ["0", "1"]  # a tie is rare, and would fail above, too


def test_all_is_there_at_once_for_those_who_want_no_motion(server: Server, person: Make) -> None:
    tom = person(reduced_motion="reduce")
    play_computer(tom, server.url, "cards")
    lay_out_a_hand(tom)
    expect(tom.page.locator(".result h2")).to_be_visible()
    tom.page.wait_for_timeout(100)
    first = next(each for each in frames(tom) if each["decided"])
    assert first["told"]
    assert not any(first["covered"])


def test_the_next_round_is_dealt_after_the_tap(server: Server, person: Make) -> None:
    tom = person()
    play_computer(tom, server.url, "cards")
    lay_out_a_hand(tom)
    tom.page.evaluate("window.flown = []")
    tom.page.locator(NEXT_ROUND).click()
    expect(tom.page.locator("duel-table .drawn > *")).to_be_visible()
    assert wait_until(lambda: any(c == "drawn" and d > 30 for c, d in tom.page.evaluate("window.flown")))


def test_the_last_tile_flies_before_the_verdict(server: Server, person: Make) -> None:
    tom = person()
    pick(tom, server.url, "classic")
    tom.page.get_by_role("radio", name="Opponent").check(force=True)
    tom.page.get_by_role("button", name="Play the computer").click()
    for _ in range(2):
        assert wait_until(lambda: tom.choices() > 0)
        before = version(tom)
        tap(tom)
        assert wait_until(lambda before=before: version(tom) != before)  # type: ignore[misc]
    assert wait_until(lambda: tom.choices() > 0)
    tom.page.evaluate(WATCH)
    tap(tom)
    expect(tom.page.locator(".result h2")).to_be_visible()
    seen = frames(tom)
    assert any(
        each["tiles"] == 6 and not each["decided"] for each in seen
    )  # the full boards, still on the table
    assert any(name == "place" and far > 60 for name, far in tom.page.evaluate("window.flown"))
    assert [each["told"] for each in seen].index(True) > [each["marked"] for each in seen].index(True)


def test_a_fatal_blow_is_seen_before_the_verdict(server: Server, person: Make) -> None:
    tom = person()
    play_computer(tom, server.url, "battle")
    assert wait_until(lambda: tom.choices() > 0)
    tom.page.evaluate(WATCH)
    tom.page.evaluate(HITS)
    while not tom.over():
        assert wait_until(lambda: tom.choices() > 0 or tom.page.locator(".decided").count() > 0)
        if tom.page.locator(".decided").count():
            break
        before = version(tom)
        tom.page.locator(".pool button:enabled").last.click()
        tom.page.get_by_role("button", name="Attack").click()
        assert wait_until(lambda before=before: version(tom) != before)  # type: ignore[misc]
    expect(tom.page.locator(".result h2")).to_be_visible()
    assert all(last - begin > 700 for begin, last in tom.page.evaluate("Object.values(window.hits)"))
    assert tom.page.evaluate("window.over") == []


def test_a_hit_is_seen_for_a_moment_even_if_an_answer_follows_at_once(server: Server, person: Make) -> None:
    """What happened last stays beside the life points, and does not cover who is ahead."""
    tom = person(viewport={"width": 390, "height": 664})
    pick(tom, server.url, "battle")
    tom.page.get_by_role("radio", name="Me", exact=True).check(force=True)
    tom.page.get_by_role("button", name="Play the computer").click()
    assert wait_until(lambda: tom.choices() > 0)
    tom.page.evaluate(HITS)
    tom.page.get_by_role("button", name="Digit 4").click()
    tom.page.get_by_role("button", name="Attack").click()
    assert wait_until(lambda: tom.choices() > 0 or tom.over())
    tom.page.wait_for_timeout(1200)
    begin, last = tom.page.evaluate("window.hits")[f"Computer's side {MINUS}4"]
    assert last - begin > 700
    change = tom.page.locator(".change:visible")
    expect(change).to_have_count(1)
    expect(change).to_have_text(re.compile(rf"^[+{MINUS}]\d$"))
    assert tom.page.evaluate("window.over") == []


def test_in_sudden_death_life_changes_after_the_digits(server: Server, person: Make) -> None:
    """On one device, the headline and the colour say who chooses."""
    tom = person()
    defend_to_sudden_death(tom, server.url)
    cover = tom.page.locator(".cover button")
    expect(cover.or_(tom.page.locator(".heading", has_text="Sudden Death")).first).to_be_visible()
    for digit in (2, 4):
        if digit == 4:
            expect(cover).to_be_visible()  # the first choice is saved
        if cover.count():  # else whoever moved last still holds the device
            cover.click()
        name = tom.page.locator("duel-table .turn .name bdi")
        expect(name).to_have_count(1)
        asked = f"{name.inner_text()}: choose a secret digit from 1 to 5."
        expect(tom.page.locator(".headline")).to_have_text(asked)
        tom.page.evaluate(WATCH)
        tom.page.get_by_role("button", name=f"Digit {digit}").click()
    expect(tom.page.locator(".result h2")).to_be_visible()
    assert wait_until(lambda: not tom.page.locator(".turning, .marking, .telling").count())
    tom.page.wait_for_timeout(100)
    seen = [each for each in frames(tom) if each["decided"]]
    assert seen[0]["score"] == ["life 20", "life 20"]
    assert not seen[0]["told"]
    assert sorted(seen[-1]["score"]) == ["life 18", "life 20"]
    expect(tom.page.locator(".caption")).to_have_count(0)
    tom.page.locator(NEXT_ROUND).click()
    cover.click()
    # The old digits could be taken for the next choice.
    expect(tom.page.locator(".caption")).to_have_text(["last reveal", "last reveal"])
    names = tom.page.locator(".row .tile").evaluate_all("(all) => all.map((each) => each.ariaLabel)")
    assert sorted(name.partition("1, ")[2] for name in names) == ["2, last reveal", "4, last reveal"]
    tom.page.get_by_role("button", name="Digit 1").click()
    cover.click()
    expect(tom.page.locator(".row .back")).to_have_count(1)
    expect(tom.page.locator(".caption")).to_have_count(0)


def test_the_digits_of_the_winner_rain_once_and_only_for_them(server: Server, person: Make) -> None:
    tom, anna = person(), person()
    join(anna, invite(tom, server.url, "classic", "Tom"), "Anna")
    play_out([tom, anna])
    won = [each.page.get_by_role("heading", name="You win!").count() for each in (tom, anna)]
    assert sorted(won) == [0, 1]
    winner, loser = (tom, anna) if won[0] else (anna, tom)
    rain = winner.page.locator(".rain .digit")
    expect(rain).to_have_count(14)
    number = "(all) => all.map((e) => e.firstElementChild.getAttribute('href').slice(2)).join('')"
    seen = winner.page.locator(".won .cells .digit").evaluate_all(number)
    assert rain.evaluate_all(number) == (seen * 5)[:14]
    expect(loser.page.locator(".telling")).to_have_count(0)
    expect(loser.page.locator(".rain")).to_have_count(0)
    winner.page.reload()
    expect(winner.page.get_by_role("heading", name="You win!")).to_be_visible()
    expect(winner.page.locator(".rain")).to_have_count(0)
