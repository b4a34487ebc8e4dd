"""Motion: tiles fly, the layout does not shift, and prefers-reduced-motion is respected."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect
from tests.web.browser.people import (
    NEXT_ROUND,
    Person,
    play_computer,
    play_out,
    wait_until,
)
from tests.web.server import Server, running_server

from digit_duel import games

Make = Callable[..., Person]
# From now on: how far each tile flies to its place, for how long, and whether it arrives there.
RECORD = """() => { window.flights = []; const { animate } = Element.prototype;
    Element.prototype.animate = function (frames, options) {
        const flight = animate.call(this, frames, options);
        if (this.matches('.below .place > .tile')) { const { m41, m42 } = new DOMMatrix(frames[0].transform);
            flight.finished.then(() => window.flights.push(
                [Math.hypot(m41, m42), options.duration, this.isConnected])); }
        return flight; }; }"""
SHIFTS = """new PerformanceObserver((list) => { window.shifts = (window.shifts ?? []).concat(list.getEntries()
    .map((e) => [e.value, e.hadRecentInput, e.sources.map((s) => s.node?.className ?? s.node?.nodeName)])); })
    .observe({ type: 'layout-shift', buffered: true })"""


def place_a_digit(person: Person) -> None:
    """Tap a digit and a place of the viewer's."""
    assert wait_until(lambda: person.choices() > 0)
    person.page.get_by_role("button", name="Digit 7").click()
    person.page.evaluate(RECORD)
    person.page.get_by_role("button", name="Your tens, empty").click()
    expect(person.page.locator(".below .place > .tile")).to_have_count(1)


def begin(person: Person, server: Server) -> None:
    """A game of classic in which nothing lies yet."""
    person.page.goto(server.url)
    for _ in range(20):
        play_computer(person, server.url, "classic")
        assert wait_until(lambda: person.choices() > 0)
        if not person.page.locator("duel-table .cells .tile").count():
            return
    raise AssertionError("the coin fell on the same side twenty times")


def test_a_tile_flies_from_the_pool_to_its_place(server: Server, person: Make) -> None:
    tom = person()
    begin(tom, server)
    place_a_digit(tom)
    assert wait_until(lambda: bool(tom.page.evaluate("window.flights")))
    ((distance, milliseconds, arrived),) = tom.page.evaluate("window.flights")
    assert distance > 60  # it comes from the pool
    assert 200 <= milliseconds <= 250
    assert arrived  # and is not drawn anew on the way


def test_nothing_moves_for_those_who_want_no_motion(server: Server, person: Make) -> None:
    tom = person(reduced_motion="reduce")
    begin(tom, server)
    place_a_digit(tom)
    assert tom.page.evaluate("document.getAnimations().length") == 0
    assert wait_until(lambda: tom.choices() > 0)  # the computer has answered
    assert tom.page.evaluate("window.flights") == []


@pytest.fixture(scope="module")
def humane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose computer moves after more than the half second in which a tap excuses layout shifts."""
    with running_server(tmp_path_factory.mktemp("humane"), computer_pace=0.7) as server:
        yield server


@pytest.mark.slow
@pytest.mark.parametrize("game", games.ids())
@pytest.mark.parametrize("size", [(390, 664), (1280, 800)], ids=["phone", "desk"])
def test_nothing_is_pushed_around_in_a_whole_game(
    game: str, size: tuple[int, int], humane: Server, person: Make
) -> None:
    """A cumulative layout shift of 0, but for the change of screen at the end of a round and of the game."""
    tom = person(viewport=dict(zip(("width", "height"), size, strict=True)))
    play_computer(tom, humane.url, game)
    assert wait_until(lambda: tom.choices() > 0)
    tom.page.evaluate(SHIFTS)
    tom.page.evaluate("window.shifts = []")
    play_out([tom])
    expect(tom.page.locator(NEXT_ROUND)).to_have_count(0)
    tom.page.wait_for_timeout(300)
    assert [shift for shift in tom.page.evaluate("window.shifts") if not shift[1]] == []
