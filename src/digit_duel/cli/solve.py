"""digit-duel solve: who wins a game from its start, as text or JSON."""

from __future__ import annotations

import json
import sys
import time

from digit_duel.cli.errors import Problem
from digit_duel.core.variant import AnyVariant
from digit_duel.solve.families import solver
from digit_duel.solve.report import Report


class ProgressLine:
    """A line on standard error that shows the progress of long work, if it is a terminal."""

    def __init__(self) -> None:
        self._shown = 0.0
        self._used = False
        self._begin = time.monotonic()

    def __call__(self, done: int, total: int | None = None, unit: str = "states") -> None:
        now = time.monotonic()
        # Short work needs no progress line.
        if sys.stderr.isatty() and now - self._begin > 0.5 and now - self._shown > 0.1:
            self._shown, self._used = now, True
            share = f" of {total:,} ({done / total:.0%})" if total else ""
            sys.stderr.write(f"\r{done:,}{share} {unit} ... Ctrl-C stops")
            sys.stderr.flush()

    def close(self) -> None:
        """Clear the line."""
        if self._used:
            sys.stderr.write("\r" + " " * 70 + "\r")
            sys.stderr.flush()


def solve(variant: AnyVariant, as_json: bool) -> str:
    """Solve a game and return the result."""
    progress = ProgressLine()
    begin = time.perf_counter()
    try:
        report = solver(variant.game).report(progress)
    except ValueError as wrong:
        raise Problem(f"{wrong}") from wrong
    finally:
        progress.close()
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
