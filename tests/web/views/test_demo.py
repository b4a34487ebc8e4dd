"""The miniatures on the first page show a game in progress."""

from __future__ import annotations

import pytest

from digit_duel.games import ids, variant
from digit_duel.web.views.demo import demo


@pytest.mark.parametrize("id", ids())
def test_a_demo_has_some_positions(id: str) -> None:
    assert 2 <= len(demo(variant(id))) <= 10


def test_nobody_in_the_demo_of_battle_is_out_of_life_points() -> None:
    values = [meter.value for scene in demo(variant("battle")) for row in scene.rows for meter in row.meters]
    assert len(values) >= 4
    assert all(0 < value <= 20 for value in values)


def test_the_demo_of_classic_ends_before_the_last_place_is_filled() -> None:
    last = demo(variant("classic"))[-1]
    assert [cell.digit for row in last.rows for cell in row.cells].count(None) == 1
