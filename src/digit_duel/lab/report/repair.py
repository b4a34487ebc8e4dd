"""What an edition gains and costs, compared with the rules that a report is about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from digit_duel.core.game import Pair
from digit_duel.core.options import SWAP, BadOption
from digit_duel.core.variant import AnyVariant, Edition
from digit_duel.lab.report.figures import Figures, figures, shipped_figures
from digit_duel.lab.report.words import FAIR, NEARLY, SOME_SKILL, is_decided, is_unsure, span
from digit_duel.lab.study import LEVEL, PEOPLE, Study, study
from digit_duel.solve.effort import Progress

_SOME_DRAWS = 0.01  # the least share of the games that people notice
_LONGER = 0.1  # the least fraction of a game's length that they notice
_NO_SKILL = 1e-9  # rounding errors of exact shares
_FAIRER, _LESS_FAIR = "fairer", "less fair"
_FIRST = "first player, "  # a prefix of the names of the shares
_BEST_PLAY = f"{_FIRST}with best play"
_BETWEEN = {level: f"{_FIRST}between {level} players" for level in PEOPLE}


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure before and after a change."""

    name: str
    now: str
    then: str
    word: str = "about the same"  # how it changes
    is_gain: bool | None = None  # None if it gets neither better nor worse
    leaning: str = ""  # how it may get worse, if by less than people notice or the games played can show


@dataclass(frozen=True, slots=True)
class Repair:
    """An edition compared with the rules that a report is about."""

    edition: Edition
    now: Figures
    then: Figures

    @property
    def rows(self) -> list[Comparison]:
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
        """Whether the first player's share comes at least twice as close to a half, on average."""
        return self.then.unfairness <= self.now.unfairness / 2

    @property
    def leaves_choices(self) -> bool:
        """Whether it matters who plays better; otherwise the game is a lottery."""
        return any(abs(step - 0.5) > _NO_SKILL for step in self.then.steps)

    @property
    def is_advisable(self) -> bool:
        """Whether the edition is much fairer and still a game."""
        return self.is_fairer and self.leaves_choices

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
        worse = [row for row in self.rows if row.leaning]
        return f"perhaps a little: {_listed(worse, lambda row: row.leaning)}" if worse else "nothing."

    def _left(self) -> Iterator[str]:
        best, share = self.then.best, self.then.equals[LEVEL]
        if best in (0, 1):
            side = "first" if best == 1 else "second"
            yield f"with best play the {side} player always wins{'' if best == self.now.best else ' instead'}"
        if abs(share - 0.5) > NEARLY:
            side = "first" if share > 0.5 else "second"
            most = max(share, 1 - share)
            before = self.now.equals[LEVEL]
            still = "still" if (before > 0.5) == (share > 0.5) else "now"
            yield f"between {LEVEL} players the {side} player {still} gets {most:.0%} of the points"


def named_edition(found: Study) -> Edition | None:
    """The edition that a report recommends; None if the rules are fair, or too few games were played."""
    if is_unsure(found) or (abs(found.balance() - 0.5) <= FAIR and not is_decided(found)):
        return None
    variant = found.variant
    return next((one for one in variant.editions if changed_by(variant, one) is not None), None)


def in_force(variant: AnyVariant) -> Edition | None:
    """The edition whose options are all set already."""
    return next((one for one in variant.editions if one.options.items() <= variant.settings.items()), None)


def changed_by(variant: AnyVariant, edition: Edition) -> AnyVariant | None:
    """The rules with an edition, which replaces compensations such as a bonus and the pie rule.

    None if the edition is in force already, or cannot be combined with the other settings.
    """
    if edition.options.items() <= variant.settings.items():
        return None
    compensations = {
        name: variant.default(name)
        for name, spec in variant.options.items()
        if name in variant.settings and (spec.dial is not None or spec is SWAP)
    }
    try:
        return variant.customised({**compensations, **edition.options})
    except BadOption:
        return None


def repair(found: Study, games: int | None = None, progress: Progress | None = None) -> Repair | None:
    """The edition that a report recommends, measured; None if it recommends none."""
    edition = named_edition(found)
    if edition is None:
        return None
    changed = changed_by(found.variant, edition)
    assert changed is not None
    then = shipped_figures(changed) or figures(study(changed, games, progress))
    return Repair(edition, figures(found), then)


def _row(name: str, shown: list[str], change: float, least: float, words: Pair[str]) -> Comparison:
    """A row with the first word if the figure gets noticeably better, the second if noticeably worse."""
    now, then = shown
    if abs(change) <= least:
        return Comparison(name, now, then, leaning=words[1] if change < 0 and now != then else "")
    return Comparison(name, now, then, words[0] if change > 0 else words[1], change > 0)


def _drawn(name: str, now: float, then: float) -> Comparison:
    return _row(name, [f"{now:.0%}", f"{then:.0%}"], now - then, _SOME_DRAWS, ("fewer draws", "more draws"))


def _share(name: str, now: float, then: float, least: float) -> Comparison:
    """The first player's share of the points, and whether it comes closer to a half."""
    off = abs(now - 0.5), abs(then - 0.5)
    row = _row(name, [f"{now:.0%}", f"{then:.0%}"], off[0] - off[1], least, (_FAIRER, _LESS_FAIR))
    if row.is_gain is None and min(off) > least and (now > 0.5) != (then > 0.5):
        return replace(row, word="unfair the other way round", is_gain=False)
    return row


def _listed(rows: Sequence[Comparison], word_of: Callable[[Comparison], str] = lambda row: row.word) -> str:
    """The changes as one sentence."""
    words = {word_of(row): [one.name for one in rows if word_of(one) == word_of(row)] for row in rows}
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
