"""The page is small, and asks nobody else for anything."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from tests.web.browser.people import Person, play_computer
from tests.web.server import Server

from digit_duel.web.pages import parts

MOST = 30 * 1024  # bytes, gzipped, of all files together (R20)


def test_the_whole_page_weighs_less_than_thirty_kilobytes() -> None:
    assert sum(len(part.packed) for part in parts().values()) < MOST


def test_nothing_is_asked_of_anybody_else(server: Server, person: Callable[..., Person]) -> None:
    tom = person()
    asked: set[str] = set()
    tom.page.on("request", lambda request: asked.add(urlsplit(request.url).netloc))
    play_computer(tom, server.url, "classic")
    assert asked <= {urlsplit(server.url).netloc, ""}
