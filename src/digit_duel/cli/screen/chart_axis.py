"""The line below a chart of a game: the numbers of the moves, and the mistakes."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def numbered_axis(
    numbers: Sequence[str], mistakes: Collection[int], wide: int, line: str = "─", mistake: str = "●"
) -> list[str]:
    """The characters of an axis with some columns for each position, and the number of the move before it.

    Mistakes come first, by the index of the position after them; then as many numbers as leave room between
    each other.
    """
    signs = [line] * (len(numbers) * wide)
    for at, number in enumerate(numbers):
        if at in mistakes:
            signs[at * wide + len(number) if len(number) < wide else at * wide] = mistake
    for at, number in enumerate(numbers):
        x = at * wide
        end = x + len(number)
        apart = set(signs[x : end + (len(number) >= wide)]) == {line} and not signs[max(0, x - 1)].isalnum()
        if number and end <= len(signs) and apart:
            signs[x:end] = number
    return signs
