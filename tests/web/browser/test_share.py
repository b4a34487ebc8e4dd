"""Sharing a finished game: a picture and a link, to an app of the device or by hand."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.web.browser.people import Person, play_computer, play_out, wait_until
from tests.web.browser.screens import SIZES
from tests.web.server import Server

Make = Callable[..., Person]
# A device with apps to share to, as phones have: it notes what it is handed, and does what the test wants.
DEVICE = """(outcome) => { window.handed = [];
    navigator.canShare = ({ files }) => files.every(({ type }) => type === 'image/png');
    navigator.share = async (data) => {
        const [file] = data.files ?? [];
        const start = file && new DataView(await file.slice(0, 24).arrayBuffer());
        window.handed.push({ text: data.text, url: data.url, name: file?.name,
            size: start && [start.getUint32(16), start.getUint32(20)] });
        if (outcome) throw new DOMException('', outcome); }; }"""


def finished(person: Person, server: Server) -> None:
    play_computer(person, server.url, "classic")
    play_out([person])


def test_a_device_with_apps_is_handed_the_picture_and_the_link(server: Server, person: Make) -> None:
    tom = person()
    finished(tom, server)
    tom.page.evaluate(DEVICE)
    tom.page.get_by_role("button", name="Share").click()
    assert wait_until(lambda: len(tom.page.evaluate("window.handed")) == 1)
    [handed] = tom.page.evaluate("window.handed")
    assert handed["url"] == tom.page.url
    assert handed["text"].startswith("Digit Duel, Classic: Final Numbers: ")
    assert (handed["name"], handed["size"]) == ("digit-duel.png", [1200, 630])
    expect(tom.page.get_by_role("dialog")).to_have_count(0)


def test_who_thinks_better_of_it_is_asked_nothing_more(server: Server, person: Make) -> None:
    tom = person()
    finished(tom, server)
    tom.page.evaluate(DEVICE, "AbortError")
    tom.page.get_by_role("button", name="Share").click()
    assert wait_until(lambda: len(tom.page.evaluate("window.handed")) == 1)
    tom.page.wait_for_timeout(300)
    expect(tom.page.get_by_role("dialog")).to_have_count(0)


def test_elsewhere_the_link_is_copied_and_the_picture_can_be_saved(
    server: Server, person: Make, tmp_path: Path
) -> None:
    tom = person(permissions=["clipboard-read", "clipboard-write"])
    finished(tom, server)
    page = tom.page.url
    tom.page.get_by_role("button", name="Share").click()
    box = tom.page.get_by_role("dialog", name="Share this game")
    picture = box.get_by_role("img", name="The final table")
    expect(picture).to_have_js_property("naturalWidth", 1200)
    expect(box.get_by_label("Link")).to_have_value(page)
    assert tom.page.evaluate("navigator.clipboard.readText()").endswith(f" {page}")
    with tom.page.expect_download() as download:
        box.get_by_role("link", name="Save picture").click()
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    data = saved.read_bytes()
    assert saved.name == "digit-duel.png"
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", data[16:24]) == (1200, 630)
    assert tom.page.url == page
    box.get_by_role("button", name="Close").click()
    expect(tom.page.get_by_role("button", name="Share")).to_be_focused()


@pytest.mark.parametrize("size", SIZES)
def test_all_that_can_be_done_with_a_picture_is_in_the_window(
    size: str, server: Server, person: Make
) -> None:
    """The buttons were once cut off on a phone on its side."""
    width, height = SIZES[size]
    tom = person(reduced_motion="reduce")
    finished(tom, server)
    tom.page.set_viewport_size({"width": width, "height": height})
    tom.page.get_by_role("button", name="Share").click()
    box = tom.page.get_by_role("dialog", name="Share this game")
    expect(box.get_by_role("status")).not_to_be_empty()
    for each in (*box.get_by_role("button").all(), box.get_by_role("link"), box.get_by_role("img")):
        place = each.bounding_box()
        assert place
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= width
        assert place["y"] + place["height"] <= height
    assert {each.bounding_box()["height"] for each in box.get_by_role("button").all()} == {48}  # type: ignore[index]


def test_a_device_that_refuses_leaves_the_way_by_hand(server: Server, person: Make) -> None:
    tom = person()
    finished(tom, server)
    tom.page.evaluate(DEVICE, "NotAllowedError")
    tom.page.get_by_role("button", name="Share").click()
    expect(tom.page.get_by_role("dialog", name="Share this game")).to_be_visible()
