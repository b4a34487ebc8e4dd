"""One browser and one server for all of these tests."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright
from tests.web.browser.people import Person, somebody

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


def chromium() -> str:
    """Return the path of the distribution's browser."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert path, "no Chromium here: tools/install-test-packages installs it"
    return path


# Not for the whole session: Playwright keeps a loop running in this thread, and other tests run theirs.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def person(browser: Browser) -> Iterator[Callable[..., Person]]:
    """Make people with browsers; afterwards, no page may have logged an error."""
    people: list[Person] = []

    def make(**more: object) -> Person:
        people.append(somebody(browser, **more))
        return people[-1]

    yield make
    for each in people:
        each.context.close()
    assert [wrong for each in people for wrong in each.complaints()] == []
