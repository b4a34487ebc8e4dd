"""Nothing acknowledged is ever lost, whenever a process dies (SAFETY A6, F1, F12)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from itertools import count
from pathlib import Path

import pytest
from tests.web.store import workers
from tests.web.store.samples import with_store

from digit_duel.web.store.crash_points import POINTS, VARIABLE

WRITING = [point for point in POINTS if point != "migrating"]


@pytest.mark.parametrize("point", WRITING)
def test_a_process_that_dies_at_a_point_has_lost_nothing_it_acknowledged(
    address: str, point: str, tmp_path: Path
) -> None:
    journal = tmp_path / "journal"
    for times in (1, 2, 5, 9):
        process = workers.start(address, journal, f"w{times}", 6, 24, f"{point}:{times}")
        process.join(20)
        assert process.exitcode == 137
        with_store(address, lambda store: workers.check(store, journal, 6))
    process = workers.start(address, journal, "last", 6, 24)
    process.join(20)
    assert process.exitcode == 0
    assert with_store(address, lambda store: workers.check(store, journal, 6)) == 144


def test_what_was_committed_and_not_acknowledged_is_there_once(address: str, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    process = workers.start(address, journal, "w", 1, 9, "after_commit:5")
    process.join(20)
    assert process.exitcode == 137
    assert workers.told(journal) == [("game-000", version, f"w.{version}") for version in (2, 3, 4)]
    assert with_store(address, lambda store: workers.check(store, journal, 1)) == 5


def test_what_was_not_committed_is_not_there(address: str, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    process = workers.start(address, journal, "w", 1, 9, "before_commit:5")
    process.join(20)
    assert process.exitcode == 137
    assert with_store(address, lambda store: workers.check(store, journal, 1)) == 4


def test_the_point_is_set_by_the_environment(tmp_path: Path) -> None:
    address, journal = tmp_path / "duel.sqlite3", tmp_path / "journal"
    command = [sys.executable, "-m", "tests.web.store.workers", str(address), str(journal), "w", "1", "9"]
    crashing = {**os.environ, VARIABLE: "after_insert:3"}
    assert subprocess.run(command, env=crashing, check=False, timeout=30).returncode == 137
    assert with_store(str(address), lambda store: workers.check(store, journal, 1)) == 2
    assert subprocess.run(command, check=False, timeout=30).returncode == 0
    assert with_store(str(address), lambda store: workers.check(store, journal, 1)) == 9
    misspelt = {**os.environ, VARIABLE: "after_lunch:3"}
    done = subprocess.run(command, env=misspelt, check=False, timeout=30, capture_output=True)
    assert b"after_lunch must be one of before_begin, after_insert" in done.stderr


@pytest.mark.parametrize(("games", "last"), [(20, 100), pytest.param(20, 500, marks=pytest.mark.campaign)])
def test_of_two_processes_exactly_one_writes_each_version(
    address: str, games: int, last: int, tmp_path: Path
) -> None:
    journal = tmp_path / "journal"
    for process in workers.start_together(("one", "other"), address, journal, games, last):
        process.join(60)
        assert process.exitcode == 0
    assert with_store(address, lambda store: workers.check(store, journal, games)) == games * last
    acknowledged = workers.told(journal)
    assert len(acknowledged) == games * (last - 1)  # all but the opening
    assert {(game, version) for game, version, _ in acknowledged} == {
        (f"game-{n:03}", version) for n in range(games) for version in range(2, last + 1)
    }
    shares = Counter(client.partition(".")[0] for _, _, client in acknowledged)
    assert last < 500 or min(shares["one"], shares["other"]) > 100, "no contest"


@pytest.mark.campaign
def test_twenty_crashes_at_every_point_lose_nothing(address: str, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    names = count()
    for times in range(1, 21):
        for point in WRITING:
            process = workers.start(address, journal, f"w{next(names)}", 4, 10_000, f"{point}:{times}")
            process.join(20)
            assert process.exitcode == 137
    assert with_store(address, lambda store: workers.check(store, journal, 4)) > 1000


@pytest.mark.slow
def test_four_processes_killed_at_any_moment_lose_nothing(address: str, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    with_store(address, lambda store: store.versions([]))  # migrated before anybody dies
    names = count()
    alive = [workers.start(address, journal, f"w{next(names)}", 8, 100_000) for _ in range(4)]
    for round in range(24):
        alive[round % 4].join(0.05 + 0.013 * (round % 7))
        alive[round % 4].kill()
        alive[round % 4].join(20)
        assert alive[round % 4].exitcode == -9
        alive[round % 4] = workers.start(address, journal, f"w{next(names)}", 8, 100_000)
    for process in alive:
        process.kill()
        process.join(20)
    assert with_store(address, lambda store: workers.check(store, journal, 8)) > 100
