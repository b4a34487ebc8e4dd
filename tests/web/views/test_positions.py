"""Digests of positions that are being played."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from digit_duel.core.laws import playout
from digit_duel.core.record import follow
from digit_duel.games import variant as find
from digit_duel.web.play.positions import digests

MOVES = "9a1 8b1 7a2 6b2 5a3"
# After four choices: the 3 was given away; only their owner knows the digits that were kept.
ROUND = "d2 k d3 g d9 k d4 k d7"


def found(
    game: str, moves: str, settings: Mapping[str, str] | None = None, ahead: int | None = None
) -> list[str]:
    variant = find(game).customised(settings or {})
    return digests(variant, follow(variant.game, moves.split()), ahead)


def test_every_position_has_the_digest_that_its_moves_alone_give() -> None:
    whole = found("classic", MOVES)
    assert len(whole) == 4, "the first move is on many boards, and has none"
    assert whole == [found("classic", " ".join(MOVES.split()[:length]))[-1] for length in (2, 3, 4, 5)]
    assert found("classic", MOVES, ahead=1) == whole[2:]
    assert len(set(whole)) == 4
    classic = find("classic")
    steps = follow(classic.game, MOVES.split())
    assert digests(classic, steps, ahead=0, all_from=4) == whole[2:]
    assert digests(classic, steps, ahead=3, all_from=4) == whole
    assert digests(classic, steps[:3], ahead=0, all_from=4) == whole[1:2]


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("classic", {"tie": "draw"}),
        ("classic", {"bonus": "1"}),
        ("reverse", {}),
        ("reverse", {"goal": "high"}),
        ("sabotage", {"places": "3", "pool": "1-9", "reach": "own", "goal": "high"}),
    ],
)
def test_rules_that_make_no_difference_do_not_change_the_digest(
    game: str, settings: Mapping[str, str]
) -> None:
    assert found(game, MOVES, settings) == found("classic", MOVES)


def test_another_order_of_moves_leads_to_the_same_position() -> None:
    assert found("classic", "7a2 6b2 9a1 8b1 5a3")[-1] == found("classic", MOVES)[-1]


def test_a_kept_card_has_no_part_in_the_digest_and_a_given_one_has() -> None:
    assert found("cards", ROUND) == found("cards", "d5 k d3 g d8 k d1 k d0")
    assert found("cards", ROUND)[-1] != found("cards", "d2 k d6 g d9 k d4 k d7")[-1]
    assert len(found("cards", ROUND)) == 3, "the card drawn last is not part of any position"


def test_open_hands_are_part_of_the_digest() -> None:
    assert not set(found("cards", ROUND, {"visibility": "open"})) & set(
        found("cards", "d5 k d3 g d8 k d1 k d0", {"visibility": "open"})
    )


def test_the_first_of_two_secret_digits_has_no_digest() -> None:
    settings = {"pool": "1-2", "start_life": "20"}
    assert found("battle", "+1 +2 a5", settings) == found("battle", "+1 +2", settings)
    assert len(found("battle", "+1 +2 a5 b3", settings)) == 2


def test_what_is_learned_later_does_not_change_earlier_digests() -> None:
    """Otherwise the analysis of a finished copy would not be recognised."""
    cards = find("cards")
    for seed in range(5):
        steps = playout(cards.game, Random(seed))
        whole = digests(cards, steps)
        assert all(digests(cards, steps[:length]) == whole[: len(digests(cards, steps[:length]))]
                   for length in range(0, len(steps), 7))  # fmt: skip
