"""Counts the traffic of each click: whole games in a real browser, with every request and frame recorded.

Every game is played against the computer, with a friend in a second browser, and on one device. Prints a
Markdown table without keepalive pings. Of the protocol this file knows only what a view looks like, so
versions can be compared: with `--url` it measures a running server instead of this checkout.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Request, WebSocket
    from tests.web.browser.people import Person

ROOT = Path(__file__).parent.parent
GAMES = ("classic", "reverse", "sabotage", "cards", "battle")
MODES = ("computer", "friend", "one device")
KEEPALIVE = ("ping", "pong")


@dataclass
class Traffic:
    """The amount of traffic between one page and the server."""

    requests: int = 0
    sent: int = 0  # socket messages
    received: int = 0
    views: int = 0
    bytes: int = 0

    def copy(self) -> Traffic:
        """Return a copy, to subtract later."""
        return Traffic(*(getattr(self, each.name) for each in fields(self)))

    def minus(self, other: Traffic) -> Traffic:
        """Return the traffic since an earlier copy."""
        return Traffic(*(getattr(self, each.name) - getattr(other, each.name) for each in fields(self)))


@dataclass
class Meter:
    """Counts the traffic of one page, and divides it into clicks."""

    person: Person
    total: Traffic = field(default_factory=Traffic)
    begin: Traffic = field(default_factory=Traffic)  # the total when the game became playable
    clicks: list[Traffic] = field(default_factory=list)  # the totals just before each click
    pending: list[Request] = field(default_factory=list)  # answered requests whose body was not read yet

    def __post_init__(self) -> None:
        self.person.page.on("requestfinished", lambda request: self.pending.append(request))
        self.person.page.on("websocket", self._socket)

    def _socket(self, socket: WebSocket) -> None:
        self.total.requests += 1
        socket.on("framesent", lambda data: self._frame(data, "sent"))
        socket.on("framereceived", lambda data: self._frame(data, "received"))

    def _frame(self, data: str | bytes, way: str) -> None:
        text = data if isinstance(data, str) else data.decode()
        message = json.loads(text)
        if message.get("type") in KEEPALIVE:
            return
        setattr(self.total, way, getattr(self.total, way) + 1)
        self._count(text, message)

    def _count(self, text: str, message: Any) -> None:
        self.total.bytes += len(text.encode())
        self.total.views += views_in(message)

    def read(self) -> Traffic:
        """Return the traffic so far, reading pending bodies: browser events cannot read them."""
        while self.pending:
            request = self.pending.pop(0)
            response = request.response()
            if response is None or "/static/" in request.url:
                continue
            self.total.requests += 1
            self.total.bytes += len((request.post_data or "").encode())
            text = response.text()
            self._count(text, json.loads(text) if text.startswith(("{", "[")) else None)
        return self.total.copy()

    def per_click(self) -> list[Traffic]:
        """Return the traffic of each click: up to the same person's next click, or to the end of the game."""
        marks = [self.begin, *self.clicks[1:], self.read()]
        return [after.minus(before) for before, after in pairwise(marks)]


def views_in(message: Any) -> int:
    """Count the positions in a message: objects with a scene and a version."""
    if isinstance(message, dict):
        return ("scene" in message and "version" in message) + sum(map(views_in, message.values()))
    return sum(map(views_in, message)) if isinstance(message, list) else 0


def start(browser: Browser, url: str, game: str, mode: str) -> tuple[list[Meter], list[Traffic]]:
    """Start a game and return the players' meters and the traffic each needed to start or join."""
    from tests.web.browser.people import pick, somebody, wait_until

    first = Meter(somebody(browser))
    page = first.person.page
    pick(first.person, url, game)
    page.get_by_label("Level of the computer").select_option("random")
    if mode != "friend":
        button = "Play the computer" if mode == "computer" else "Two on this device"
        return [first], [press(first, button, ".cover button, duel-table button:enabled")]
    starting = press(first, "Invite a friend", ".invite input")
    second = Meter(somebody(browser))
    second.person.page.goto(page.get_by_label("Send this link").input_value())
    joining = press(second, "Join", "duel-table")
    assert wait_until(lambda: first.person.choices() + second.person.choices() > 0)
    return [first, second], [starting, joining]


def press(meter: Meter, button: str, usable: str) -> Traffic:
    """Press a button and return the traffic until the page becomes usable."""
    page = meter.person.page
    page.wait_for_load_state("networkidle")
    before = meter.read()
    page.get_by_role("button", name=button).click()
    page.locator(usable).first.wait_for()
    page.wait_for_timeout(300)  # meanwhile the socket opens
    return meter.read().minus(before)


def play(meters: list[Meter]) -> int:
    """Play to the end by clicking, record the traffic before each click, and return the number of moves."""
    from tests.web.browser.people import tap, version, wait_until

    news = meters[0].person.page.locator("ol.moves li")
    before_all = news.count()
    for meter in meters:
        meter.begin = meter.read()
    while not all(meter.person.over() for meter in meters):
        for meter in meters:
            person = meter.person
            cover = person.page.locator(".cover button")
            if cover.count():
                person.page.wait_for_timeout(100)  # the page may be covered only until an answer arrives
                if cover.count():
                    cover.first.click()
            elif person.choices() and not person.over():
                meter.clicks.append(meter.read())
                before = version(person)
                tap(person)
                assert wait_until(lambda: version(person) != before or person.over())  # noqa: B023  # at once
        meters[0].person.page.wait_for_timeout(20)
    for meter in meters:
        meter.person.page.wait_for_timeout(200)  # late answers
    return news.count() - before_all


def row(browser: Browser, url: str, game: str, mode: str) -> str:
    """Play one game and return its line of the table."""
    meters, starting = start(browser, url, game, mode)
    moves = play(meters)
    clicks = [click for meter in meters for click in meter.per_click()]
    people = len(meters)
    for meter in meters:
        meter.person.context.close()

    def mean(name: str) -> float:
        total: int = sum(getattr(click, name) for click in clicks)
        return total / len(clicks)

    amounts = " | ".join(f"{mean(name):.1f}" for name in ("requests", "sent", "received", "views"))
    received = sum(click.views for click in clicks) / (moves * people)
    requests, sizes = (
        " + ".join(str(getattr(each, name)) for each in starting) for name in ("requests", "bytes")
    )
    return (
        f"| {game} | {mode} | {requests} | {sizes} | {len(clicks)} | {amounts} | "
        f"{received:.2f} | {mean('bytes'):.0f} | {max(click.bytes for click in clicks)} |"
    )


HEAD = (
    "| game | against | requests to start | bytes to start | clicks | requests | messages out | messages in "
    "| views | views per person and move | bytes | most bytes |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|---|"
)


@contextmanager
def server(url: str | None) -> Iterator[str]:
    """Yield the address of a server: a running one, or one of this checkout."""
    from tests.web.server import running_server

    if url is not None:
        yield url
        return
    with TemporaryDirectory() as folder, running_server(Path(folder)) as found:
        yield found.url


def main() -> None:
    """Print one line for every game and opponent."""
    sys.path.insert(0, str(ROOT))
    from playwright.sync_api import sync_playwright
    from tests.web.browser.conftest import FLAGS, chromium

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--url", help="a running server, such as http://127.0.0.1:8642")
    parser.add_argument("--game", choices=GAMES, action="append", help="only these games")
    options = parser.parse_args()
    with server(options.url) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        print(HEAD)
        for game in options.game or GAMES:
            for mode in MODES:
                print(row(browser, url, game, mode), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
