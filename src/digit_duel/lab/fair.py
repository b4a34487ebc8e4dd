"""The fairest rule sets of a game: solved, measured between equal players, and ranked."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from digit_duel import __version__
from digit_duel.core.files import home_folder
from digit_duel.core.game import Pair
from digit_duel.core.journal import Journal
from digit_duel.core.variant import AnyVariant
from digit_duel.lab.candidates import Candidate, Search
from digit_duel.lab.equals.pair_statistics import PairStatistics
from digit_duel.lab.study import LEVEL, LEVEL_STEPS, PEOPLE, between_some, skill, unfairness
from digit_duel.solve.effort import Progress

ABOUT_AS_FAIR, ABOUT_AS_SKILFUL = 0.02, 0.05  # players do not notice smaller differences
PAIRS: tuple[Pair[str], ...] = (
    *((level, level) for level in PEOPLE),
    *LEVEL_STEPS,
    *((strong, weak) for weak, strong in LEVEL_STEPS),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """A rule set with its measured balance between people."""

    candidate: Candidate
    pairs: dict[Pair[str], PairStatistics]

    def balance(self, level: str = LEVEL) -> float:
        """The first seat's share of the points between equal players."""
        return self.pairs[level, level].points

    @property
    def uncertainty(self) -> float:
        """Half the width of the 99% interval of the balance."""
        return self.pairs[LEVEL, LEVEL].uncertainty

    @property
    def skill(self) -> float:
        """How much more than half of the points a level gets against the one below, over both seats."""
        return skill(self.pairs)

    @property
    def unfairness(self) -> float:
        """How far the first seat's share is from a half, averaged over the levels of people and best play."""
        return unfairness([self.candidate.points, *(self.balance(level) for level in PEOPLE)])


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search."""

    rulebook: Measured | None  # the original rules; None if their result with best play is unknown
    editions: list[Measured]  # best first
    unsolved: dict[str, str]  # why a rule set is unsolved, by its options
    solved: int  # the number of rule sets solved


def fairest(
    variant: AnyVariant, most: int, games: int | None = None, progress: Progress | None = None
) -> Found:
    """Search for the fairest rule sets; a journal lets an interrupted search continue where it stopped."""
    journal = Journal(*_journal(variant, most, games))
    try:
        search = Search(variant, journal)
        listed = search.candidates(progress)[:most]
        start = search.solved({})
        asked = listed if start is None else [start, *listed]
        found = []
        for at, one in enumerate(asked):
            if progress:
                progress(at, len(asked), "rule sets measured between equal players")
            found.append(_measured(one, games, journal))
    finally:
        journal.close()
    journal.path.unlink()
    rulebook = None if start is None else found.pop(0)
    found = _distinct([*([] if rulebook is None else [rulebook]), *found])
    editions = sorted((one for one in found if one is not rulebook), key=_order)
    return Found(rulebook, editions, search.unsolved, len(search.known))


def _distinct(found: list[Measured]) -> list[Measured]:
    """Of rule sets that play alike, such as a bonus of one and first wins ties, keep the smallest change."""
    kept: dict[tuple[object, ...], Measured] = {}
    for one in sorted(found, key=lambda one: one.candidate.changes):
        shares = tuple(round(between.points, 6) for between in one.pairs.values())
        kept.setdefault((one.candidate.value, shares), one)
    return list(kept.values())


def _journal(variant: AnyVariant, most: int, games: int | None) -> tuple[Path, str]:
    key = sha256(f"{variant.id} {variant.settings} {most} {games} {__version__}".encode()).hexdigest()
    return home_folder("cache") / f"fair-{key[:16]}.journal", key


def _measured(one: Candidate, games: int | None, journal: Journal) -> Measured:
    name = f"measure {one.command}"
    if name not in journal.entries:
        pairs = between_some(one.variant, PAIRS, games)
        journal.add(name, [[*pair, asdict(between)] for pair, between in pairs.items()])
    told = journal.entries[name]
    return Measured(one, {(first, second): PairStatistics(**figures) for first, second, figures in told})


def _order(one: Measured) -> tuple[int, int, int, float]:
    """A sort key: fairest first; among about equally fair ones the smallest change, then the most skill."""
    steps = int(one.unfairness / ABOUT_AS_FAIR)
    return steps, one.candidate.changes, -round(one.skill / ABOUT_AS_SKILFUL), one.unfairness
