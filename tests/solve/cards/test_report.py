"""What a solve of cards reports, worked out by hand."""

from __future__ import annotations

import pytest
from tests.coach.positions import variant

from digit_duel.games._cards import Cards
from digit_duel.solve.cards.report import cards_report


@pytest.mark.parametrize(("pool", "hand_size", "states"), [("0-3", "1", 4), ("0-1x3", "2", 20)])
def test_only_digits_of_the_deck_count_as_states(pool: str, hand_size: str, states: int) -> None:
    """With hands of one digit there is one choice, about the digit drawn: 4.

    With two kinds of digits and hands of two, the starter chooses with 2 digits drawn, then, if both kept,
    with its own 2 x 2, and if both gave, with all 2 x 2 x 2. The second player chooses with 2 if the starter
    kept, and with 2 x 2 if it gave: 2 + 4 + 8 + 2 + 4.
    """
    game = variant("cards", pool=pool, hand_size=hand_size).game_as(Cards)
    assert cards_report(game, lambda *_args, **_more: None).states == states


def test_the_progress_of_a_proof_goes_on_after_the_solution() -> None:
    """Of five digits, four copies each, both can hold any of the 15 hands of two cards."""
    told: list[tuple[int, int | None, str]] = []

    def note(done: int, total: int | None = None, unit: str = "states") -> None:
        told.append((done, total, unit))

    cards_report(variant("cards", pool="0-4x4", hand_size="2", facing_full="must_keep").game_as(Cards), note)
    assert [each for each in told if each[1]] == [(done, 15, "hands that tie") for done in range(15)]
