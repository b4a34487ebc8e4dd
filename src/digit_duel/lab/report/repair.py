"""What an edition gains and costs, compared with the rules that a report is about."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

from digit_duel.core.game import Pair
from digit_duel.core.options import BadOption
from digit_duel.core.variant import AnyVariant, Edition
from digit_duel.lab.equals.level_moves import LEVELS
from digit_duel.lab.report.words import FAIR, NEARLY, PEOPLE, SOME_SKILL, is_decided, is_unsure, span
from digit_duel.lab.study import LEVEL, Study, study
from digit_duel.solve.effort import Progress

_SOME_DRAWS, _LONGER = (
    0.01,
    0.1,
)  # the least that people notice: a share of the games, a fraction of the length
_FAIRER, _LESS_FAIR = "fairer", "less fair"
_FIRST = "first player, "  # a prefix of the names of the shares
_BEST_PLAY = f"{_FIRST}with best play"
_BETWEEN = {level: f"{_FIRST}between {level} players" for level in PEOPLE}


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures by which rule sets are compared; shares are the first player's."""

    best: float | None  # with best play
    equals: dict[str, float]  # between two players of a level
    uncertainty: float
    steps: list[float]  # what each level scores against the one below
    draws: float
    best_draws: float  # between perfect players
    length: float

    @property
    def unfairness(self) -> float:
        """How far the first player's share is from a half, averaged over people and best play."""
        shares = [*self.equals.values(), *([] if self.best is None else [self.best])]
        return sum(abs(share - 0.5) for share in shares) / len(shares)


@dataclass(frozen=True, slots=True)
class Row:
    """One figure before and after a change."""

    name: str
    now: str
    then: str
    word: str = "about the same"  # how it changes
    is_gain: bool | None = None  # None if it gets neither better nor worse
    leans_worse: bool = False  # worse, but by less than the games played can show


@dataclass(frozen=True, slots=True)
class Repair:
    """An edition compared with the rules that a report is about."""

    edition: Edition
    now: Figures
    then: Figures

    @property
    def rows(self) -> list[Row]:
        """The figures side by side: the first player's points, then skill, draws and length."""
        now, then = self.now, self.then
        rows = []
        if now.best is not None and then.best is not None:
            rows.append(_share(_BEST_PLAY, now.best, then.best, FAIR))
        least = FAIR + max(now.uncertainty, then.uncertainty)
        rows += [_share(_BETWEEN[level], now.equals[level], then.equals[level], least) for level in PEOPLE]
        skill, left = [span(now.steps), span(then.steps)], sum(then.steps) / len(then.steps) - 0.5
        words = ("skill counts more", f"skill {'counts less' if left >= SOME_SKILL else 'hardly counts'}")
        change = (sum(then.steps) - sum(now.steps)) / len(now.steps)
        rows.append(_row("a player one level better gets", skill, change, least, words))
        if now.draws or then.draws:
            rows.append(_drawn(f"draws between {LEVEL} players", now.draws, then.draws))
        if now.best_draws or then.best_draws:
            rows.append(_drawn("draws with best play", now.best_draws, then.best_draws))
        moves, longer = [f"{now.length:.0f}", f"{then.length:.0f}"], then.length / now.length
        words = ("shorter games", f"games {longer:.1f} times as long")
        return [*rows, _row("moves of a game", moves, 1 - longer, _LONGER, words)]

    @property
    def is_fairer(self) -> bool:
        """Whether the first player's share is closer to a half, averaged over people and best play."""
        return self.then.unfairness < self.now.unfairness

    @property
    def invitation(self) -> str:
        """The beginning of the sentence that recommends the edition, to those whom it suits."""
        words = {row.name: row.word for row in self.rows}
        people = [words[name] for name in _BETWEEN.values()]
        for_people = people.count(_FAIRER) > len(people) // 2
        if words.get(_BEST_PLAY) == _FAIRER:
            return "Try" if for_people else "Where players know the best moves, try"
        return "Between people, try" if for_people else "If you like, try"

    @property
    def told(self) -> list[tuple[str, str]]:
        """What the edition gains, what it costs and what it does not repair, each with a heading."""
        gains, costs = ([row for row in self.rows if row.is_gain is good] for good in (True, False))
        told = [("It gains", _listed(gains)), ("It costs", _listed(costs) if costs else self._little())]
        if left := "; ".join(self._left()):
            told.append(("It does not repair", f"{left}. In a match, swapping seats evens that out."))
        return told

    def _little(self) -> str:
        """What gets worse by less than the games played can show, if nothing clearly does."""
        worse = [row for row in self.rows if row.leans_worse]
        return f"perhaps a little: {', '.join(row.name for row in worse)}." if worse else "nothing."

    def _left(self) -> Iterator[str]:
        best, share = self.then.best, self.then.equals[LEVEL]
        if best in (0, 1):
            side = "first" if best == 1 else "second"
            yield f"with best play the {side} player always wins{'' if best == self.now.best else ' instead'}"
        if abs(share - 0.5) > NEARLY:
            side = "first" if share > 0.5 else "second"
            most = max(share, 1 - share)
            yield f"between {LEVEL} players the {side} player still gets {most:.0%} of the points"


def named_edition(found: Study) -> Edition | None:
    """The edition that a report recommends; None if the rules are fair, or too few games were played."""
    if is_unsure(found) or (abs(found.balance() - 0.5) <= FAIR and not is_decided(found)):
        return None
    variant = found.variant
    return next((one for one in variant.editions if dict(one.options) != variant.settings), None)


def repair(found: Study, games: int | None = None, progress: Progress | None = None) -> Repair | None:
    """The edition that a report recommends, measured; None if it recommends none."""
    edition = named_edition(found)
    if edition is None:
        return None
    try:
        changed = found.variant.customised(edition.options)
    except BadOption:
        return None  # the edition conflicts with the other settings
    then = _kept(changed) or figures(study(changed, games, progress))
    return Repair(edition, figures(found), then)


def figures(found: Study) -> Figures:
    """The figures to compare, from a study."""
    equal = found.equals()
    return Figures(
        None if found.best is None else float(found.best.points),
        {level: found.balance(level) for level in PEOPLE},
        equal.uncertainty,
        found.steps,
        equal.draws,
        found.equals(LEVELS[-1]).draws,
        equal.length,
    )


def _kept(variant: AnyVariant) -> Figures | None:
    """The shipped figures of a rulebook's edition; computing them takes as long as the report itself."""
    name = " ".join([variant.id, *(f"{name}={value}" for name, value in variant.settings.items())])
    told = _shipped().get(name)
    if told is None:
        return None
    equal = told["equals"]
    return Figures(
        told["best_play"]["points"],
        {level: equal[level]["points"] for level in PEOPLE},
        equal[LEVEL]["interval"],
        [told["ladder"][f"{strong}-{weak}"] for weak, strong in pairwise(LEVELS[1:])],
        equal[LEVEL]["draws"],
        equal[LEVELS[-1]]["draws"],
        equal[LEVEL]["length"],
    )


@cache
def _shipped() -> dict[str, Any]:
    known: dict[str, Any] = json.loads(
        (files("digit_duel.lab") / "editions.json").read_text(encoding="utf-8")
    )
    return known


def _row(name: str, shown: list[str], change: float, least: float, words: Pair[str]) -> Row:
    """A row with the first word if the figure gets noticeably better, the second if noticeably worse."""
    now, then = shown
    if abs(change) <= least:
        return Row(name, now, then, leans_worse=change < 0 and now != then)
    return Row(name, now, then, words[0] if change > 0 else words[1], change > 0)


def _drawn(name: str, now: float, then: float) -> Row:
    return _row(name, [f"{now:.0%}", f"{then:.0%}"], now - then, _SOME_DRAWS, ("fewer draws", "more draws"))


def _share(name: str, now: float, then: float, least: float) -> Row:
    """The first player's share of the points, and whether it comes closer to a half."""
    off = abs(now - 0.5), abs(then - 0.5)
    row = _row(name, [f"{now:.0%}", f"{then:.0%}"], off[0] - off[1], least, (_FAIRER, _LESS_FAIR))
    if row.is_gain is None and min(off) > least and (now > 0.5) != (then > 0.5):
        return replace(row, word="unfair the other way round", is_gain=False)
    return row


def _listed(rows: list[Row]) -> str:
    """The changes as one sentence."""
    words = {row.word: [one.name for one in rows if one.word == row.word] for row in rows}
    parts = [f"{word}{_where(names)}" for word, names in words.items()]
    return f"{'; '.join(parts) or 'nothing'}."


def _where(names: list[str]) -> str:
    """Between which players shares change, as an ending of a clause."""
    people = [level for level, name in _BETWEEN.items() if name in names]
    found = [" with best play"] if _BEST_PLAY in names else []
    if people:
        found.append(
            " between people" if len(people) == len(PEOPLE) else f" between {' and '.join(people)} players"
        )
    return " and".join(found)
