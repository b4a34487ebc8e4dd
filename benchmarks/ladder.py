"""Does each level beat the one below, how fast do levels reply, and how fast does the strongest one load?

A line per figure; fails if a goal is missed. Games come in pairs, with swapped seats and the same random
draws. Times are processor times, so that other load on the machine does not matter.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from random import Random
from statistics import mean, median, stdev
from typing import Any

from digit_duel import games
from digit_duel.bots import LEVELS, Maker
from digit_duel.core.game import Outcome, Pair, Seat
from digit_duel.core.session import dealer
from digit_duel.core.variant import AnyVariant

REPLY, LOAD = 0.050, 0.300  # seconds
LADDER = tuple(pairwise(LEVELS))

# A fresh process, as after starting the command: games and levels are imported, solvers are not.
LOADING = """
import time
from random import Random
from digit_duel import games
from digit_duel.bots import LEVELS
from digit_duel.core.game import Seat
variant = games.variant({id!r})
begin = time.process_time()
LEVELS[{level!r}](variant, Seat.FIRST, Random(1))
print(time.process_time() - begin)
"""


@dataclass(frozen=True)
class Rate:
    """A share of points with its 95% interval."""

    points: float
    spread: float

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.points - self.spread


def play(variant: AnyVariant, makers: Pair[Maker], seed: str) -> Outcome:
    """One game between two computers."""
    game, deal, ply = variant.game, dealer(seed), 0
    bots = [makers[seat](variant, seat, Random(f"{seed}/seat {seat}")) for seat in Seat]
    state = game.start()
    while (outcome := game.outcome(state)) is None:
        if draws := game.chance(state):
            state = game.play(state, deal(draws, ply))
        else:
            seat = game.acting(state)[0]
            move = bots[seat].choose(game.view(state, seat), game.legal(state, seat))
            state = game.play(state, move)
        ply += 1
    return outcome


def duel(variant: AnyVariant, strong: str, weak: str, pairs: int) -> Rate:
    """The points of the stronger level in pairs of games with swapped seats and common random numbers."""
    one, other = LEVELS[strong], LEVELS[weak]
    points = []
    for number in range(pairs):
        first = play(variant, (one, other), f"{number}").score(Seat.FIRST)
        second = play(variant, (other, one), f"{number}").score(Seat.SECOND)
        points.append((first + second + 2) / 4)
    return Rate(mean(points), 1.96 * stdev(points) / sqrt(pairs))


def reply_times(variant: AnyVariant, level: str, many: int = 40) -> list[float]:
    """Seconds for each reply in games that go well and badly, without caches from one to the next."""
    game, rng, times = variant.game, Random(1), []
    for number in range(many):
        state, deal, ply = game.start(), dealer(str(number)), 0
        while game.outcome(state) is None:
            if draws := game.chance(state):
                state = game.play(state, deal(draws, ply))
            else:
                seat = game.acting(state)[0]
                bot = LEVELS[level](variant, seat, rng)
                view, legal = game.view(state, seat), game.legal(state, seat)
                replies = [_timed(variant, bot, view, legal) for _ in range(2)]
                times.append(min(seconds for _, seconds in replies))  # the machine may be busy elsewhere
                state = game.play(state, replies[0][0] if number % 2 else rng.choice(legal))
            ply += 1
    return times


def _timed(variant: AnyVariant, bot: Any, view: Any, legal: Any) -> tuple[Any, float]:
    from digit_duel.bots.solved import best_moves

    best_moves.cache_clear()
    begin = time.process_time()
    move = bot.choose(view, legal)
    return move, time.process_time() - begin


def load_time(id: str, level: str) -> float:
    """The best loading time of five, each in a process of its own."""
    command = [sys.executable, "-c", LOADING.format(id=id, level=level)]
    return min(float(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(5))


def main() -> int:
    """Print every figure, and which goals were missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="games for each pair of levels")
    parser.add_argument("--game", choices=games.ids(), action="append", help="only this game")
    wanted = parser.parse_args()
    ids, strongest, missed = wanted.game or games.ids(), list(LEVELS)[-1], 0

    def line(id: str, text: str, reached: bool, goal: str) -> None:
        nonlocal missed
        missed += not reached
        print(f"{id:<9} {text}; goal: {goal}: {'reached' if reached else 'MISSED'}", flush=True)

    for id in ids:
        seconds = load_time(id, strongest)
        line(id, f"{strongest:<8} loads in {1000 * seconds:.0f} ms", seconds < LOAD, "under 300 ms")
    for id in ids:
        for level in LEVELS:
            times = reply_times(games.variant(id), level)
            text = f"{level:<8} replies in {1000 * median(times):.2f} ms (median), {1000 * max(times):.1f} ms"
            line(id, f"{text} (longest of {len(times):,})", max(times) < REPLY, "under 50 ms")
    for id in ids:
        for weak, strong in LADDER:
            rate = duel(games.variant(id), strong, weak, wanted.games // 2)
            text = f"{strong:<8} against {weak:<8} {rate.points:.1%} +- {rate.spread:.1%}"
            line(id, f"{text} of {wanted.games:,} games", rate.low > 0.5, "95% interval above 50%")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
