"""Move numbers as people read them, the same in records, reviews and replays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from digit_duel.core.game import Seat


def move_numbers(seats: Iterable[Seat | None]) -> list[str]:
    """The number of each move, from who made it; None is nature.

    A record has one number for every two moves. A draw shares its number with the move that follows: 2. If
    both are players' moves, a letter tells them apart: 2a, 2b.
    """
    movers = list(seats)
    numbers = []
    for at in range(len(movers)):
        first = at - at % 2
        letter = "" if None in movers[first : first + 2] else "ab"[at % 2]
        numbers.append(f"{first // 2 + 1}{letter}")
    return numbers


def find_number(numbers: Sequence[str], typed: str) -> int | None:
    """The index of the last move with this number; 2 also finds 2a. None if there is no such move."""
    wanted = typed.lower()
    if wanted in numbers:
        return len(numbers) - 1 - list(reversed(numbers)).index(wanted)
    return numbers.index(f"{wanted}a") if f"{wanted}a" in numbers else None
