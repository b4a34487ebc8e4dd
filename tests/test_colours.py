"""The colours of both players, of good and of bad can be read, and told apart by colour-blind eyes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files
from itertools import combinations
from math import dist

import pytest

from digit_duel.cli.app.themes import THEMES

Vector = Sequence[float]
ROLES = ("one", "two", "good", "bad")
READABLE = 4.5  # WCAG AA
# In OKLab. Player two and a mistake were once 0.041 apart on the light page, and 0.026 with deuteranopia.
APART = 0.06
# Machado, Oliveira and Fernandes (2009), complete deficiency, for linear RGB.
EYES = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}
# Ottosson (2020): linear RGB to cones, and their cube roots to OKLab.
CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
LIGHTNESS = (0.2126, 0.7152, 0.0722)


def page_theme(dark: bool) -> dict[str, str]:
    """The page's colours by name."""
    text = files("digit_duel.web").joinpath("static/style/tokens.css").read_text("utf-8")
    pairs = re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", text)
    return {name: pair[dark] for name, *pair in pairs}


THEMES_AND_GROUNDS = {
    "page, light": (page_theme(False), ("paper", "card", "felt", "well")),
    "page, dark": (page_theme(True), ("paper", "card", "felt", "well")),
    **{name: (theme, ("paper",)) for name, theme in THEMES.items()},
}


def linear(colour: str) -> list[float]:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def times(rows: Sequence[Vector], vector: Vector) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in rows]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG."""
    low, high = sorted(times((LIGHTNESS,), linear(each))[0] for each in (one, other))
    return (high + 0.05) / (low + 0.05)


def distance(one: str, other: str, eyes: str) -> float:
    """How different two colours look, in OKLab."""
    seen = ([min(1.0, max(0.0, part)) for part in times(EYES[eyes], linear(each))] for each in (one, other))
    first, second = (times(LAB, [cone ** (1 / 3) for cone in times(CONES, each)]) for each in seen)
    return dist(first, second)


def test_the_measures_agree_with_published_values() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)
    assert distance("#ffffff", "#000000", "usual") == pytest.approx(1, abs=0.001)


@pytest.mark.parametrize("theme", THEMES_AND_GROUNDS)
def test_the_colours_of_players_and_of_mistakes_can_be_read(theme: str) -> None:
    colours, grounds = THEMES_AND_GROUNDS[theme]
    for role in ROLES:
        for ground in grounds:
            assert contrast(colours[role], colours[ground]) >= READABLE, (role, ground)
        on_player = colours.get("on_player") or colours["on-player"]
        assert contrast(colours[role], on_player) >= READABLE, role


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("theme", THEMES_AND_GROUNDS)
def test_players_and_mistakes_do_not_look_alike(theme: str, eyes: str) -> None:
    colours, _ = THEMES_AND_GROUNDS[theme]
    for one, other in combinations(ROLES, 2):
        assert distance(colours[one], colours[other], eyes) >= APART, (one, other)
