"""A study in plain words, for the designer of a game."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from digit_duel.bots import is_perfect
from digit_duel.lab.equals.level_moves import LEVELS
from digit_duel.lab.study import LEVEL, LEVEL_STEPS, PEOPLE, BestPlay, Study

FAIR, NEARLY, CLEAR = 0.02, 0.05, 0.12  # limits on how far the first seat's share is from a half
SOME_SKILL, MUCH_SKILL = 0.04, 0.1  # by how much a level's share against the level below exceeds a half


def verdict(balance: float, uncertainty: float = 0.0) -> str:
    """How fair a balance is, in a few words."""
    off = abs(balance - 0.5)
    if off <= uncertainty and uncertainty > FAIR:
        return "No advantage found, but too few games to be sure"
    side = "first" if balance > 0.5 else "second"
    least, likely, most = (_grade(off + error) for error in (-uncertainty, 0, uncertainty))
    if off <= FAIR:
        return "Fair"
    if least == most and off <= NEARLY:
        return f"Nearly fair, slightly better for the {side} player"
    told = f"perhaps {likely}" if least == "fair" else least
    if not told.endswith(most):
        told += f", perhaps {most}"
    return f"{told.capitalize()} better for the {side} player"


def _grade(off: float) -> str:
    """How much better a player stands, in a word, given how far the share is from a half."""
    if off <= FAIR:
        return "fair"
    return "slightly" if off <= NEARLY else "clearly" if off <= CLEAR else "much"


def headline(study: Study) -> str:
    """One line that says whether the rule set is fair, between people and with best play."""
    said, off = verdict(study.balance(), study.uncertainty()), abs(study.balance() - 0.5)
    if is_unsure(study):
        answer = f"Not known: {lower(said)}"
    elif off <= FAIR:
        answer = "Yes between people" if is_decided(study) else "Yes: neither player has an advantage"
    elif is_unfair(study):
        answer = f"No: {lower(said)}"
    elif off + study.uncertainty() > NEARLY:
        answer = f"Not quite: {lower(said)}"
    else:
        answer = said
    if study.best is not None and off > FAIR and is_even(study) and not is_unsure(study):
        return f"{answer} between people, though best play is even"
    if study.best is None or not is_one_sided(study):
        return answer
    best = study.best.sentence
    if is_decided(study):
        best = f"the {'first' if study.best.value == 1 else 'second'} player always wins"
    if off > FAIR and (study.balance() > 0.5) != (study.best.points > Fraction(1, 2)):
        return f"{answer} between people, but with best play {best}"
    return f"{answer}; with best play {best}"


def is_unfair(study: Study) -> bool:
    """Whether a player has a clear advantage between people."""
    off = abs(study.balance() - 0.5)
    sure = FAIR if is_one_sided(study) else NEARLY
    return off > NEARLY and off - study.uncertainty() > sure


def is_decided(study: Study) -> bool:
    """Whether best play always lets the same player win."""
    return study.best is not None and study.best.value in (1, -1)


def is_even(study: Study) -> bool:
    """Whether best play favours neither player."""
    return study.best is not None and abs(study.best.points - Fraction(1, 2)) <= FAIR


def is_one_sided(study: Study) -> bool:
    """Whether best play clearly favours one player."""
    return study.best is not None and abs(study.best.points - Fraction(1, 2)) > CLEAR


def is_unsure(study: Study) -> bool:
    """Whether too few games were played to tell."""
    return study.uncertainty() > FAIR and abs(study.balance() - 0.5) <= study.uncertainty()


def points(study: Study) -> list[tuple[str, str]]:
    """What a designer wants to know, each with a heading."""
    return [
        ("Who should win", _best(study)),
        ("Who does win", f"{_equals(study)} {_trend(study)}"),
        ("Does skill count?", _skill(study)),
        ("How a game goes", _course(study)),
    ]


def _best(study: Study) -> str:
    if study.best is None:
        return f"The result of best play is not known: {study.unsolved}"
    best = study.best
    told = f"With best play {best.sentence.rstrip('.')}"
    if best.moves:
        told += f" within {best.moves} move{'' if best.moves == 1 else 's'}"
    if best.margin:
        told += f", by a difference of {best.margin} at the end"
    if best.value == -1:
        told += "; every first move loses"
    elif best.openings and best.holding < best.openings:
        told += f"; {best.holding} of {best.openings} first moves {_keep(best.holding)} that result"
        if best.only:
            told += f": {lower(best.only).rstrip('.')}"
    return f"{told}.{_copying(best)}"


def _copying(best: BestPlay) -> str:
    """A sentence that says so if the second player reaches this result by copying."""
    if best.copying is None or best.copying != -best.value:
        return ""
    enough = "always wins" if best.copying == 1 else "never loses"
    return (
        " The second player need not even think: whoever copies every move of the first player, on the other"
        f" side of the table, {enough}."
    )


def _equals(study: Study) -> str:
    said = verdict(study.balance(), study.uncertainty())
    about = "" if study.games is None else f" (give or take {study.uncertainty():.1%})"
    return (
        f"Between two {LEVEL} players, the program's model of people who sometimes look ahead, the first"
        f" player gets {study.balance():.1%}{about} of the points, a win being one point and a draw half a"
        f" point: {lower(said)}."
    )


def _trend(study: Study) -> str:
    usual, error = study.balance(), study.uncertainty()
    for level in reversed(PEOPLE):
        found = study.balance(level)
        if min(abs(usual - 0.5), abs(found - 0.5)) > max(FAIR, error) and (usual > 0.5) != (found > 0.5):
            side = "first" if found > 0.5 else "second"
            return f"Between {level} players it is the reverse: the {side} gets {max(found, 1 - found):.1%}."
    weak, strong = study.balance("sensible"), study.balance("sharp")
    off = [abs(study.balance(level) - 0.5) for level in PEOPLE]
    far = max(NEARLY, 1.5 * error)  # two shares have one and a half times the error of one
    if off == sorted(off) and off[-1] > off[0] + far:
        until = ", until perfect play is even." if is_even(study) else "."
        return f"The better both play, the less fair it becomes{until}"
    if off == sorted(off, reverse=True) and off[0] > off[-1] + far:
        return "The better both play, the fairer it becomes."
    if abs(strong - weak) > far:
        return f"Between sharp players the first player gets {strong:.1%}, between sensible ones {weak:.1%}."
    if far > NEARLY:
        return "Too few games were played to tell whether that depends on how well both play."
    return "That hardly depends on how well both play."


def _skill(study: Study) -> str:
    low, high, error = min(study.steps), max(study.steps), study.uncertainty()
    counts = "Yes" if study.skill >= MUCH_SKILL else "A little" if rewards_skill(study) else "Hardly"
    told = f"{counts}, as far as so few games can tell" if error > NEARLY else counts
    told += f": from {LEVELS[2]} on, each level gets {span(study.steps)} of the points"
    told += " against the one below"
    told += f", the least when {_weakest(study)}." if high - low > max(FAIR, error) else "."
    if study.best is not None and study.best.copying == 1:
        told += " But a second player who copies needs no skill."
    return told


def span(steps: Sequence[float]) -> str:
    """The range of some shares, as text."""
    low, high = f"{min(steps):.0%}", f"{max(steps):.0%}"
    return low if low == high else f"{low.removesuffix('%')} to {high}"


def _weakest(study: Study) -> str:
    weak, strong = min(LEVEL_STEPS, key=lambda pair: study.edge(*pair))
    return f"{strong} plays {weak}"


def rewards_skill(study: Study) -> bool:
    """Whether the better of two players wins noticeably more often."""
    edges = [study.edge(*pair) - 0.5 for pair in pairwise(PEOPLE)]
    return sum(edges) / len(edges) >= SOME_SKILL


def _course(study: Study) -> str:
    equal = study.equals()
    moves = "1 move" if round(equal.length) == 1 else f"{equal.length:.0f} moves"
    told = f"A game between {LEVEL} players takes {moves} on average."
    if not equal.decisions:
        return told
    if study.variant.game.draws():
        told += f" After {equal.until:.1f} of them the favourite does not change again, by a move or a draw."
    else:
        told += (
            f" After {equal.until:.1f} of them the eventual winner is ahead for good: from then on, best play"
            " by both would have the same winner."
        )
    return (
        f"{told} The lead changes {equal.changes:.1f} times, and {equal.only / equal.decisions:.0%} of the"
        " choices have a single right move."
    )


def share(study: Study, level: str) -> float:
    """The first player's share between equal players; between perfect ones the exact value, if known."""
    if level == LEVELS[-1] and study.best is not None and never_errs(study):
        return float(study.best.points)
    return study.balance(level)


def never_errs(study: Study) -> bool:
    """Whether players of the highest level are perfect."""
    return study.games is None or is_perfect(study.variant)


def _keep(count: int) -> str:
    return "keeps" if count == 1 else "keep"


def lower(text: str) -> str:
    """The text with a lower-case first letter."""
    return text[:1].lower() + text[1:]
