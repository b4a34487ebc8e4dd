"""Every reason is true: a second opinion on its claims, and a claim for each phrase and number in it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.coach.checks import Doubt, check
from tests.coach.positions import NAMES, sampled, variant
from tests.coach.sentences import unsupported

from digit_duel.coach.families import coach_of
from digit_duel.coach.reason import Reason
from digit_duel.coach.speech import Speech
from digit_duel.core.variant import AnyVariant

QUICK, MANY = 150, 10_000
GAMES = ("classic", "reverse", "sabotage", "cards", "battle")
CUSTOMISED: dict[str, tuple[str, dict[str, str]]] = {
    "a draw on equal numbers": ("classic", {"places": "2", "pool": "1-3x2", "tie": "draw"}),
    "equal numbers to the first": ("sabotage", {"places": "2", "pool": "0-4x2", "tie": "first"}),
    "high numbers on either board": ("sabotage", {"places": "2", "pool": "1-5x2", "goal": "high"}),
    "one place": ("classic", {"places": "1", "pool": "1-4"}),
    "little life": ("battle", {"start_life": "4", "max_life": "8", "pool": "1-6"}),
    "no stand-off limit": (
        "battle",
        {"start_life": "3", "max_life": "5", "pool": "1-4", "standoff_limit": "none"},
    ),
    "a stand-off that is a draw": (
        "battle",
        {"start_life": "3", "max_life": "5", "pool": "1-4", "standoff_limit": "3", "standoff": "draw"},
    ),
    "seats can be swapped": ("classic", {"places": "2", "pool": "1-6", "swap": "yes"}),
    "seats and boards can be swapped": ("sabotage", {"places": "2", "pool": "0-2x2", "swap": "yes"}),
    "attackers can be swapped": (
        "battle",
        {"start_life": "4", "max_life": "6", "pool": "1-4", "standoff_limit": "3", "swap": "yes"},
    ),
    "keep what you draw": ("cards", {"facing_full": "must_keep"}),
    "two discards": ("cards", {"facing_full": "cap:2"}),
    "no skipping": ("cards", {"full_turn": "alternate"}),
    "open hands": ("cards", {"visibility": "open"}),
    "a small deck": ("cards", {"pool": "0-4x2", "hand_size": "2"}),
}


def doubts(table: AnyVariant, count: int, seed: str) -> list[str]:
    """What is wrong with the reasons for hints, and for any other move, in so many positions."""
    rng, found = Random(seed), []
    for at, (state, seat) in enumerate(sampled(table, count, seed)):
        legal = tuple(table.game.legal(state, seat))
        view = table.game.view(state, seat)
        asked = coach_of(table).decision(view, seat, legal, Speech(NAMES, (seat, seat.other, None)[at % 3]))
        move = asked.chosen() if at % 2 == 0 else rng.choice(legal)
        found += wrong(asked.case.game, asked.case.state, asked.explain(move))
    return found


def wrong(game: Any, view: Any, reason: Reason) -> list[str]:
    """What is wrong with one reason."""
    found = [f"{reason.sentence}: {what}" for what in unsupported(reason.sentence, reason.claims)]
    for claim in reason.claims:
        try:
            check(game, view, claim)
        except Doubt as doubt:
            found.append(f"{reason.sentence}: {doubt}")
    return found


@pytest.mark.parametrize("id", GAMES)
def test_every_reason_is_true(id: str) -> None:
    assert doubts(variant(id), QUICK, f"quick {id}") == []


@pytest.mark.parametrize("name", CUSTOMISED)
def test_every_reason_is_true_under_other_rules(name: str) -> None:
    id, options = CUSTOMISED[name]
    assert doubts(variant(id, **options), QUICK // 2, name) == []


@pytest.mark.campaign
@pytest.mark.parametrize("id", GAMES)
def test_every_reason_in_ten_thousand_positions_is_true(id: str) -> None:
    assert doubts(variant(id), MANY, f"many {id}") == []
