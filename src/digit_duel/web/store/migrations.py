"""The steps that lead from an empty database to today's: numbered, forward only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from digit_duel.web.store import NewerDatabase

MADE = "CREATE TABLE steps (number INTEGER NOT NULL PRIMARY KEY)"  # which steps a database has taken


# A released step is never edited; what was wrong in it is put right by the next one.


@dataclass(frozen=True, slots=True)
class Step:
    """One migration: its number and its statements."""

    number: int
    sql: str


@cache
def steps(kind: str) -> tuple[Step, ...]:
    """All steps for one kind of database, in order."""
    found = sorted(
        (file.name, file.read_text("utf-8"))
        for file in files(__package__).joinpath("schema").iterdir()
        if file.name.startswith(f"{kind}-") and file.name.endswith(".sql")
    )
    return tuple(Step(int(name.removeprefix(f"{kind}-").removesuffix(".sql")), text) for name, text in found)


def to_take(all: Sequence[Step], taken: int) -> Sequence[Step]:
    """The steps still to be taken, or NewerDatabase."""
    newest = all[-1].number
    if taken > newest:
        raise NewerDatabase(
            f"This database was written by a newer version of Digit Duel (its step {taken}; this version "
            f"knows {newest}). Nothing was changed. Please update Digit Duel."
        )
    return [step for step in all if step.number > taken]
