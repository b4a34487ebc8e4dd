"""Moves have the same numbers in records, reviews and replays."""

from __future__ import annotations

from digit_duel.core.game import Seat
from digit_duel.core.numbering import find_number, move_numbers

A, B = Seat.FIRST, Seat.SECOND


def test_two_moves_share_a_number_and_have_letters() -> None:
    assert move_numbers([A, B, A, B, A]) == ["1a", "1b", "2a", "2b", "3a"]


def test_a_draw_belongs_to_the_move_that_follows() -> None:
    assert move_numbers([None, A, None, B, A, B]) == ["1", "1", "2", "2", "3a", "3b"]


def test_a_number_is_found_with_its_letter_or_without() -> None:
    numbers = ["1", "1", "2a", "2b"]
    assert [find_number(numbers, typed) for typed in ("1", "2", "2A", "2b", "3", "")] == [
        1,
        2,
        2,
        3,
        None,
        None,
    ]
