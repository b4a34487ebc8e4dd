"""The score above a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from digit_duel.cli.play.plan import Plan
from digit_duel.core.script import Names
from digit_duel.core.session import AnySession


def counted(names: Names, counts: Sequence[int]) -> str:
    """How many each player has; the colon keeps the number apart from a name such as Player 1."""
    return ", ".join(f"{name}: {count}" for name, count in zip(names, counts, strict=True))


def score(plan: Plan, session: AnySession, tally: Counter[str]) -> str:
    """The score of the match, or of the games played at this table, this one included."""
    names, match = session.names, plan.match
    if match is None:
        # Between equals by name, because the seats change with every game.
        computers = {name for name, level in zip(names, plan.levels, strict=True) if level}
        first, second = sorted(names, key=lambda name: (name in computers, name))
        return counted((first, second), (tally[first], tally[second])) if tally else ""
    first, second = names if match.number % 2 else (names[1], names[0])
    won = dict(zip(names, match.score, strict=True))
    outcome = session.outcome
    if outcome is not None and outcome.winner is not None:
        won[names[outcome.winner]] += 1
    return f"{counted((first, second), (won[first], won[second]))} · {match.text}"
