"""A rule set under study: its exact value, and what happens between players of the same strength."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from digit_duel.bots.batches.families import batch_of
from digit_duel.core.game import Pair, Seat
from digit_duel.core.script import Step
from digit_duel.core.variant import AnyVariant
from digit_duel.lab.copying import copying
from digit_duel.lab.equals.balance import MOST_STATES, between_levels
from digit_duel.lab.equals.level_moves import LEVELS
from digit_duel.lab.equals.outcomes import Between
from digit_duel.lab.equals.simulation import played, plays_at_once, usual
from digit_duel.solve.effort import PATIENT, Effort, Progress
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.families import hides, solver
from digit_duel.solve.general.tablebase import Tablebase
from digit_duel.solve.value import Score

LEVEL = "careful"  # what people of some experience play like


@dataclass(frozen=True, slots=True)
class BestPlay:
    """What best play of both leads to."""

    value: Score  # for the first seat, from -1 to 1
    sentence: str
    margin: int | None  # where it can be counted
    moves: int | None  # until a decided end
    openings: int  # first moves
    holding: int  # of these, how many keep the value
    only: str = ""  # the one that does, in words, if it is the only one
    copying: int | None = None  # the second seat's worst score if it copies every move; None if it cannot

    @property
    def points(self) -> Score:
        """The first seat's share of the points."""
        return Fraction(self.value + 1) / 2


@dataclass(frozen=True, slots=True)
class Study:
    """What is known about one rule set."""

    variant: AnyVariant
    best: BestPlay | None
    unsolved: str  # why nobody knows what best play leads to; empty if it is known
    pairs: dict[Pair[str], Between]
    games: int | None  # or rounds, played for each pair of levels; None if they were followed exactly

    def equals(self, level: str = LEVEL) -> Between:
        """What happens when both play alike."""
        return self.pairs[level, level]

    def balance(self, level: str = LEVEL) -> float:
        """The first seat's share of the points when both play alike."""
        return self.equals(level).points

    def uncertainty(self, level: str = LEVEL) -> float:
        """How far the balance may be off, in 99 of 100 cases; 0 if it is exact."""
        return self.equals(level).uncertainty

    def edge(self, weak: str, strong: str) -> float:
        """What the stronger of two levels scores against the weaker, seats in turn."""
        return (self.pairs[strong, weak].points + 1 - self.pairs[weak, strong].points) / 2

    @property
    def steps(self) -> list[float]:
        """What each level scores against the one below; nobody plays at random, so that level is left out."""
        return [self.edge(weak, strong) for weak, strong in pairwise(LEVELS[1:])]

    @property
    def skill(self) -> float:
        """How much skill counts: what each level scores against the one below, on average, beyond a half."""
        return sum(self.steps) / len(self.steps) - 0.5


def study(variant: AnyVariant, games: int | None = None, progress: Progress | None = None) -> Study:
    """Study a rule set: exactly where it is small enough, else by so many games, or as many as are usual."""
    best, unsolved = best_play(variant, progress)
    if best is not None and best.value in (0, -1) and not hides(variant.game):
        best = replace(best, copying=copying(variant.game))
    solved = _followed(variant, progress)
    if solved is not None:
        return Study(variant, best, unsolved, between_levels(variant, solved, progress), None)
    games = usual(variant) if games is None else games
    return Study(variant, best, unsolved, played(variant, games, progress=progress), games)


def between_some(
    variant: AnyVariant, pairs: Sequence[Pair[str]], games: int | None = None
) -> dict[Pair[str], Between]:
    """Some pairs of levels: played where games can be played at once, else as in a study."""
    if not plays_at_once(variant) and (solved := _followed(variant, None)) is not None:
        found = between_levels(variant, solved)
        return {pair: found[pair] for pair in pairs}
    return played(variant, usual(variant) if games is None else games, pairs=pairs)


def _followed(variant: AnyVariant, progress: Progress | None) -> Tablebase[Any, Any] | None:
    """Every state of a small game; None for a large one, or where hands are hidden."""
    batch = batch_of(variant)
    if hides(variant.game) or (batch is not None and batch.states > MOST_STATES):
        return None
    try:
        return Tablebase(variant.game, progress=progress, most=MOST_STATES)
    except Unsolved:
        return None


def best_play(
    variant: AnyVariant, progress: Progress | None = None, effort: Effort = PATIENT
) -> tuple[BestPlay | None, str]:
    """What best play leads to, or None and the reason why nobody knows."""
    game = variant.game
    try:
        if hides(game):
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
    """Tell nobody."""


def who_wins(value: Score) -> str:
    """What best play leads to, in a few words."""
    if value in (1, -1):
        return f"the {'first' if value == 1 else 'second'} player wins"
    if value == 0:
        return "neither player is ahead"
    return f"the first player gets {float(Fraction(value + 1) / 2):.1%} of the points"
