"""Steps that a later version might take, and ways to take them."""

from __future__ import annotations

from pathlib import Path

from digit_duel.web.store import crash_points, migrations, postgres_server, sqlite_file
from digit_duel.web.store.migrations import MigrationStep

NEWEST = migrations.steps("sqlite")[-1].number
LATER = MigrationStep(
    NEWEST + 1,
    """
    -- A note; with a semicolon.
    CREATE TABLE notes (game TEXT NOT NULL, note TEXT NOT NULL DEFAULT ';');
    INSERT INTO notes (game) SELECT id FROM games;
    """,
)
LATER_STILL = MigrationStep(NEWEST + 2, "ALTER TABLE notes ADD COLUMN author TEXT;")
BROKEN = MigrationStep(NEWEST + 2, "CREATE TABLE half (way TEXT); INSERT INTO nowhere VALUES (1);")


def migrate(address: str, *more: MigrationStep) -> None:
    if address.startswith("postgresql"):
        postgres_server.migrate(address, [*migrations.steps("postgres"), *more])
    else:
        sqlite_file.migrate(Path(address), [*migrations.steps("sqlite"), *more])


def migrate_and_die(address: str, times: int) -> None:
    crash_points.arm(f"migrating:{times}")
    migrate(address, LATER, LATER_STILL)


def migrate_far(address: str) -> None:
    migrate(address, LATER, LATER_STILL)
