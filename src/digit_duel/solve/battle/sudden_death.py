"""Sudden death, solved analytically.

The highest digit weakly dominates every other: against any reply it leaves its player with at least as many
life points, and the opponent with at most as many. So each player can hold out with it, and if a stand-off is
a draw, or there is no limit, the value is a draw.

If the second player wins a stand-off, they always choose the highest digit. The first player can then only
delay: tie until the last reveal before the limit, give up one life point, and begin again. With a life points
and a limit of L that takes L * a reveals in all.
"""

from __future__ import annotations

from digit_duel.games._battle import Battle
from digit_duel.solve.value import Value


def sudden_value(game: Battle, life: int, standoffs: int = 0) -> Value:
    """The value of sudden death, given the first player's life points and the equal reveals in a row."""
    if game.standoff_limit is None or game.standoff_winner is None:
        return Value(0)
    delays = life if len(game.sudden) > 1 else 1  # with a single digit every reveal is equal
    return Value(-1, 2 * (game.standoff_limit * delays - standoffs))


def sudden_states(game: Battle, ties: list[int]) -> int:
    """The number of states that sudden death can reach from these tied life points, after whole reveals."""
    gaps = range(game.sudden[0] - game.sudden[-1], game.sudden[-1] - game.sudden[0] + 1)
    # Life points, equal reveals, and whether there has been a reveal.
    found = {(life, life, 0, False) for life in ties}
    waiting = list(found)
    while waiting:
        first, second, standoffs, _ = waiting.pop()
        if min(first, second) <= 0 or standoffs == game.standoff_limit:
            continue
        for gap in gaps:
            count = standoffs + 1 if gap == 0 and game.standoff_limit is not None else 0
            after = (min(first + gap, game.max_life), min(second - gap, game.max_life), count, True)
            if after not in found:
                found.add(after)
                waiting.append(after)
    return len(found)
