"""The result of a search for fair rules, as plain text and as JSON."""

from __future__ import annotations

from digit_duel.lab.fair import Found, Measured
from digit_duel.lab.report.words import NEARLY, SOME_SKILL, verdict
from digit_duel.lab.study import PEOPLE

_HEADS = ("best play", *PEOPLE, "±", "skill", "changes")


def text(found: Found) -> str:
    """The rule sets as a table, best first, and the commands to play them."""
    lines = []
    if not found.editions:
        lines.append("No change of one or two rules makes this game fairer.")
    else:
        lines += [_best(found.editions[0]), *_more_skill(found.editions), ""]
        lines += ["The first player's share of the points in percent, with best play and between equals:", ""]
        lines += _table(found)
        lines += ["", "Skill is how far a level's share exceeds 50 against the level below, over both seats."]
        lines.append("Changes are counted from the rulebook.")
        lines.append(
            "Shares between equals are from games played, give or take ± (99% interval), or exact: ± 0."
        )
        lines += ["", "To play them:"]
        lines += [f"{at:>2}. {one.candidate.command}" for at, one in enumerate(found.editions, start=1)]
    if found.unsolved:
        lines += ["", "Left out, because best play is not known:"]
        lines += [f"  {name}: {reason}" for name, reason in found.unsolved.items()]
    return "\n".join(lines)


def as_json(found: Found) -> dict[str, object]:
    """The rule sets as JSON, for programs."""
    return {
        "rulebook": None if found.rulebook is None else _entry(found.rulebook),
        "editions": [_entry(one) for one in found.editions],
        "unsolved": found.unsolved,
        "solved": found.solved,
    }


def _entry(one: Measured) -> dict[str, object]:
    return {
        "options": one.candidate.options,
        "value": str(one.candidate.value),
        "points": one.candidate.points,
        "equals": {level: one.balance(level) for level in PEOPLE},
        "interval": one.uncertainty,
        "skill": one.skill,
        "changes": one.candidate.changes,
        "unfairness": one.unfairness,
        "command": one.candidate.command,
    }


def _best(one: Measured) -> str:
    told = verdict(one.balance(), one.uncertainty)
    is_fair = one.unfairness <= NEARLY
    found = "The fairest:" if is_fair else "None of these changes makes it fair. The closest:"
    edition = one.candidate.variant.edition_name
    known = f", the edition '{edition}'" if edition else ""
    return "\n".join(
        [
            f"{found} {_options(one)}{known}",
            f"With best play {one.candidate.sentence}; between careful players the first player gets"
            f" {one.balance():.1%} of the points.",
            f"{told}; a level scores {0.5 + one.skill:.0%} against the level below.",
            one.candidate.command,
        ]
    )


def _more_skill(editions: list[Measured]) -> list[str]:
    """What to play instead if the fairest rule set leaves too little to skill."""
    if editions[0].skill >= SOME_SKILL:
        return []
    for at, one in enumerate(editions, start=1):
        if one.skill >= SOME_SKILL and one.unfairness <= NEARLY:
            return [
                f"If the better player should win more often, take number {at}: {_options(one)}."
                f" There a level scores {0.5 + one.skill:.0%}."
            ]
    return []


def _table(found: Found) -> list[str]:
    rows: list[tuple[str, ...]] = [("", "rules", *_HEADS)]
    if found.rulebook is not None:
        rows.append(("", "as they are", *_figures(found.rulebook)))
    rows += [
        (f"{number}.", _options(one), *_figures(one)) for number, one in enumerate(found.editions, start=1)
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if at == 1 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _figures(one: Measured) -> tuple[str, ...]:
    shares = [one.candidate.points, *(one.balance(level) for level in PEOPLE)]
    return (
        *(f"{100 * share:.1f}" for share in shares),
        f"{100 * one.uncertainty:.1f}" if one.uncertainty else "0",
        str(round(100 * one.skill)),
        str(one.candidate.changes),
    )


def _options(one: Measured) -> str:
    return " ".join(f"{name}={value}" for name, value in one.candidate.options.items())
