"""The numbered, forward-only migrations of the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from digit_duel.web.store import NewerDatabase

CREATE_STEPS = "CREATE TABLE steps (number INTEGER NOT NULL PRIMARY KEY)"  # the applied steps


# Never change the statements of a released step; a later step corrects them.


@dataclass(frozen=True, slots=True)
class MigrationStep:
    """One migration: its number and its statements."""

    number: int
    sql: str


@cache
def steps(kind: str) -> tuple[MigrationStep, ...]:
    """All steps for one kind of database, in order."""
    found = sorted(
        (file.name, file.read_text("utf-8"))
        for file in files(__package__).joinpath("schema").iterdir()
        if file.name.startswith(f"{kind}-") and file.name.endswith(".sql")
    )
    return tuple(
        MigrationStep(int(name.removeprefix(f"{kind}-").removesuffix(".sql")), text) for name, text in found
    )


def to_take(all: Sequence[MigrationStep], taken: int) -> Sequence[MigrationStep]:
    """The steps that are still to be applied, or NewerDatabase."""
    newest = all[-1].number
    if taken > newest:
        raise NewerDatabase(
            f"A newer version of Digit Duel wrote this database (its step is {taken}; this version knows "
            f"{newest}). Nothing was changed. Please update Digit Duel."
        )
    return [step for step in all if step.number > taken]
