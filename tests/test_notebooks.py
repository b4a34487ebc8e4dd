"""What notebooks show: well-formed pictures that follow the theme and hide what a seat does not know."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from digit_duel import games, solve
from digit_duel.core.game import Seat
from digit_duel.core.pictures.svg import scene_svg
from digit_duel.games._cards_table import Draw, Keep


def texts(svg: str) -> list[str]:
    """The texts in a picture."""
    return [
        "".join(node.itertext()) for node in ElementTree.fromstring(svg).iter() if node.tag.endswith("text")
    ]


@pytest.mark.parametrize("id", games.ids())
def test_a_game_draws_itself(id: str) -> None:
    variant = games.variant(id)
    shown = variant._repr_html_()
    assert variant.summary.split(";")[0] in shown
    picture = shown[shown.index("<svg") : shown.index("</svg>") + 6]
    assert texts(picture)[0].startswith(variant.title)
    assert {"First", "Second"} <= set(texts(picture))
    assert "currentColor" in picture


def test_a_theme_can_be_chosen() -> None:
    variant = games.variant("classic")
    start = variant.game.start()
    light, dark = (variant.svg(start, theme) for theme in ("light", "dark"))
    assert "currentColor" not in light + dark
    # Both may stand on one page, where every style holds for all of it.
    assert all(rule.startswith(".dd-light ") for rule in re.findall(r"[^{}<>]+(?={)", light))
    assert all(rule.startswith(".dd-dark ") for rule in re.findall(r"[^{}<>]+(?={)", dark))


def test_the_name_of_the_seat_that_may_move_is_underlined() -> None:
    variant = games.variant("classic")
    start = variant.game.start()
    after = variant.game.play(start, variant.game.legal(start, Seat.FIRST)[0])
    lines = [re.findall(r'y="(\d+)" width="50"', variant.svg(state)) for state in (start, after)]
    assert [len(found) for found in lines] == [1, 1]
    assert int(lines[0][0]) < int(lines[1][0])  # the second seat sits below


def test_a_seat_is_not_shown_what_it_does_not_know() -> None:
    variant = games.variant("cards")
    table = variant.game.play(variant.game.play(variant.game.start(), Draw(7)), Keep())
    table = variant.game.play(table, Draw(3))
    sees = [texts(scene_svg("", variant.voice.scene(variant.game.view(table, seat)))) for seat in Seat]
    assert "7" in sees[0]
    assert "7" not in sees[1]
    assert "3" in sees[1]
    assert {"7", "3"} <= set(texts(variant.svg(table)))


def test_a_policy_is_a_table() -> None:
    rung = next(rung for rung in solve.ladder() if rung.name == "cards-1")
    table = solve.tabulate(rung.variant, solve.uniform)
    shown = table._repr_html_()
    assert "k 1/2, g 1/2" in shown
    assert f"{len(table)} views" in shown
    assert "seat=FIRST," in shown
