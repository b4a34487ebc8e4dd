"""digit-duel solve: a game solved from its start, in a sentence or as JSON."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from digit_duel.cli.errors import Problem
from digit_duel.core.variant import AnyVariant
from digit_duel.solve.families import solver
from digit_duel.solve.report import Report


class Ticker:
    """A line on the error stream that shows how far long work has come; silent where nobody watches."""

    def __init__(self) -> None:
        self._shown = 0.0
        self._used = False
        self._begin = time.monotonic()

    def __call__(self, done: int, total: int | None = None, unit: str = "states") -> None:
        now = time.monotonic()
        # Work that is over in a moment needs no line at all.
        if sys.stderr.isatty() and now - self._begin > 0.5 and now - self._shown > 0.1:
            self._shown, self._used = now, True
            share = f" of {total:,} ({done / total:.0%})" if total else ""
            sys.stderr.write(f"\r{done:,}{share} {unit} ... Ctrl-C stops")
            sys.stderr.flush()

    def close(self) -> None:
        """Leave the line empty."""
        if self._used:
            sys.stderr.write("\r" + " " * 70 + "\r")
            sys.stderr.flush()


def solve(variant: AnyVariant, as_json: bool) -> str:
    """Solve a game, and say what was found."""
    ticker = Ticker()
    begin = time.perf_counter()
    try:
        report = solver(variant.game).report(ticker)
    except ValueError as wrong:
        raise Problem(f"{wrong}") from wrong
    finally:
        ticker.close()
    seconds = time.perf_counter() - begin
    return json.dumps(_as_json(variant, report, seconds)) if as_json else _in_words(variant, report, seconds)


def _as_json(variant: AnyVariant, report: Report, seconds: float) -> dict[str, Any]:
    found: dict[str, Any] = {
        "game": variant.id,
        "options": variant.settings,
        "states": report.states,
        "value": float(report.value),
        "winning_openings": list(report.openings),
        "seconds": round(seconds, 3),
    }
    return {**found, **report.more}


def _in_words(variant: AnyVariant, report: Report, seconds: float) -> str:
    settings = "".join(f" {name}={value}" for name, value in variant.settings.items())
    lines = [f"{variant.id}{settings}: {report.sentence}"]
    if report.openings:
        noun = "winning opening" if len(report.openings) == 1 else "winning openings"
        lines.append(f"{len(report.openings)} {noun}: {' '.join(report.openings)}")
    lines += report.notes
    lines.append(f"{report.states:,} states, {seconds:.2f} s.")
    return "\n".join(lines)
