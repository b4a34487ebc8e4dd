"""Solutions as Parquet files: every row is read back, and the policies in them are optimal."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import stat
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.reference import placing as plain_placing

from digit_duel import solve
from digit_duel.cli.commands import main
from digit_duel.solve.research import dataset, solutions
from digit_duel.solve.research.dataset import DECISION_COLUMNS, RUNG_COLUMNS

SMALL = ("classic-3", "reverse-3", "sabotage-4", "cards-1", "cards-3", "battle-2", "battle-3")
RUNGS = {rung.name: rung for rung in solve.ladder()}

# The command, killed when it syncs a file for the time that its first argument says.
KILLED = """
import os, signal, sys
from digit_duel.cli.commands import main
left, sync = int(sys.argv.pop(1)), os.fsync
def fsync(handle):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    sync(handle)
os.fsync = fsync
main()
"""

# What the specification of Croissant 1.0 requires of a dataset.
REQUIRED = (
    "@context",
    "@type",
    "conformsTo",
    "name",
    "description",
    "license",
    "url",
    "creator",
    "datePublished",
)


def exported(folder: Path, *options: str, rungs: tuple[str, ...] = SMALL) -> dict[str, list[dict[str, Any]]]:
    """The rows of every table that the command writes."""
    from pyarrow import parquet

    wanted = [part for name in rungs for part in ("--rung", name)]
    done = CliRunner().invoke(main, ["research", "export", str(folder), *wanted, *options])
    assert done.exception is None, done.output
    return {path.stem: parquet.read_table(path).to_pylist() for path in sorted(folder.glob("*.parquet"))}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("solutions")


@pytest.fixture(scope="module")
def tables(folder: Path) -> dict[str, list[dict[str, Any]]]:
    return exported(folder)


def test_every_rung_has_its_row(tables: dict[str, list[dict[str, Any]]]) -> None:
    rows = {row["rung"]: row for row in tables["rungs"]}
    assert tuple(rows) == SMALL
    assert [list(row) for row in rows.values()] == [[column.name for column in RUNG_COLUMNS]] * len(SMALL)
    # Half of 1/1 and 1/2 as the size ladder has them; the openings of classic with copies: none wins.
    assert (rows["cards-3"]["value"], rows["cards-3"]["value_low"], rows["cards-3"]["size"]) == (
        0.5,
        "1/2",
        56,
    )
    assert (rows["classic-3"]["value"], rows["classic-3"]["openings"]) == (-1.0, [])
    assert rows["classic-3"]["options"] == "places=2 pool=1-4x2"
    assert [name for name, row in rows.items() if row["hidden"]] == ["cards-1", "cards-3"]
    assert all(row["complete"] and row["nash_conv"] == 0 for row in rows.values())
    for name, row in rows.items():
        written = [one for one in tables[f"{row['game']}_decisions"] if one["rung"] == name]
        assert row["decisions"] == len(written) > 0


def test_decisions_are_as_many_as_an_independent_count(tables: dict[str, list[dict[str, Any]]]) -> None:
    # In a placing game somebody decides in every state but the last ones; in cards, at each information set.
    by_ply = plain_placing.count_states_by_ply(
        places=2, pool=(1, 1, 2, 2, 3, 3, 4, 4), goal="high", reach="own", tie="second"
    )
    rows = tables["classic_decisions"]
    assert [sum(row["ply"] == ply for row in rows) for ply in range(4)] == list(by_ply)[:4]
    assert {row["rung"]: 0 for row in tables["cards_decisions"]} == {"cards-1": 0, "cards-3": 0}
    assert sum(row["rung"] == "cards-3" for row in tables["cards_decisions"]) == 56
    assert sum(row["rung"] == "cards-1" for row in tables["cards_decisions"]) == 3


@pytest.mark.parametrize("name", SMALL)
def test_the_policy_in_the_rows_gives_nothing_away(
    name: str, tables: dict[str, list[dict[str, Any]]]
) -> None:
    rung = RUNGS[name]
    rows = {
        (row["view"], tuple(row["moves"])): tuple(map(Fraction, row["play"]))
        for row in tables[f"{rung.game}_decisions"]
        if row["rung"] == name
    }
    table = solve.TabularPolicy(rung.variant, {key: _whole(row) for key, row in rows.items()})

    def highest(view: Any, legal: Any) -> Any:  # forced moves, and hands laid out, are not in the rows
        return {max(legal, key=lambda move: getattr(move, "digits", ())): 1}

    assert solve.nash_conv(rung.variant.game, table.otherwise(highest)) == 0


def _whole(row: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """Chances that sum to one exactly, though a third was written as a float."""
    near = [chance.limit_denominator(1_000_000) for chance in row]
    return tuple(chance / sum(near) for chance in near)


def test_a_regret_is_what_a_move_gives_away(tables: dict[str, list[dict[str, Any]]]) -> None:
    game = RUNGS["sabotage-4"].variant.game
    start = game.start()
    first = tables["sabotage_decisions"][0]
    assert (first["ply"], first["seat"], first["value"]) == (0, 0, -1.0)  # the second player mirrors and wins
    assert first["regret"] == [0.0] * len(game.legal(start, game.acting(start)[0]))
    for rows in tables.values():
        for row in rows:
            if row.get("regret"):
                assert min(row["regret"]) == 0
                assert sum(row["play"]) == pytest.approx(1)
                assert all(
                    lost == 0 for lost, chance in zip(row["regret"], row["play"], strict=True) if chance
                )


def test_the_description_fits_the_files(folder: Path, tables: dict[str, list[dict[str, Any]]]) -> None:
    from pyarrow import parquet

    told = json.loads((folder / "croissant.json").read_text(encoding="utf-8"))
    assert all(told[key] for key in REQUIRED)
    assert (told["@type"], told["conformsTo"]) == ("sc:Dataset", "http://mlcommons.org/croissant/1.0")
    files = {entry["@id"]: entry for entry in told["distribution"]}
    assert set(files) == {path.name for path in folder.glob("*.parquet")}
    for name, entry in files.items():
        content = (folder / name).read_bytes()
        assert entry["sha256"] == hashlib.sha256(content).hexdigest()
        assert (entry["contentUrl"], entry["contentSize"]) == (name, f"{len(content)} B")
        assert entry["encodingFormat"] == "application/x-parquet"
    kinds = {"sc:Text": "string", "sc:Integer": "int64", "sc:Float": "double", "sc:Boolean": "bool"}
    for records in told["recordSet"]:
        schema = parquet.read_schema(folder / f"{records['name']}.parquet")
        fields = {field["name"]: field for field in records["field"]}
        assert list(fields) == schema.names
        for name, field in fields.items():
            wanted = kinds[field["dataType"]]
            assert str(schema.field(name).type) == (
                f"list<element: {wanted}>" if field.get("repeated") else wanted
            )
            assert field["source"]["extract"]["column"] == name
            assert field["source"]["fileObject"]["@id"] in files
            assert field["description"]
    assert len(told["recordSet"]) == len(tables) == 6
    assert {column.name for column in DECISION_COLUMNS} == set(tables["cards_decisions"][0])


def test_a_large_rung_has_the_decisions_of_its_first_plies(tmp_path: Path) -> None:
    tables = exported(tmp_path, "--most", "300", "--url", "https://example.org/x", rungs=("classic-7",))
    assert [row["complete"] for row in tables["rungs"]] == [False]
    # One state at the start, 27 after one of nine digits on one of three places; 648 more are too many.
    assert [sum(row["ply"] == ply for row in tables["classic_decisions"]) for ply in range(3)] == [1, 27, 0]
    assert json.loads((tmp_path / "croissant.json").read_text("utf-8"))["url"] == "https://example.org/x"


def test_the_same_rungs_give_the_same_files(tmp_path: Path) -> None:
    for name in ("one", "other"):
        exported(tmp_path / name, rungs=("battle-1", "cards-2"))
    for path in (tmp_path / "one").glob("*.parquet"):
        assert path.read_bytes() == (tmp_path / "other" / path.name).read_bytes()


def contents(folder: Path) -> dict[str, bytes]:
    """The dataset in a folder, without the drafts that a killed program leaves behind."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


@pytest.mark.slow
def test_an_export_that_is_killed_again_and_again_gives_the_same_files(tmp_path: Path) -> None:
    rungs = ("classic-1", "cards-1", "cards-3")
    exported(tmp_path / "one", rungs=rungs)
    command = ["research", "export", str(tmp_path / "other")]
    command += [part for name in rungs for part in ("--rung", name)]
    kills = 0
    while True:
        program = [sys.executable, "-c", KILLED, str(kills + 1), *command]
        done = subprocess.run(program, capture_output=True, text=True)
        if done.returncode != -signal.SIGKILL:
            break
        kills += 1
    assert (done.returncode, done.stderr) == (0, "")
    assert kills >= 8  # four files and their folder, beside the journal
    assert contents(tmp_path / "one") == contents(tmp_path / "other")
    assert len(contents(tmp_path / "one")) == 4


def test_a_rung_that_is_done_is_not_solved_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stopped(Exception):
        pass

    def stop(row: dict[str, Any]) -> None:
        raise Stopped

    rungs = [RUNGS["classic-1"], RUNGS["cards-1"]]
    with pytest.raises(Stopped):
        dataset.export_solutions(tmp_path, rungs, told=stop)
    assert [path.name for path in tmp_path.iterdir()] == ["export.journal"]
    solved = []

    def rung_solution(rung: solve.Rung, limit: int) -> Any:
        solved.append(rung.name)
        return solutions.rung_solution(rung, limit)

    monkeypatch.setattr(dataset, "rung_solution", rung_solution)
    told: list[str] = []
    dataset.export_solutions(tmp_path, rungs, told=lambda row: told.append(row["rung"]))
    assert (solved, told) == (["cards-1"], ["classic-1", "cards-1"])
    assert not (tmp_path / "export.journal").exists()


def test_a_journal_of_other_limits_is_refused(tmp_path: Path) -> None:
    (tmp_path / "export.journal").write_text('{"journal": "7 decisions, version 0"}\n')
    refused = CliRunner().invoke(main, ["research", "export", str(tmp_path), "--rung", "cards-1"])
    assert "export.journal belongs to a different run; delete it" in str(refused.exception)


def test_tables_of_an_earlier_export_are_not_left_behind(tmp_path: Path) -> None:
    exported(tmp_path, rungs=("classic-1", "battle-1"))
    refused = CliRunner().invoke(main, ["research", "export", str(tmp_path), "--rung", "battle-1"])
    assert "classic_decisions.parquet. Delete them, or choose another folder." in str(refused.exception)
    assert not (tmp_path / "export.journal").exists()
    (tmp_path / "classic_decisions.parquet").unlink()
    assert set(exported(tmp_path, rungs=("battle-1",))) == {"rungs", "battle_decisions"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no file modes")
def test_a_dataset_and_a_policy_can_be_read_by_whom_the_umask_allows(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        exported(tmp_path / "set", rungs=("battle-1",))
        solve.save_policy(
            solve.tabulate(RUNGS["cards-1"].variant, solve.uniform), tmp_path / "new" / "policy"
        )
    finally:
        os.umask(before)
    files = [*(tmp_path / "set").iterdir(), tmp_path / "new" / "policy"]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o640}
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o750


def test_what_cannot_be_done_is_said_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = CliRunner().invoke
    assert "there is no rung 'cards-99'" in str(
        run(main, ["research", "export", str(tmp_path), "--rung", "cards-99"]).exception
    )
    (tmp_path / "file").write_text("")
    refused = run(main, ["research", "export", str(tmp_path / "file" / "under"), "--rung", "cards-1"])
    assert "cannot be written: Not a directory." in str(refused.exception)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    refused = run(main, ["research", "export", str(tmp_path), "--rung", "cards-1"])
    assert "pip install 'digit-duel[lab]'" in str(refused.exception)
