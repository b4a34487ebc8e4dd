"""digit-duel solve: who wins a game from its start, as text or JSON."""

from __future__ import annotations

import json
import time

import click

from digit_duel.cli.errors import Problem
from digit_duel.cli.screen.progress_line import ProgressLine
from digit_duel.core.variant import AnyVariant
from digit_duel.solve.families import solver
from digit_duel.solve.report import Report


def solve(variant: AnyVariant, as_json: bool) -> str:
    """Solve a game and return the result."""
    begin = time.perf_counter()
    try:
        with ProgressLine() as progress:
            report = solver(variant.game).report(progress)
    except ValueError as wrong:
        raise Problem(str(wrong)) from wrong
    except KeyboardInterrupt:
        click.echo("\nStopped before the game was solved.", err=True)
        raise
    seconds = time.perf_counter() - begin
    return json.dumps(_as_json(variant, report, seconds)) if as_json else _as_text(variant, report, seconds)


def _as_json(variant: AnyVariant, report: Report, seconds: float) -> dict[str, object]:
    found: dict[str, object] = {
        "game": variant.id,
        "options": variant.settings,
        "states": report.states,
        "value": float(report.value),
        "winning_openings": list(report.openings),
        "seconds": round(seconds, 3),
    }
    return {**found, **report.more}


def _as_text(variant: AnyVariant, report: Report, seconds: float) -> str:
    settings = "".join(f" {name}={value}" for name, value in variant.settings.items())
    lines = [f"{variant.id}{settings}: {report.sentence}"]
    if report.openings:
        noun = "winning opening" if len(report.openings) == 1 else "winning openings"
        lines.append(f"{len(report.openings)} {noun}: {' '.join(report.openings)}")
    lines += report.notes
    lines.append(f"{report.states:,} states, {seconds:.2f} s.")
    return "\n".join(lines)
