"""Nothing acknowledged is lost when the power goes, after whichever call to the disk (SAFETY F3, R2)."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests.web.store.power import COPY, Disk, Lost, cut_everywhere
from tests.web.store.recording_disk import (
    DATABASE,
    ROOT,
    Operation,
    Script,
    compiled,
    quick_folder,
    record,
    told_too_early,
)

BENCHMARK = ROOT / "benchmarks" / "power_cuts.py"
WAL = f"{DATABASE}-wal"
DRAFT = f"{COPY}.draft"
SHORT = Script(games=2, last=6, sittings=2, checkpoint=10)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is preloaded to record."""
    return compiled(tmp_path_factory.mktemp("library"))


@pytest.fixture
def folder() -> Iterator[Path]:
    """An empty folder."""
    with quick_folder() as folder:
        yield Path(folder)


def recorded(library: Path, script: Script) -> list[Operation]:
    with quick_folder() as folder:
        return record(library, script, Path(folder))


def cuts(operations: list[Operation], script: Script, folder: Path, seed: str) -> list[str]:
    """What was lost by each cut, or nothing."""

    async def cut() -> list[str]:
        return [str(lost or "") async for lost in cut_everywhere(operations, script, folder, seed)]

    return asyncio.run(cut())


@pytest.mark.parametrize("ending", ["closed", "killed", "migrated"])
def test_the_recorded_writes_reproduce_the_files(library: Path, folder: Path, ending: str) -> None:
    disk = Disk()
    for operation in record(library, replace(SHORT, stores=2, ending=ending), folder):
        disk.do(operation)
    there = {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm")}
    expected = {"closed": [], "killed": [WAL], "migrated": [COPY]}[ending]
    assert sorted(there) == [DATABASE, *expected]
    assert disk.uncut() == there
    assert disk.told == {"game-00": 6, "game-01": 6}


@pytest.mark.parametrize("ending", ["closed", "migrated"])
def test_a_cut_after_every_operation_of_a_short_match_loses_nothing(
    library: Path, folder: Path, ending: str
) -> None:
    script = replace(SHORT, ending=ending)
    operations = recorded(library, script)
    assert told_too_early(operations) == []
    lost = cuts(operations, script, folder, "quick")
    assert len(lost) > 200
    assert {*lost} == {""}


@pytest.mark.campaign
@pytest.mark.parametrize(
    "script",
    [
        Script(games=1, last=30, longest=20_000, ending="killed"),
        Script(games=6, last=10, sittings=3, checkpoint=5),
        Script(games=8, last=5, sittings=2, stores=2, checkpoint=20, longest=100_000),
        Script(games=4, last=6, sittings=2, checkpoint=100, ending="migrated"),
    ],
    ids=["truncated", "reopened", "shared", "migrated"],
)
def test_five_hundred_cuts_lose_nothing(library: Path, folder: Path, script: Script) -> None:
    operations = recorded(library, script)
    assert told_too_early(operations) == []
    lost: list[str] = []
    while len(lost) < 500:
        lost += cuts(operations, script, folder, f"slow/{len(lost)}")
        assert {*lost} == {""}


@pytest.mark.parametrize("synchronous", ["OFF", "NORMAL"])
def test_a_store_that_does_not_sync_every_move_is_caught(
    library: Path, folder: Path, synchronous: str
) -> None:
    script = Script(games=1, last=5, synchronous=synchronous)
    operations = recorded(library, script)
    assert told_too_early(operations) == [f"game-00/{version}" for version in range(1, 6)]
    lost = cuts(operations, script, folder, "unsynced")
    moves = [re.search(r"game-00 is at (\d); (\d) were acknowledged", one) for one in lost]
    assert any(int(found[1]) < int(found[2]) for found in moves if found)


@pytest.mark.parametrize(
    ("kind", "name", "script"),
    [
        ("sync", WAL, replace(SHORT, last=4)),
        ("sync", DATABASE, replace(SHORT, last=4)),
        ("folder", "", replace(SHORT, last=4)),
        ("sync", DRAFT, Script(games=1, last=3, ending="migrated")),
    ],
    ids=["log", "database", "folder", "copy"],
)
def test_a_disk_that_ignores_one_kind_of_sync_is_caught(
    library: Path, folder: Path, kind: str, name: str, script: Script
) -> None:
    operations = recorded(library, script)
    forgetful = [one for one in operations if (one.kind, one.name) != (kind, name)]
    assert len(forgetful) < len(operations)
    assert any(any(cuts(forgetful, script, folder, f"forgetful/{round}")) for round in range(5))


def test_an_acknowledgement_must_follow_a_sync_of_the_file_that_holds_the_event() -> None:
    written = [
        Operation("mark", data=b"begun g 1"),
        Operation("write", 1, data='..."g/1 ♠"...'.encode()),
    ]
    told = Operation("mark", data=b"told g 1")
    assert told_too_early([*written, Operation("sync", 1), told]) == []
    assert told_too_early([*written, Operation("sync", 2), told]) == ["g/1"]
    assert told_too_early([*written, told, Operation("sync", 1)]) == ["g/1"]
    assert told_too_early([written[0], Operation("sync", 1), written[1], told]) == ["g/1"]


def left(*operations: Operation) -> set[tuple[tuple[str, bytes], ...]]:
    """All that two hundred cuts left."""
    disk = Disk()
    for operation in operations:
        disk.do(operation)
    return {tuple(sorted(disk.cut(Random(seed)).items())) for seed in range(200)}


A, B = b"a" * 512, b"b" * 512
MADE = (Operation("create", 1, "f"), Operation("folder"))
KEPT = (*MADE, Operation("write", 1, "f", 0, A + A), Operation("sync", 1, "f"))


def test_what_was_synced_is_there_after_every_cut() -> None:
    assert left(*KEPT) == {(("f", A + A),)}


def test_of_what_was_not_synced_any_sectors_are_there() -> None:
    over = left(*KEPT, Operation("write", 1, "f", 0, B + B))
    assert over == {(("f", A + A),), (("f", A + B),), (("f", B + A),), (("f", B + B),)}
    longer = left(*MADE, Operation("write", 1, "f", 0, B + B))
    assert longer == {(("f", b""),), (("f", B),), (("f", bytes(512) + B),), (("f", B + B),)}
    beside = left(*KEPT, Operation("write", 1, "f", 510, b"bbbb"))
    assert (("f", b"a" * 510 + b"bb" + A),) in beside
    assert len(beside) == 4


def test_a_truncation_that_was_not_synced_is_there_or_not() -> None:
    assert left(*KEPT, Operation("size", 1, "f", 512)) == {(("f", A + A),), (("f", A),)}
    assert left(*KEPT, Operation("size", 1, "f", 512), Operation("sync", 1, "f")) == {(("f", A),)}


def test_a_file_name_survives_once_the_folder_was_synced() -> None:
    new = (Operation("create", 1, "f"), Operation("write", 1, "f", 0, A), Operation("sync", 1, "f"))
    assert left(*new) == {(), (("f", A),)}
    assert left(*new, Operation("folder")) == {(("f", A),)}
    assert left(*KEPT, Operation("unlink", name="f")) == {(), (("f", A + A),)}
    assert left(*KEPT, Operation("unlink", name="f"), Operation("folder")) == {()}
    assert left(*KEPT, Operation("rename", name="f/g"), Operation("folder")) == {(("g", A + A),)}
    assert (("f", A + A), ("g", A + A)) in left(*KEPT, Operation("rename", name="f/g"))


def test_a_loss_comes_with_the_files_that_were_left(folder: Path) -> None:
    told = [Operation("mark", data=b"begun game-00 1"), Operation("mark", data=b"told game-00 1")]

    async def first() -> Lost | None:
        return [lost async for lost in cut_everywhere([*KEPT[:2], *told], Script(1, 1), folder, "")][-1]

    lost = asyncio.run(first())
    assert lost is not None
    assert str(lost) == "Cut after operation 3 (mark ): game-00 is at 0; 1 were acknowledged and 1 begun."
    assert lost.files == {"f": b""}


@pytest.mark.slow
def test_the_benchmark_goes_on_where_it_ended(tmp_path: Path) -> None:
    tally = tmp_path / "cache" / "tally.json"
    command = [sys.executable, str(BENCHMARK), "--budget", "2", "--tally", str(tally)]
    before = 0
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("nothing lost in ")
        cuts = int(done.stdout.rsplit(" ", 1)[1].replace(",", ""))
        assert cuts > before
        before = cuts
    tally.write_text('{"code": "another", "matches": 7, "cuts": 99999}')
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    assert "tally.json: the code has changed, so the count starts again" in done.stdout
