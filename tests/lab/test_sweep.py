"""Sweeps: the same bytes whether they ran through, were killed, or ran on a cluster."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.web.server import free_port

from digit_duel import __version__
from digit_duel.cli.commands import main
from digit_duel.core.journal import BadJournal, Journal
from digit_duel.core.options import BadOption
from digit_duel.games import variant
from digit_duel.lab.sweeps.sweep import Plan, Workers, read_values, row_of, run
from digit_duel.lab.sweeps.sweep_files import as_page, write_files
from digit_duel.lab.sweeps.workers import Cluster, NoWorkers, Processes

PLAN = Plan(
    "classic", (("places", "1"),), (("pool", ("1-3", "0-3", "1x2", "9")), ("tie", ("second", "draw")))
)
SWEEP = [
    sys.executable, "-m", "digit_duel", "lab", "sweep", "classic", "--set", "places=2", "--equals",
    "--over", "bonus=0..7", "--over", "pool=1-4,1-5", "--processes", "2",
]  # fmt: skip


def made(stem: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in stem.parent.iterdir() if path.suffix != ".journal"}


def plain(page: str) -> str:
    """The text of a page."""
    return re.sub("<[^>]*>", "", page)


def test_a_row_is_a_rule_set_with_its_value_or_the_reason_why_not(tmp_path: Path) -> None:
    rows = run(PLAN, tmp_path / "j", Processes(1))
    assert [row["pool"] for row in rows[::2]] == ["1-3", "0-3", "1x2", "9"]
    assert [row["value"] for row in rows] == ["1", "1", "1", "1", "-1", "0", None, None]
    assert rows[6]["reason"] == "two numbers of 1 digits need a pool of at least 2 digits; 9 has 1."
    paths = write_files(PLAN, rows, tmp_path / "out")
    assert paths[0].read_text().splitlines()[1] == "1,1-3,second,1,1.0,3,1,,,,,,,,"
    import pyarrow.parquet as parquet

    table = parquet.read_table(paths[1])
    assert table.column("value").to_pylist() == [row["value"] for row in rows]
    assert table.column("points").to_pylist()[:2] == [1.0, 1.0]
    assert "<svg" in paths[2].read_text()


def test_a_journal_goes_on_after_any_cut(tmp_path: Path) -> None:
    whole = run(PLAN, tmp_path / "whole", Processes(1))
    data = (tmp_path / "whole").read_bytes()
    for cut in range(0, len(data), 97):
        (tmp_path / "cut").write_bytes(data[:cut])
        assert run(PLAN, tmp_path / "cut", Processes(1)) == whole
        assert (tmp_path / "cut").read_bytes().startswith(data[: data.rfind(b"\n", 0, cut) + 1])


def test_a_journal_of_another_sweep_is_refused(tmp_path: Path) -> None:
    Journal(tmp_path / "j", PLAN.key).close()
    other = Plan("classic", (), (("bonus", ("1",)),))
    with pytest.raises(BadJournal, match="belongs to a different run"):
        Journal(tmp_path / "j", other.key)


def test_a_file_that_is_no_journal_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal", PLAN.key)
    journal.close()
    header = journal.path.read_text()
    for text in (
        "buy milk\n",
        f"{header}7\n",
        f'{header}{{"name": "1"}}\n',
        f'{header}{{"name": [], "entry": 1}}\n',
    ):
        (tmp_path / "notes").write_text(text)
        with pytest.raises(BadJournal, match="notes is damaged or not a journal; delete it or rename it"):
            Journal(tmp_path / "notes", PLAN.key)
        assert (tmp_path / "notes").read_text() == text


def test_a_page_of_one_option_says_where_the_result_changes(tmp_path: Path) -> None:
    plan = Plan("classic", (("places", "1"), ("pool", "1-3"), ("tie", "draw")), (("bonus", ("0", "1", "2")),))
    page = plain(as_page(plan, run(plan, tmp_path / "j", Processes(1))))
    # The first player takes the 3, the second the 2: a difference of 1.
    assert "0: 100.0%1: 50.0%2: 0.0%\n" in page
    assert "The fairest with best play\n" in page
    assert "digit-duel play classic --set places=1 --set pool=1-3 --set tie=draw --set bonus=1\n" in page
    many = Plan("classic", (("places", "1"), ("pool", "1-3")), (("bonus", tuple(map(str, range(50)))),))
    assert "<svg" in as_page(many, run(many, tmp_path / "k", Processes(1)))


def test_a_page_does_not_call_the_least_unfair_rules_fair(tmp_path: Path) -> None:
    plan = Plan("classic", (("places", "1"), ("pool", "1-3")), (("bonus", ("2", "3")),))
    page = as_page(plan, run(plan, tmp_path / "j", Processes(1)))
    # The second player wins both.
    assert "<h2>None is fair: in each of them one player always wins with best play</h2>" in page
    assert "Play the first" not in page
    drawn = Plan("classic", (("places", "1"), ("pool", "1-3"), ("pick", "draw")), (("bonus", ("1", "2")),))
    page = plain(as_page(drawn, run(drawn, tmp_path / "k", Processes(1))))
    # Of the six deals only 3 against 1 is more than a bonus of 1, and none is more than 2.
    assert "None is fair with best play; the closest\n" in page
    assert "0.1667" in page
    assert "digit-duel play classic --set places=1 --set pool=1-3 --set pick=draw --set bonus=1\n" in page


def test_of_equally_fair_rules_those_closest_to_the_rulebook_come_first(tmp_path: Path) -> None:
    """One digit each, drawn, is a coin toss; a bonus of 111 is as fair and changes less."""
    over = (("places", ("1", "3")), ("pick", ("draw", "choose")), ("bonus", ("0", "111")))
    plan = Plan("classic", (("tie", "draw"),), over)
    rows = run(plan, tmp_path / "j", Processes(1))
    assert [row["points"] for row in rows if row["points"] == 0.5] == [0.5, 0.5]
    assert rows[0]["points"] == 0.5
    assert "Play the first: digit-duel play classic --set tie=draw --set bonus=111\n" in plain(
        as_page(plan, rows)
    )


def test_files_to_publish_can_be_read_by_others(tmp_path: Path) -> None:
    rows = run(PLAN, tmp_path / "j", Processes(1))
    before = os.umask(0o022)
    try:
        paths = write_files(PLAN, rows, tmp_path / "out")
    finally:
        os.umask(before)
    assert {path.stat().st_mode & 0o777 for path in paths} == {0o644}


@pytest.mark.parametrize(
    ("over", "told"),
    [
        (["--over", "bonus=0..2", "--set", "bonus=4"], "--over and --set both give values of bonus"),
        (["--over", "pool=1-4,9", "--set", "places=1"], "2 rule sets (1 could not be solved"),
        # Three places would need six digits; the sweep has only one place.
        (["--over", "places=1", "--set", "pool=1-3"], "1 rule set: "),
        (["--over", "places=1", "--set", "pool=1-z"], "--set pool=1-z: write digits like 1-9"),
        (["--over", "places=1", "--set", "speed=1"], "unknown option 'speed'; the options are: places,"),
    ],
)
def test_a_sweep_tells_what_is_wrong_with_its_values(tmp_path: Path, over: list[str], told: str) -> None:
    command = [sys.executable, "-m", "digit_duel", "lab", "sweep", "classic", *over, "--processes", "1"]
    done = subprocess.run(
        [*command, "--out", str(tmp_path / "out")], capture_output=True, text=True, check=False
    )
    assert told in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("bonus=0..3", ("bonus", ("0", "1", "2", "3"))),
        ("tie=draw,first", ("tie", ("draw", "first"))),
        ("pool=1-9;1,3,5x2", ("pool", ("1-9", "1,3,5x2"))),
        ("swap=yes,no,yes", ("swap", ("yes", "no"))),
    ],
)
def test_values_are_lists_or_ranges(text: str, found: tuple[str, tuple[str, ...]]) -> None:
    assert read_values(variant("classic"), text) == found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("bonus", "--over takes option=values"),
        ("speed=1", "unknown option 'speed'"),
        ("bonus=5..2", "names no values"),
        ("bonus=0..9999999", "at most 1,000,000 rule sets"),
        ("bonus=0..x", "--over bonus=0..x: bonus must be a whole number"),
        ("tie=maybe,draw", "--over tie=maybe: tie must be one of"),
    ],
)
def test_values_that_make_no_grid_are_refused(text: str, why: str) -> None:
    with pytest.raises(BadOption, match=why):
        read_values(variant("classic"), text)


@pytest.mark.slow
def test_a_sweep_that_is_killed_again_and_again_gives_the_same_bytes(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
    subprocess.run([*SWEEP, "--out", "s"], cwd=one, check=True, capture_output=True)
    kills = 0
    journal = other / "s.journal"
    for lines in (1, 4, 9):
        process = subprocess.Popen([*SWEEP, "--out", "s"], cwd=other, stdout=subprocess.DEVNULL)
        while process.poll() is None:
            if journal.exists() and len(journal.read_bytes().splitlines()) >= lines:
                os.kill(process.pid, signal.SIGKILL)
                kills += 1
                break
            time.sleep(0.01)
        process.wait()
    subprocess.run([*SWEEP, "--out", "s"], cwd=other, check=True, capture_output=True)
    assert kills
    assert made(one / "s") == made(other / "s")
    assert set(made(one / "s")) == {"s.csv", "s.parquet", "s.html"}


def test_a_sweep_without_its_libraries_is_refused_before_it_computes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pyarrow", "matplotlib"):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, name, None)  # as if it were not installed
            command = ["lab", "sweep", "classic", "--over", "bonus=0..2", "--out", str(tmp_path / "s")]
            refused = CliRunner().invoke(main, command)
        assert f"needs {name}. Install it with: pip install 'digit-duel[lab]'" in str(refused.exception)
        assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_sweep_whose_process_is_killed_says_so_and_goes_on_when_it_is_run_again(tmp_path: Path) -> None:
    plan = Plan("classic", (("places", "2"),), (("bonus", tuple(map(str, range(12)))),), equals=True)

    def kill_one(done: int, total: int | None = None, unit: str = "") -> None:
        active_children()[0].kill()

    with pytest.raises(NoWorkers, match="a worker process was killed, perhaps because memory ran out"):
        run(plan, tmp_path / "j", Processes(2), kill_one)
    assert run(plan, tmp_path / "j", Processes(1)) == [row_of(task)[1] for task in plan.tasks()]


@contextmanager
def running(*command: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        command,
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def scheduler(port: int) -> list[str]:
    listens = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    return [sys.executable, "-m", "distributed.cli.dask_scheduler", *listens]


def worker(port: int, folder: Path) -> list[str]:
    serves = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder)]
    return [sys.executable, "-m", "distributed.cli.dask_worker", f"tcp://127.0.0.1:{port}", *serves]


@pytest.mark.slow
def test_a_cluster_gives_the_same_rows_though_a_worker_and_the_scheduler_are_killed(tmp_path: Path) -> None:
    plan = Plan("classic", (("places", "2"),), (("bonus", tuple(map(str, range(10)))),), equals=True)
    expected = [row_of(task)[1] for task in plan.tasks()]
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    with running(*scheduler(port)) as first, running(*worker(port, tmp_path)) as dying:
        _wait_for(port)
        started: list[int] = []

        def kill_some(done: int, total: int | None = None, unit: str = "") -> None:
            started.append(done)
            if done == 2:
                dying.kill()
            if done == 4:
                first.kill()

        with running(*worker(port, tmp_path)), pytest.raises(NoWorkers, match="lost the connection"):
            run(plan, tmp_path / "j", Cluster(address), kill_some)
    assert 4 <= len(started) < 10
    with running(*scheduler(port)), running(*worker(port, tmp_path)), running(*worker(port, tmp_path)):
        _wait_for(port)
        resumed = run(plan, tmp_path / "j", Cluster(address))
    assert resumed == expected
    one, other = tmp_path / "one", tmp_path / "other"
    for folder, rows in ((one, expected), (other, resumed)):
        folder.mkdir()
        write_files(plan, rows, folder / "s")
    assert made(one / "s") == made(other / "s")


@pytest.mark.slow
def test_a_local_cluster_of_separate_processes_gives_the_same_files(tmp_path: Path) -> None:
    distributed: Any = import_module("distributed")  # has no types
    with distributed.LocalCluster(
        2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=str(tmp_path)
    ) as cluster:
        pids = set(distributed.Client(cluster, set_as_default=False).run(os.getpid).values())
        assert len(pids) == 2
        assert os.getpid() not in pids
        places: dict[str, Workers] = {"here": Processes(2), "there": Cluster(cluster.scheduler_address)}
        for name, workers in places.items():
            (tmp_path / name).mkdir()
            rows = run(PLAN, tmp_path / f"{name}.journal", workers)
            write_files(PLAN, rows, tmp_path / name / "s")
    assert made(tmp_path / "here" / "s") == made(tmp_path / "there" / "s")


def test_a_cluster_that_does_not_answer_is_one_sentence_and_no_traceback(tmp_path: Path) -> None:
    command = [*SWEEP, "--out", str(tmp_path / "s"), "--cluster", "nonsense"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == ("digit-duel: no Dask scheduler answers at nonsense. Start one: dask scheduler\n")


@pytest.mark.slow
def test_a_cluster_without_this_package_is_a_sentence(tmp_path: Path) -> None:
    """Its workers would die of the first task, and the sweep would wait for ever."""
    libraries = tmp_path / "libraries"
    libraries.mkdir()
    for path in Path(import_module("distributed").__path__[0]).parent.iterdir():
        if "digit" not in path.name:
            (libraries / path.name).symlink_to(path)
    port = free_port()
    # Without -S, Python would add the folder in which this package is installed.
    begin = f"import sys; sys.path.append({str(libraries)!r}); from distributed.cli."
    started = (
        [sys.executable, "-S", "-P", "-c", f"{begin}{name} import main; main()", *command[3:]]
        for name, command in (("dask_scheduler", scheduler(port)), ("dask_worker", worker(port, tmp_path)))
    )
    with running(*next(started)):
        _wait_for(port)
        with running(*next(started)):
            needed = f"need digit-duel {__version__}; one of them has none. Install it there"
            with pytest.raises(NoWorkers, match=needed):
                list(Cluster(f"tcp://127.0.0.1:{port}").rows(list(PLAN.tasks())))


@pytest.mark.slow
def test_a_rule_set_on_which_the_workers_of_a_cluster_die_is_a_sentence(tmp_path: Path) -> None:
    plan = Plan("classic", (), (("places", ("1", "3")),), equals=True)  # the second takes long
    port = free_port()
    patience = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}  # one death is enough
    with running(*scheduler(port), **patience):
        _wait_for(port)
        with running(*worker(port, tmp_path)) as dying:

            def kill(done: int, total: int | None = None, unit: str = "") -> None:
                dying.kill()

            with pytest.raises(NoWorkers, match="several workers of the cluster died on the same rule sets"):
                run(plan, tmp_path / "j", Cluster(f"tcp://127.0.0.1:{port}"), kill)


def test_an_address_of_no_cluster_is_a_sentence() -> None:
    tasks = list(PLAN.tasks())[:1]
    with pytest.raises(NoWorkers, match="no Dask scheduler answers at nonsense"):
        list(Cluster("nonsense://nowhere").rows(tasks))


@pytest.mark.slow
def test_a_cluster_without_workers_is_a_sentence() -> None:
    tasks, port = list(PLAN.tasks())[:1], free_port()
    with running(*scheduler(port)):
        _wait_for(port)
        with pytest.raises(NoWorkers, match=f"has no workers. Start one: dask worker tcp://127.0.0.1:{port}"):
            list(Cluster(f"tcp://127.0.0.1:{port}", patience=5).rows(tasks))


def _wait_for(port: int) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise AssertionError("the scheduler did not start")
