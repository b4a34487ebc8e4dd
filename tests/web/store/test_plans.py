"""No query that runs at every move scans a whole table."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from digit_duel.web.store import rows, sqlite
from digit_duel.web.store.migrations import steps
from digit_duel.web.store.sqlite import SqliteConnection

OFTEN = {
    "log": rows.LOG,
    "openings": rows.OPENINGS,
    "versions": rows.VERSIONS,
    "seats": rows.SEATS,
    "games of": rows.GAMES_OF,
    "open games of": rows.OPEN_GAMES_OF,
    "running games of": rows.RUNNING_GAMES_OF,
    "results of": rows.RESULTS_OF,
    "tallies of": rows.TALLIES_OF,
    "add results": rows.ADD_RESULTS,
    "person": rows.PERSON,
    "sessions": rows.LIVE,
    "taken": rows.TAKEN,
    "clients": rows.CLIENTS,
    "add games": rows.ADD_GAMES,
    "add events": rows.ADD_EVENTS,
    "add seats": rows.ADD_SEATS,
    "set games": rows.SET_GAMES,
    "touch": SqliteConnection.touch,
    "news": sqlite._NEWS,
    "last": sqlite._LAST,
}
TABLES = ("games", "events", "seats", "sessions", "codes", "results", "g", "e")


@pytest.mark.parametrize("name", OFTEN)
def test_sqlite_answers_every_query_from_an_index(name: str, tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "empty.sqlite3")
    for step in steps("sqlite"):
        connection.executescript(step.sql)
    sql = sqlite._in_dialect(OFTEN[name])
    plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", ("[]",) * sql.count("?"))]
    connection.close()
    scans = [line for line in plan if line.startswith("SCAN") and line.split()[1] in TABLES]
    assert scans == []
