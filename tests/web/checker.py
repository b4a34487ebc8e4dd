"""The history checker: compares what clients were told with the log (CHK of SAFETY)."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import psycopg


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a log, read from the database itself."""

    game: str
    version: int
    seat: int | None
    client: str | None
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Acked:
    """A command that was acknowledged: its place in the log, and what it asked for."""

    game: str
    seat: int
    client: str
    applied: int
    asked: dict[str, Any]


@dataclass(slots=True)
class Replica:
    """All that one client was shown of one game, in the order it was shown."""

    game: str
    seat: int | None
    versions: list[int] = field(default_factory=list)
    news: dict[int, dict[str, Any]] = field(default_factory=dict)
    last: dict[str, Any] = field(default_factory=dict)

    def show(self, view: dict[str, Any]) -> bool:
        """Apply a view unless it is older than the last; return whether it was applied."""
        if self.versions and view["version"] < self.versions[-1]:
            return False
        self.versions.append(view["version"])
        for item in view["news"]:
            assert self.news.setdefault(item["version"], item)["kind"] == item["kind"]
        self.last |= view  # omitted fields have not changed
        return True


def read_log(database: str) -> dict[str, list[Line]]:
    """All logs of a database, in the order of their versions."""
    sql = "SELECT game, version, seat, client, body FROM {}events ORDER BY game, version"
    if "://" in database:
        with psycopg.connect(database) as connection:
            rows: Iterable[Any] = connection.execute(sql.format("digit_duel.")).fetchall()
    else:
        link = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        rows = link.execute(sql.format("")).fetchall()
        link.close()
    logs: dict[str, list[Line]] = {}
    for game, version, seat, client, body in rows:
        logs.setdefault(game, []).append(Line(game, version, seat, client, json.loads(body)))
    return logs


def check(logs: dict[str, list[Line]], acks: Sequence[Acked], replicas: Sequence[Replica] = ()) -> None:
    """Check that no version is missing, no client's id is there twice, and all replicas agree."""
    for log in logs.values():
        assert [line.version for line in log] == list(range(1, len(log) + 1))
        ids = Counter((line.seat, line.client) for line in log if line.client is not None)
        assert all(count == 1 for count in ids.values()), ids.most_common(3)
    for ack in acks:
        line = logs[ack.game][ack.applied - 1]
        assert (line.seat, line.client) == (ack.seat, ack.client), ack
        assert json.loads(line.body["asked"]) == ack.asked, ack
    for replica in replicas:
        _check_replica(logs[replica.game], replica)


def _check_replica(log: Sequence[Line], replica: Replica) -> None:
    assert replica.versions == sorted(replica.versions), "a replica went backwards"
    silent = {line.version for line in log if line.body["kind"] in ("invite", "cancel")}
    if replica.versions:
        expected = set(range(1, replica.versions[-1] + 1)) - silent
        assert set(replica.news) == expected, "a replica lacks news"
    for version, item in replica.news.items():
        line = log[version - 1]
        assert (item["kind"], item["seat"]) == (line.body["kind"], line.seat)
        assert item["move"] in (None, line.body.get("move"))
