"""Cards between two levels, from single rounds.

A round from a fresh deck does not depend on the rounds before it, so the value of a game follows from the
value of a round for either starter. Simulating rounds is therefore far more precise than simulating games.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

from digit_duel.bots.cards.matches import game_worth
from digit_duel.core.game import Pair
from digit_duel.core.variant import AnyVariant
from digit_duel.lab.equals.pair_statistics import WIDE, PairStatistics

_STEP = 1e-4  # for the derivative of a game's value with respect to a round's


def whole_games(
    variant: AnyVariant, rounds: Mapping[Pair[str], PairStatistics], played: int
) -> dict[Pair[str], PairStatistics]:
    """The statistics of whole games, from those of the rounds that each pair of levels played."""
    return {
        (first, second): _game(variant, rounds[first, second], rounds[second, first], first == second, played)
        for first, second in rounds
    }


def _game(
    variant: AnyVariant, theirs: PairStatistics, others: PairStatistics, same: bool, played: int
) -> PairStatistics:
    """The statistics of a game, from rounds that the first seat starts and rounds that the second starts."""
    chances = (theirs.points, 1 - others.points)  # of the first seat, by who starts
    points, firsts, seconds = game_worth(variant, chances)
    slopes = [_slope(variant, chances, at) for at in range(2)]
    spread = [max(chance * (1 - chance), 0.02) / played for chance in chances]
    if same:  # both chances come from the same rounds
        variance = (slopes[0] - slopes[1]) ** 2 * spread[0]
    else:
        variance = sum(slope**2 * part for slope, part in zip(slopes, spread, strict=True))
    length = firsts * theirs.length + seconds * others.length
    return PairStatistics(points, 0.0, length, 0.0, 0.0, 0.0, 0.0, WIDE * sqrt(variance))


def _slope(variant: AnyVariant, chances: tuple[float, float], at: int) -> float:
    """The derivative of a game's value with respect to one of the chances."""
    more, less = (game_worth(variant, _moved(chances, at, step))[0] for step in (_STEP, -_STEP))
    return (more - less) / (2 * _STEP)


def _moved(chances: tuple[float, float], at: int, step: float) -> tuple[float, float]:
    first, second = chances
    return (first + step, second) if at == 0 else (first, second + step)
