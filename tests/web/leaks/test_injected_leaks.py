"""Leaks planted into the server, each of which the comparison of worlds finds (SAFETY R9b).

Without this, that worlds look alike would mean nothing. Each leak is a mistake that somebody could make. A
dozen of them, one for each way out of the server, are planted on every run; make soak plants them all.
"""

from __future__ import annotations

import pytest
from tests.web.leaks import planted_rules, planted_views, planted_wire
from tests.web.leaks.planting import LEAKS
from tests.web.leaks.sweep import sweep
from tests.worlds import Leak

ALWAYS = {
    "a_choice_is_sealed_without_salt",
    "a_gauge_tells",
    "a_hint_is_given_for_any_seat",
    "a_refusal_names_the_others_hand",
    "a_socket_says_it_twice",
    "a_stranger_sees_what_either_sees",
    "an_etag_of_the_state",
    "moves_are_logged",
    "the_past_is_shown_in_the_movers_eyes",
    "the_record_is_whole_for_everybody",
    "the_seed_is_in_the_view",
    "the_state_is_in_the_view",
}
PAIRS = 60  # of worlds in thorough stories, among which a leak must be found


def test_there_are_more_than_fifty_leaks() -> None:
    planted = {plant.__module__ for plant, _ in LEAKS.values()}
    assert planted == {planted_rules.__name__, planted_views.__name__, planted_wire.__name__}
    assert len(LEAKS) == 75
    assert set(LEAKS) >= ALWAYS


def test_without_a_leak_nothing_is_found() -> None:
    for kind in ("cards", "battle", "open"):
        assert sweep(3, "planted", thorough=True, most=2, kind=kind).pairs == 3


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in ALWAYS else pytest.mark.campaign) for name in LEAKS],
)
def test_a_planted_leak_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, kind = LEAKS[name]
    plant(monkeypatch)
    with pytest.raises(Leak):
        sweep(PAIRS, "planted", thorough=True, most=2, kind=kind)
