"""The page of a lab report, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tests.lab.test_report import a_study

from digit_duel.lab.report.html_page import html

# The labels that are wider than their part of the bar.
_CLIPPED = """() => [...document.querySelectorAll('.bar span')]
    .filter(box => parseFloat(getComputedStyle(box).fontSize) > 0 && box.scrollWidth > box.clientWidth)
    .map(box => box.textContent)"""


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_label_of_a_bar_is_cut_off(browser: Browser, tmp_path: Path, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 700})
    for percent in range(0, 101, 3):
        (tmp_path / "r.html").write_text(html(a_study(percent / 100, 0, 1, 0.6)))
        page.goto((tmp_path / "r.html").as_uri())
        assert page.evaluate(_CLIPPED) == [], f"{percent}%"
        assert page.evaluate("document.documentElement.scrollWidth") == width
    page.close()
