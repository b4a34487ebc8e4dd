"""A study of a rule set: its exact value, and the balance between players of the same strength."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from digit_duel.bots.batches.families import batch_play, least_states
from digit_duel.core.game import Pair, Seat
from digit_duel.core.script import Step
from digit_duel.core.variant import AnyVariant
from digit_duel.lab.copying import copying
from digit_duel.lab.equals.balance import MOST_STATES, between_levels
from digit_duel.lab.equals.level_moves import LEVELS
from digit_duel.lab.equals.pair_statistics import PairStatistics
from digit_duel.lab.equals.simulation import simulated, usual
from digit_duel.solve.effort import PATIENT, Effort, Progress
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.families import solver, views_differ
from digit_duel.solve.general.tablebase import Tablebase
from digit_duel.solve.value import Score

_QUICK_STATES = 20_000  # following them takes no longer than playing games in batches
LEVEL = "careful"  # models people with some experience
PEOPLE = ("sensible", LEVEL, "sharp")  # the levels that model people
LEVEL_STEPS = tuple(pairwise(LEVELS[1:]))  # each level and the next one; nobody plays at random


@dataclass(frozen=True, slots=True)
class BestPlay:
    """The result of best play by both."""

    value: Score  # for the first seat, from -1 to 1
    sentence: str
    margin: int | None  # None if the game has none
    moves: int | None  # until a forced win
    openings: int  # the number of first moves
    holding: int  # how many of these keep the value
    only: str = ""  # the only first move that does, in words; empty if there are more
    copying: int | None = None  # the second seat's worst score if it copies every move; None if it cannot

    @property
    def points(self) -> Score:
        """The first seat's share of the points."""
        return Fraction(self.value + 1) / 2


@dataclass(frozen=True, slots=True)
class Study:
    """Everything known about one rule set."""

    variant: AnyVariant
    best: BestPlay | None
    unsolved: str  # why the result of best play is unknown; empty if it is known
    pairs: dict[Pair[str], PairStatistics]
    games: int | None  # games or rounds simulated for each pair of levels; None if computed exactly

    def equals(self, level: str = LEVEL) -> PairStatistics:
        """The statistics of games between two players of a level."""
        return self.pairs[level, level]

    def balance(self, level: str = LEVEL) -> float:
        """The first seat's share of the points between two players of a level."""
        return self.equals(level).points

    def uncertainty(self, level: str = LEVEL) -> float:
        """Half the width of the 99% interval of the balance; 0 if it is exact."""
        return self.equals(level).uncertainty

    def edge(self, weak: str, strong: str) -> float:
        """The share of the points that the stronger of two levels gets, averaged over both seats."""
        return edge(self.pairs, weak, strong)

    @property
    def steps(self) -> list[float]:
        """Each level's share against the one below, except against the random level."""
        return [self.edge(weak, strong) for weak, strong in LEVEL_STEPS]

    @property
    def skill(self) -> float:
        """How much skill counts."""
        return skill(self.pairs)


def edge(pairs: Mapping[Pair[str], PairStatistics], weak: str, strong: str) -> float:
    """The share of the points that the stronger of two levels gets, averaged over both seats."""
    return (pairs[strong, weak].points + 1 - pairs[weak, strong].points) / 2


def skill(pairs: Mapping[Pair[str], PairStatistics]) -> float:
    """How much skill counts: how far a level's share against the one below exceeds a half, on average."""
    return sum(edge(pairs, weak, strong) for weak, strong in LEVEL_STEPS) / len(LEVEL_STEPS) - 0.5


def unfairness(shares: Collection[float]) -> float:
    """How far the first seat's share is from a half, averaged over kinds of players."""
    return sum(abs(share - 0.5) for share in shares) / len(shares)


def study(variant: AnyVariant, games: int | None = None, progress: Progress | None = None) -> Study:
    """Study a rule set: exactly if it is small enough, else by simulated games, as many as given."""
    best, unsolved = best_play(variant, progress)
    if best is not None and best.value in (0, -1) and not views_differ(variant.game):
        best = replace(best, copying=copying(variant.game))
    # If best play is not known, the game is far too large to follow every position.
    solved = None if best is None else _followed(variant, progress)
    if solved is not None:
        return Study(variant, best, unsolved, between_levels(variant, solved, progress), None)
    games = usual(variant) if games is None else games
    return Study(variant, best, unsolved, simulated(variant, games, progress=progress), games)


def between_some(
    variant: AnyVariant, pairs: Sequence[Pair[str]], games: int | None = None
) -> dict[Pair[str], PairStatistics]:
    """The statistics of some pairs of levels: as in a study, but simulated where that is much quicker."""
    is_quick = batch_play(variant) is None or least_states(variant) <= _QUICK_STATES
    if is_quick and (solved := _followed(variant, None)) is not None:
        found = between_levels(variant, solved)
        return {pair: found[pair] for pair in pairs}
    return simulated(variant, usual(variant) if games is None else games, pairs=pairs)


def _followed(variant: AnyVariant, progress: Progress | None) -> Tablebase[Any, Any] | None:
    """Every state of a small game, solved; None if the game is large or hides hands."""
    if views_differ(variant.game) or least_states(variant) > MOST_STATES:
        return None
    try:
        return Tablebase(variant.game, progress=progress, most=MOST_STATES)
    except Unsolved:
        return None


def best_play(
    variant: AnyVariant, progress: Progress | None = None, effort: Effort = PATIENT
) -> tuple[BestPlay | None, str]:
    """The result of best play, or None and the reason why it is unknown."""
    game = variant.game
    try:
        if views_differ(game):
            report = solver(game).report(progress or _quiet)
            return BestPlay(report.value, who_wins(report.value), None, None, 0, 0), ""
        oracle = solver(game).oracle(effort, progress)
        start = oracle.value(game.start())
    except Unsolved as why:
        return None, str(why)
    seats = game.acting(game.start())
    first = list(game.legal(game.start(), Seat.FIRST))
    after = [oracle.value(game.play(game.start(), move)) for move in first]
    holding = [move for move, value in zip(first, after, strict=True) if value.score == start.score]
    if seats != (Seat.FIRST,):
        holding = []
    decided = start.score in (1, -1)
    return BestPlay(
        start.score,
        who_wins(start.score),
        abs(start.margin) if decided and start.margin else None,
        start.distance if decided else None,
        len(after),
        len(holding),
        _told(variant, holding[0]) if len(holding) == 1 else "",
    ), ""


def _told(variant: AnyVariant, move: Any) -> str:
    """A first move in words."""
    start = variant.game.start()
    step = Step(Seat.FIRST, move, start, variant.game.play(start, move))
    return variant.voice.brief(step, Seat.FIRST, ("the first player", "the second player"))


def _quiet(done: int, total: int | None = None, unit: str = "states") -> None:
    """Report no progress."""


def who_wins(value: Score) -> str:
    """The result of best play, in a few words."""
    if value in (1, -1):
        return f"the {'first' if value == 1 else 'second'} player wins"
    if value == 0:
        return "neither player is ahead"
    return f"the first player gets {float(Fraction(value + 1) / 2):.1%} of the points"
