"""digit-duel research evaluate: how exploitable a policy is, exactly, as text or JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from digit_duel.cli.errors import Problem
from digit_duel.solve.errors import TooBig
from digit_duel.solve.research.evaluate import PolicyRow, evaluate
from digit_duel.solve.research.policies import BadPolicy, Number
from digit_duel.solve.research.policy_file import BadPolicyFile, load_policy


def evaluated(path: str, as_json: bool) -> str:
    """The policy in a file as an exact row of the table of baselines, in text or JSON."""
    try:
        row = evaluate(load_policy(Path(path)))
    except OSError as wrong:
        raise Problem(f"{path} cannot be read: {wrong.strerror}.") from wrong
    except (BadPolicyFile, BadPolicy, TooBig) as wrong:
        raise Problem(f"{path}: {wrong}") from wrong
    return json.dumps(_as_json(row)) if as_json else _as_text(row)


def _as_json(row: PolicyRow) -> dict[str, object]:
    """The row with numbers as JSON numbers, each followed by its exact fraction; null for floats."""
    scores: dict[str, Number | None] = {
        "value": row.value,
        "plays": row.plays,
        "first": row.first,
        "second": row.second,
        "nash_conv": row.nash_conv,
        "exploitability": row.exploitability,
    }
    found: dict[str, object] = {name: part for name, part in asdict(row).items() if name not in scores}
    for name, score in scores.items():
        found[name] = None if score is None else int(score) if score == int(score) else float(score)
        found[f"{name}_exact"] = None if score is None or isinstance(score, float) else str(score)
    return found


def _as_text(row: PolicyRow) -> str:
    named = row.rung or " ".join([row.game, *(f"{name}={text}" for name, text in row.settings.items())])
    known = "" if row.value is None else f"; best play is worth {_shown(row.value)} to the first seat"
    return "\n".join(
        [
            f"{named}: a policy for {row.views:,} views{known}.",
            f"Against itself the first seat scores {_shown(row.plays)}.",
            f"Best responses score {_shown(row.first)} in the first seat, {_shown(row.second)} in the other.",
            f"NashConv {_shown(row.nash_conv)}, exploitability {_shown(row.exploitability)}.",
        ]
    )


def _shown(number: Number) -> str:
    """A number exactly, and as a decimal where that helps."""
    if isinstance(number, float):
        return f"{number:.9g}"
    whole = number.denominator == 1
    return str(number) if whole else f"{number} ({float(number):.9g})"
