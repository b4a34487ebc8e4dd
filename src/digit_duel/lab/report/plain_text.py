"""A study as plain text, and as JSON for programs."""

from __future__ import annotations

from dataclasses import asdict
from itertools import pairwise
from textwrap import fill as wrap

from digit_duel.bots import promise
from digit_duel.bots.cards.matches import has_separate_rounds
from digit_duel.lab.equals.level_moves import LEVELS
from digit_duel.lab.report.advice import advice, is_advised, paragraph
from digit_duel.lab.report.repair import Repair
from digit_duel.lab.report.rivals import rivals
from digit_duel.lab.report.words import headline, never_errs, points, share, verdict
from digit_duel.lab.study import LEVEL, Study


def title(study: Study) -> str:
    """The rule set on one line."""
    settings = " ".join(f"{name}={value}" for name, value in study.variant.settings.items())
    return f"{study.variant.id} {settings}".strip()


def text(study: Study, repair: Repair | None = None, columns: int = 80) -> str:
    """The study as plain text."""
    told, commands = advice(study, repair)
    longest = max((len(label) for label, _ in commands), default=0)
    lines = [f"Is {title(study)} fair?", fill(headline(study), columns, indent=""), ""]
    lines.append(fill(f"What to change: {told}", columns))
    lines += [f"  {label + ':':<{longest + 1}} {command}" for label, command in commands]
    lines += ["", *([*_compared(repair, columns), ""] if is_advised(repair) else [])]
    for rival in rivals(study, repair):
        other = f"Another way: {rival.sentence}"
        sentence = fill(other, columns)
        lines += [sentence, f"  Play it: {rival.command}", ""]
    for heading, sentence in points(study):
        asked = heading if heading.endswith("?") else f"{heading}:"
        lines += [fill(f"{asked} {sentence}", columns)]
    lines += ["", "First player's share when both are equally good:"]
    lines += [f"  {level:<9} {share(study, level):6.1%}" for level in LEVELS]
    lines += ["Share of a level against the one below, over both seats:"]
    lines += [f"  {strong:<9} {study.edge(weak, strong):6.1%}" for weak, strong in pairwise(LEVELS)]
    return "\n".join([*lines, "", fill(source(study), columns, indent="")])


def fill(sentences: str, columns: int, indent: str = "  ") -> str:
    """A paragraph in lines, which leaves commands and options whole."""
    return wrap(sentences, columns, subsequent_indent=indent, break_on_hyphens=False)


def _compared(repair: Repair, columns: int) -> list[str]:
    """What an edition gains and costs."""
    told = [fill(f"{heading}: {said}", columns) for heading, said in repair.told]
    rows = [
        ("", "now", f"with '{repair.edition.name}'", ""),
        *((row.name, row.now, row.then, row.word) for row in repair.rows),
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        *told,
        *(
            f"  {name:<{widths[0]}}  {now:>{widths[1]}}  {then:>{widths[2]}}  {word}".rstrip()
            for name, now, then, word in rows
        ),
    ]


def as_json(study: Study, repair: Repair | None = None) -> dict[str, object]:
    """The study as JSON, for programs."""
    best = study.best
    return {
        "game": study.variant.id,
        "options": study.variant.settings,
        "verdict": verdict(study.balance(), study.uncertainty()),
        "words": paragraph(study, repair),
        "edition": None
        if repair is None
        else {"name": repair.edition.name, "now": asdict(repair.now), "then": asdict(repair.then)},
        "rivals": [
            {"options": rival.options, "command": rival.command, "figures": asdict(rival.figures)}
            for rival in rivals(study, repair)
        ],
        "best_play": None
        if best is None
        else {
            "value": str(best.value),
            "points": float(best.points),
            "margin": best.margin,
            "moves": best.moves,
            "openings": best.openings,
            "holding_openings": best.holding,
            "copying": best.copying,
        },
        "unsolved": study.unsolved,
        "exact": study.games is None,
        "games": study.games,
        "equals": {
            level: {
                "points": between.points,
                "wins": between.wins,
                "draws": between.draws,
                "interval": study.uncertainty(level),
                "length": between.length,
                "lead_changes": between.changes,
                "decided_after": between.until,
                "decisions": between.decisions,
                "only_moves": between.only,
            }
            for level in LEVELS
            for between in [study.equals(level)]
        },
        "skill": study.skill,
        "ladder": {f"{strong}-{weak}": study.edge(weak, strong) for weak, strong in pairwise(LEVELS)},
    }


def _played(study: Study) -> str:
    if has_separate_rounds(study.variant):
        return f"{study.games:,} rounds were played, and the odds of whole games computed from them,"
    return f"{study.games:,} games were played"


def source(study: Study) -> str:
    """Say where the figures come from, and whether perfect players are."""
    return _origin(study) if never_errs(study) else f"{_origin(study)} {_strongest(study)}"


def _strongest(study: Study) -> str:
    return f"The level perfect is the strongest computer here, but may err. {promise(study.variant)}"


def _origin(study: Study) -> str:
    if study.games is None:
        return (
            "These figures are exact for the program's model of such players: they are computed from the"
            " probability of every move of every level in every position, not estimated from sample games."
        )
    return (
        f"This game is too large to follow every position: {_played(study)} for each pair of levels. The"
        f" first player's share between {LEVEL} players is {study.balance():.1%}, give or take"
        f" {study.uncertainty():.1%} (99% interval)."
    )
